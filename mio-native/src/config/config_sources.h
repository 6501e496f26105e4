#ifndef MIO_CONFIG_SOURCES_H
#define MIO_CONFIG_SOURCES_H

#include "config.h"
#include "config_store.h"
#include "config_text.h"

/*
 * Where settings come from; the last source that has a setting wins: /etc/mio/mio.conf, the user's file, the file that
 * MIO_CONFIG names, the environment. Twin of ConfigSources; only a JVM has system properties and options given by code.
 */

/* For each key the text that wins and where it came from; text is NULL if nobody set the key. */
struct mio_settings {
	struct mio_config_source sources[MIO_CONFIG_KEYS];
};

/*
 * Fills in settings, with memory of store. root: replaces / in the name /etc/mio/mio.conf. Returns 0, -EINVAL with a
 * message, or -ENOMEM. After an error, settings hold what was read before it.
 */
int mio_config_collect(const char *root, char *const *environment, struct mio_store *store,
		       struct mio_settings *settings, struct mio_text *error);

/* The value of an environment variable, or NULL. */
const char *mio_environment_value(char *const *environment, const char *name);

/* 1 if this value of enabled switches MIO off. */
int mio_config_is_off(const char *enabled);

#endif
