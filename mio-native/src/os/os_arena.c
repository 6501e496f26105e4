/*
 * Free ranges are kept in a table ordered by address, in memory of its own, so that nothing is written into memory that was given
 * back. A take uses the first range that fits; neighbouring free ranges are joined. There are few ranges, as a take is a whole
 * cache.
 */
#include "os_arena.h"

#include <stdint.h>
#include <string.h>

#include "../common/lock.h"
#include "os_call.h"

#define PAGE_BYTES ((size_t)4096)
#define HUGE_BYTES ((size_t)2 << 20)

struct range {
	uintptr_t start;
	size_t bytes;
};

static struct mio_lock lock;
static struct range *ranges;
static size_t range_count;
static size_t range_room;

static void *map(size_t bytes)
{
	long memory = mio_os_call_map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mio_os_call_is_error(memory) ? NULL : (void *)memory;
}

/* Makes room in the table for one more range. 0 without memory. */
static int make_room(void)
{
	size_t bytes = range_room * sizeof(*ranges);
	struct range *larger;

	if (range_count < range_room)
		return 1;
	larger = map(bytes ? bytes * 2 : PAGE_BYTES);
	if (!larger)
		return 0;
	if (bytes) {
		memcpy(larger, ranges, bytes);
		mio_raw2(SYS_munmap, ranges, bytes);
	}
	ranges = larger;
	range_room = (bytes ? bytes * 2 : PAGE_BYTES) / sizeof(*ranges);
	return 1;
}

static void remove_range(size_t index)
{
	range_count--;
	memmove(&ranges[index], &ranges[index + 1], (range_count - index) * sizeof(*ranges));
}

static size_t align_of(size_t bytes)
{
	return bytes >= HUGE_BYTES ? HUGE_BYTES : PAGE_BYTES;
}

/* Adds a free range to the table; without memory for the table it stays unused. */
static void add_range(uintptr_t start, size_t bytes)
{
	size_t index = 0;

	while (index < range_count && ranges[index].start < start)
		index++;
	if (index > 0 && ranges[index - 1].start + ranges[index - 1].bytes == start) {
		ranges[--index].bytes += bytes;
	} else if (make_room()) {
		memmove(&ranges[index + 1], &ranges[index], (range_count - index) * sizeof(*ranges));
		ranges[index].start = start;
		ranges[index].bytes = bytes;
		range_count++;
	} else {
		return;
	}
	if (index + 1 < range_count && ranges[index].start + ranges[index].bytes == ranges[index + 1].start) {
		ranges[index].bytes += ranges[index + 1].bytes;
		remove_range(index + 1);
	}
}

static void *take_used(size_t bytes)
{
	size_t align = align_of(bytes);
	size_t i;

	for (i = 0; i < range_count; i++) {
		struct range found = ranges[i];
		uintptr_t start = (found.start + align - 1) & ~(uintptr_t)(align - 1);
		size_t skipped = start - found.start;

		if (found.bytes >= skipped && found.bytes - skipped >= bytes) {
			remove_range(i);
			if (skipped)
				add_range(found.start, skipped);
			if (found.bytes - skipped > bytes)
				add_range(start + bytes, found.bytes - skipped - bytes);
			return (void *)start;
		}
	}
	return NULL;
}

static void *take_new(size_t bytes)
{
	size_t align = align_of(bytes);
	size_t more = align - PAGE_BYTES;
	uintptr_t mapped;
	uintptr_t start;

	if (bytes > SIZE_MAX - more)
		return NULL;
	mapped = (uintptr_t)map(bytes + more);
	if (!mapped)
		return NULL;
	start = (mapped + align - 1) & ~(uintptr_t)(align - 1);
	if (start > mapped)
		mio_raw2(SYS_munmap, mapped, start - mapped);
	if (mapped + more > start)
		mio_raw2(SYS_munmap, start + bytes, mapped + more - start);
	/* Otherwise a forked child would get copies, and bytes on their way from a device could go to the wrong one. */
	mio_raw3(SYS_madvise, start, bytes, MADV_DONTFORK);
	if (bytes >= HUGE_BYTES)
		mio_raw3(SYS_madvise, start, bytes, MADV_HUGEPAGE);
	return (void *)start;
}

void *mio_os_arena_take(size_t bytes)
{
	void *memory;

	if (bytes == 0 || bytes > SIZE_MAX - PAGE_BYTES)
		return NULL;
	bytes = (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	mio_lock_acquire(&lock);
	memory = take_used(bytes);
	mio_lock_release(&lock);
	if (!memory)
		memory = take_new(bytes);
	return memory;
}

void mio_os_arena_give(void *memory, size_t bytes)
{
	if (!memory || bytes == 0)
		return;
	bytes = (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	if (mio_raw3(SYS_madvise, memory, bytes, MADV_DONTNEED) < 0)
		memset(memory, 0, bytes);	/* madvise refuses locked memory */
	mio_lock_acquire(&lock);
	add_range((uintptr_t)memory, bytes);
	mio_lock_release(&lock);
}

void mio_os_arena_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	ranges = NULL;
	range_count = 0;
	range_room = 0;
}
