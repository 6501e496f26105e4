#ifndef MIO_CONFIG_PROPERTIES_H
#define MIO_CONFIG_PROPERTIES_H

/*
 * Settings files have the syntax of java.util.Properties, with which Java reads them: comments with # and !, keys that
 * end at =, : or a blank, lines that a backslash continues, the escapes \t \n \r \f \uxxxx, and a backslash before any
 * other character for that character. Unlike in Java, bytes that are not UTF-8 stay as they are. What a C string in
 * UTF-8 cannot hold is replaced: \u0000 by a blank, half a pair of \uxxxx by a question mark.
 */

#include <stddef.h>

/*
 * Reads the contents of a file and calls set for each key and value in turn; these strings are valid until set returns.
 * 0; -EINVAL: malformed; -ENOMEM.
 */
int mio_properties_read(const char *bytes, size_t length,
			void (*set)(void *context, const char *key, const char *value), void *context);

/* The message for a malformed file, as Java words it. */
#define MIO_PROPERTIES_MALFORMED "Malformed \\uxxxx encoding."

#endif
