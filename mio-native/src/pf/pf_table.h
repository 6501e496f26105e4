#ifndef MIO_PF_TABLE_H
#define MIO_PF_TABLE_H

/* Finds the page of a file among the frames of a cache. Twin of PageTable. Under the lock of the cache. */

#include <stddef.h>
#include <stdint.h>

struct mio_pf_file;
struct mio_pf_page;

struct mio_pf_table {
	struct mio_pf_page **chains;
	size_t count;	/* a power of two */
};

/* Makes a table for so many frames. 0 or -ENOMEM. */
int mio_pf_table_begin(struct mio_pf_table *table, int64_t frames);
void mio_pf_table_end(struct mio_pf_table *table);
struct mio_pf_page *mio_pf_table_find(const struct mio_pf_table *table, const struct mio_pf_file *file, int64_t index);
void mio_pf_table_add(struct mio_pf_table *table, struct mio_pf_page *page);
void mio_pf_table_remove(struct mio_pf_table *table, struct mio_pf_page *gone);

/* A hash of a file's number and a page's index. */
static inline uint64_t mio_pf_mixed(uint64_t number, int64_t index)
{
	return ((uint64_t)index + number * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9) >> 33;
}

#endif
