#ifndef MIO_CONFIG_VALUE_H
#define MIO_CONFIG_VALUE_H

/* Values of options: read from text, and echoed. Twins of OptionReader and OptionValue. */

#include "config.h"
#include "config_store.h"
#include "config_text.h"

/*
 * Reads text, given without its braces, into value, except typed and place. at: where the text begins, for messages. 0, or
 * -EINVAL: the option cannot have this value. Without memory store->failed is set.
 */
int mio_value_read(const struct mio_option *option, struct mio_slice text, struct mio_place at, struct mio_store *store,
		   struct mio_text *error, struct mio_option_value *value);

/* Reads a value of the option tables, which hold no mistakes. The value refers to text. */
void mio_value_preset(const struct mio_option *option, const char *text, struct mio_option_value *value);

/* Sets value to the one that the option has when nobody sets it. */
void mio_value_default(const struct mio_option *option, struct mio_option_value *value);

/* Sets a value without numbers. text must live as long as the value. */
void mio_value_set(struct mio_option_value *value, enum mio_setting setting, const char *text);

/* Adds how an option that takes a value is typed, for example cache_size=SIZE. */
void mio_value_add_form(const struct mio_option *option, struct mio_text *text);

/* Adds the option as the original prints it, for example cache_size=100m; may be nothing. */
void mio_value_echo(const struct mio_option *option, const struct mio_option_value *value, struct mio_text *text);

#endif
