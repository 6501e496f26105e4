/* One file in memory below the cache layer, and writes to it that bypass the layer. */
#ifndef PF_COHERENCE_H
#define PF_COHERENCE_H

#include "pf_fixture.h"

#define PAGE 4096
#define SIZE (40 * PAGE)
#define OPTIONS "cache=64k/page=4k/private/pref=2"

static struct memory_file *below;
static uint64_t inode;

static inline void begin(void)
{
	below = memory_file_make(NULL, 'o', SIZE);
	inode = new_inode();
	frames_taken = 0;
	frames_given = 0;
}

static inline void end(void)
{
	ASSERT_EQUAL(frames_taken, frames_given);
	memory_file_free(below);
}

/* Writes to the file as another process would. */
static inline void others_write(int with, int64_t offset, int64_t length)
{
	char *bytes = malloc((size_t)length);

	ASSERT(bytes);
	memset(bytes, with, (size_t)length);
	ASSERT_EQUAL(length, memory_file_do_write(below, bytes, length, offset));
	free(bytes);
}

#endif
