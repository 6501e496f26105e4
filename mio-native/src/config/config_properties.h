#ifndef MIO_CONFIG_PROPERTIES_H
#define MIO_CONFIG_PROPERTIES_H

/*
 * Files of settings: the syntax of java.util.Properties, which is what Java reads them with. Comments with # and !,
 * keys that end at =, : or a blank, lines that a backslash continues, the escapes \t \n \r \f \uxxxx, and any other
 * character for itself. What Java cannot have here: bytes that are not UTF-8 stay as they are. What C cannot have:
 * \u0000 is a blank, half a pair of \uxxxx a question mark.
 */

#include <stddef.h>

/*
 * Read a file's contents; set is told of each key and value in turn, strings that are good until it returns.
 * 0; -EINVAL: malformed; -ENOMEM.
 */
int mio_properties_read(const char *bytes, size_t length,
			void (*set)(void *context, const char *key, const char *value), void *context);

/* What is wrong with a file that is malformed, as Java says it. */
#define MIO_PROPERTIES_MALFORMED "Malformed \\uxxxx encoding."

#endif
