#ifndef MIO_CONFIG_STORE_H
#define MIO_CONFIG_STORE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The memory of a configuration, which is freed all at once. A store of zeros is ready to use. When memory runs out,
 * this and every later take returns NULL, and failed is set: it is enough to check failed once, at the end.
 */
struct mio_store {
	struct mio_store_piece *pieces;
	size_t left;	/* free bytes of the first piece */
	int failed;
};

/* Takes memory of that many bytes, all zero, aligned to 16; NULL without memory. */
void *mio_store_take(struct mio_store *store, size_t bytes);

/* Copies count bytes and adds a zero byte; NULL without memory. */
const char *mio_store_string(struct mio_store *store, const char *bytes, size_t count);

/* Frees all memory of the store. */
void mio_store_clear(struct mio_store *store);

#endif
