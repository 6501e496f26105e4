#include "pf_told.h"

int mio_pf_told_tell(struct mio_pf_told *told, struct mio_pf_file *file)
{
	uint64_t errors = atomic_load_explicit(&file->errors, memory_order_acquire);
	uint64_t before = atomic_load_explicit(&told->count, memory_order_relaxed);

	/* If several threads ask at once, one of them is told. */
	while (before < errors)
		if (atomic_compare_exchange_weak(&told->count, &before, errors))
			return mio_pf_file_failure(file);
	return 0;
}

void mio_pf_told_all(struct mio_pf_told *told, const struct mio_pf_file *file)
{
	atomic_store(&told->count, atomic_load(&file->errors));
}
