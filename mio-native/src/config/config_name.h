#ifndef MIO_CONFIG_NAME_H
#define MIO_CONFIG_NAME_H

#include "config_options.h"
#include "config_store.h"
#include "config_text.h"

/* What a typed word means. Twin of OptionName. */
struct mio_option_name {
	int option;		/* what is set, MIO_<LAYER>_OPTION_... */
	const char *word;	/* its word in full, for example nostats */
	int off;		/* it switches the option off */
};

/*
 * Find the option of this layer that typed names. An exact word wins; then abbreviations of the original's words,
 * then of ours, so that an extension never takes an abbreviation away from the original. 0, or -EINVAL: there is
 * none, or several.
 */
int mio_option_name_find(enum mio_layer_kind kind, struct mio_slice typed, struct mio_place place,
			 struct mio_store *store, struct mio_text *error, struct mio_option_name *name);

/* The layer of this name, or -1. */
int mio_layer_kind_find(struct mio_slice name);

/* Message that there is no such layer; typed may be empty. short_form: a word that can stand there as well, or NULL. -EINVAL. */
int mio_layer_kind_error(struct mio_slice typed, const char *short_form, struct mio_place place,
			 struct mio_store *store, struct mio_text *error);

#endif
