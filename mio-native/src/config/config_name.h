#ifndef MIO_CONFIG_NAME_H
#define MIO_CONFIG_NAME_H

#include "config_options.h"
#include "config_store.h"
#include "config_text.h"

/* What a typed word means. Twin of OptionName. */
struct mio_option_name {
	int option;		/* the option that is set, MIO_<LAYER>_OPTION_... */
	const char *word;	/* the word in full, for example nostats */
	int off;		/* 1: the word switches the option off */
};

/*
 * Finds the option of this layer that typed names. An exact word wins; then an abbreviation of a word of the original,
 * then one of our words. So an extension never takes an abbreviation away from the original. 0, or -EINVAL: no option
 * fits, or several do.
 */
int mio_option_name_find(enum mio_layer_kind kind, struct mio_slice typed, struct mio_place place,
			 struct mio_store *store, struct mio_text *error, struct mio_option_name *name);

/* The layer of this name, or -1. */
int mio_layer_kind_find(struct mio_slice name);

/* Writes the message that there is no such layer; typed may be empty. short_form: a word that may be typed instead, or NULL. Returns -EINVAL. */
int mio_layer_kind_error(struct mio_slice typed, const char *short_form, struct mio_place place,
			 struct mio_store *store, struct mio_text *error);

#endif
