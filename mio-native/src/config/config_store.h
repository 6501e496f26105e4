#ifndef MIO_CONFIG_STORE_H
#define MIO_CONFIG_STORE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Memory that is given back all at once: what a configuration consists of. Ready when all zero. Without memory
 * every take returns NULL, and failed is set: look once, at the end.
 */
struct mio_store {
	struct mio_store_piece *pieces;
	size_t left;	/* bytes of the first piece that are free */
	int failed;
};

/* So many bytes, all zero, aligned to 16. */
void *mio_store_take(struct mio_store *store, size_t bytes);

/* A copy of so many bytes as a string; NULL without memory. */
const char *mio_store_string(struct mio_store *store, const char *bytes, size_t count);

/* Gives everything back. */
void mio_store_clear(struct mio_store *store);

#endif
