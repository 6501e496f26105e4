#include "config_store.h"

#include <string.h>

#include "../common/memory.h"

/* Less than the size from which mio_memory makes a mapping for each piece. */
#define PIECE_BYTES ((size_t)16 << 10)
#define ALIGN ((size_t)16)

/* A piece of memory; this header is at its beginning. Of the bytes after it, those nearest to the header are taken first. */
struct mio_store_piece {
	struct mio_store_piece *next;
	size_t bytes;
};

static size_t round_up(size_t bytes)
{
	return (bytes + ALIGN - 1) & ~(ALIGN - 1);
}

static struct mio_store_piece *make_piece(size_t bytes)
{
	struct mio_store_piece *piece = mio_memory_take(bytes);

	if (piece)
		piece->bytes = bytes;
	return piece;
}

/* Takes a piece for this memory alone. It goes after the first piece, so that the rest of the first one can still be used. */
static void *take_large(struct mio_store *store, size_t bytes)
{
	struct mio_store_piece *piece = make_piece(round_up(sizeof(*piece)) + bytes);

	if (!piece)
		return NULL;
	if (store->pieces) {
		piece->next = store->pieces->next;
		store->pieces->next = piece;
	} else {
		store->pieces = piece;
		store->left = 0;
	}
	return (char *)piece + round_up(sizeof(*piece));
}

static void *take(struct mio_store *store, size_t bytes)
{
	struct mio_store_piece *piece;

	if (bytes > PIECE_BYTES / 4)
		return take_large(store, bytes);
	if (store->left < bytes) {
		piece = make_piece(PIECE_BYTES);
		if (!piece)
			return NULL;
		piece->next = store->pieces;
		store->pieces = piece;
		store->left = PIECE_BYTES - round_up(sizeof(*piece));
	}
	store->left -= bytes;
	return (char *)store->pieces + store->pieces->bytes - store->left - bytes;
}

void *mio_store_take(struct mio_store *store, size_t bytes)
{
	void *memory = store->failed || bytes > SIZE_MAX / 2 ? NULL : take(store, round_up(bytes));

	if (!memory)
		store->failed = 1;
	return memory;
}

const char *mio_store_string(struct mio_store *store, const char *bytes, size_t count)
{
	char *copy = mio_store_take(store, count + 1);

	if (copy && count)
		memcpy(copy, bytes, count);
	return copy;
}

void mio_store_clear(struct mio_store *store)
{
	struct mio_store_piece *piece = store->pieces;

	while (piece) {
		struct mio_store_piece *next = piece->next;

		mio_memory_give(piece, piece->bytes);
		piece = next;
	}
	memset(store, 0, sizeof(*store));
}
