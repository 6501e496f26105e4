#ifndef MIO_CONFIG_BACKEND_H
#define MIO_CONFIG_BACKEND_H

#include "config_store.h"
#include "config_text.h"

/*
 * Reads the setting backend: the best way of doing page requests that may be used. Twin of BackendName. *name: "uring", "threads", "sync", or "" if
 * the setting is empty. 0, or -EINVAL: there is no such way.
 */
int mio_backend_parse(const struct mio_config_source *source, struct mio_store *store, const char **name,
		      struct mio_text *error);

#endif
