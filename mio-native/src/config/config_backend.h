#ifndef MIO_CONFIG_BACKEND_H
#define MIO_CONFIG_BACKEND_H

#include "config_store.h"
#include "config_text.h"

/*
 * The setting backend: which way of doing page requests is the best one to be used. Twin of BackendName. *name: "uring", "threads", "sync", or ""
 * where it is empty. 0, or -EINVAL: there is no such way.
 */
int mio_backend_parse(const struct mio_config_source *source, struct mio_store *store, const char **name,
		      struct mio_text *error);

#endif
