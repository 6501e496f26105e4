#ifndef MIO_PF_TOLD_H
#define MIO_PF_TOLD_H

#include <stdatomic.h>
#include <stdint.h>

#include "pf_file.h"

/*
 * Which failed page writes of a file an open was told of, whether it has a cache or not: those before it began, and then each once (design
 * section 10). Twin of ErrorsTold. Any thread.
 */
struct mio_pf_told {
	_Atomic uint64_t count;		/* as the file counts them */
};

/* One failed that the open was not told of. */
static inline int mio_pf_told_is_due(const struct mio_pf_told *told, const struct mio_pf_file *file)
{
	return atomic_load_explicit(&told->count, memory_order_relaxed) !=
	       atomic_load_explicit(&file->errors, memory_order_acquire);
}

/* Tells it: 0 if there is nothing, or the -errno of the last one. */
int mio_pf_told_tell(struct mio_pf_told *told, struct mio_pf_file *file);
/* It was told of all there are, by a call that failed. */
void mio_pf_told_all(struct mio_pf_told *told, const struct mio_pf_file *file);

#endif
