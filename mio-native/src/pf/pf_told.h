#ifndef MIO_PF_TOLD_H
#define MIO_PF_TOLD_H

#include <stdatomic.h>
#include <stdint.h>

#include "pf_file.h"

/*
 * Which failed page writes of a file an open was told of, whether the open has a cache or not. Those before it began count as told; each later one is told once
 * (design section 10). Twin of ErrorsTold. Any thread.
 */
struct mio_pf_told {
	_Atomic uint64_t count;		/* the errors of the file up to this number were told */
};

/* 1 if a page write failed that the open was not told of. */
static inline int mio_pf_told_is_due(const struct mio_pf_told *told, const struct mio_pf_file *file)
{
	return atomic_load_explicit(&told->count, memory_order_relaxed) !=
	       atomic_load_explicit(&file->errors, memory_order_acquire);
}

/* Returns the -errno of the last failed write, and counts all as told; 0 if there is nothing to tell. */
int mio_pf_told_tell(struct mio_pf_told *told, struct mio_pf_file *file);
/* A call of the open has failed by such an error, or the open begins: counts all as told. */
void mio_pf_told_all(struct mio_pf_told *told, const struct mio_pf_file *file);

#endif
