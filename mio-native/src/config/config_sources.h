#ifndef MIO_CONFIG_SOURCES_H
#define MIO_CONFIG_SOURCES_H

#include "config.h"
#include "config_store.h"
#include "config_text.h"

/*
 * Where settings come from, the last one winning: /etc/mio/mio.conf, the user's file, the file that is named,
 * the environment. Twin of ConfigSources; system properties and options of the code are the JVM's.
 */

/* Per key the text that wins and where it came from; text is NULL where nobody set it. */
struct mio_settings {
	struct mio_config_source sources[MIO_CONFIG_KEYS];
};

/*
 * Fill in settings, in memory of store. root: stands for / when /etc/mio/mio.conf is looked for. 0, -EINVAL with a
 * message, -ENOMEM. After an error settings hold what came before it.
 */
int mio_config_collect(const char *root, char *const *environment, struct mio_store *store,
		       struct mio_settings *settings, struct mio_text *error);

/* Value of a variable of the environment, or NULL. */
const char *mio_environment_value(char *const *environment, const char *name);

/* 1 if this value of enabled switches MIO off. */
int mio_config_is_off(const char *enabled);

#endif
