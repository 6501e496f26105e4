#ifndef MIO_TEST_PF_BELOW_H
#define MIO_TEST_PF_BELOW_H

/* A file of PAGES pages below the cache layer. */

#include "pf_fixture.h"

#define PAGE 4096
#define PAGES 64
#define OPTIONS "cache=64k/page=4k/private/pref=2"

static struct memory_file *below;
static uint64_t inode;

static inline void begin(void)
{
	below = memory_file_make(NULL, 'o', PAGES * PAGE);
	inode = new_inode();
}

static inline void end(void)
{
	memory_file_free(below);
}

#endif
