/*
 * Small pieces have powers of two as sizes and are cut from chunks; freed ones form a list per size. Large pieces are mappings
 * of their own and go back to the kernel. A chunk is never given back: the library's small objects are few.
 */
#include "memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "lock.h"
#include "raw.h"

#define SMALLEST_SHIFT 4
#define LARGEST_SHIFT 15	/* 32 KB; larger pieces are mappings of their own */
#define CHUNK_BYTES ((size_t)256 << 10)
#define PAGE_BYTES ((size_t)4096)

struct piece {
	struct piece *next;
};

static struct mio_lock lock;
static struct piece *freed[LARGEST_SHIFT + 1];
static char *chunk;
static size_t chunk_left;

static void *map(size_t bytes)
{
	long memory = mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory < 0 && memory > -4096 ? NULL : (void *)memory;
}

static unsigned int shift_of(size_t bytes)
{
	unsigned int shift = SMALLEST_SHIFT;

	while (((size_t)1 << shift) < bytes)
		shift++;
	return shift;
}

/*
 * The caller holds the lock. Chunks begin on page boundaries and pieces are powers of two, so each piece is cut at its own
 * alignment, up to 64.
 */
static void *cut(size_t bytes)
{
	size_t align = bytes < 64 ? bytes : 64;
	size_t skip = (size_t)(-(uintptr_t)chunk) & (align - 1);
	char *piece;

	if (chunk_left < bytes + skip) {
		chunk = map(CHUNK_BYTES);
		chunk_left = chunk ? CHUNK_BYTES : 0;
		skip = 0;
		if (!chunk)
			return NULL;
	}
	piece = chunk + skip;
	chunk = piece + bytes;
	chunk_left -= bytes + skip;
	return piece;
}

void *mio_memory_take(size_t bytes)
{
	unsigned int shift;
	struct piece *piece;

	if (bytes > (size_t)1 << LARGEST_SHIFT)
		return bytes > SIZE_MAX - PAGE_BYTES ? NULL : map((bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1));
	shift = shift_of(bytes);
	mio_lock_acquire(&lock);
	piece = freed[shift];
	if (piece)
		freed[shift] = piece->next;
	else
		piece = cut((size_t)1 << shift);
	mio_lock_release(&lock);
	if (piece)
		memset(piece, 0, (size_t)1 << shift);
	return piece;
}

void mio_memory_give(void *memory, size_t bytes)
{
	struct piece *piece = memory;
	unsigned int shift;

	if (!memory)
		return;
	if (bytes > (size_t)1 << LARGEST_SHIFT) {
		mio_raw2(SYS_munmap, memory, (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1));
		return;
	}
	shift = shift_of(bytes);
	mio_lock_acquire(&lock);
	piece->next = freed[shift];
	freed[shift] = piece;
	mio_lock_release(&lock);
}

void mio_memory_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	memset(freed, 0, sizeof(freed));
	chunk = NULL;
	chunk_left = 0;
}
