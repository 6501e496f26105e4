#ifndef MIO_PF_PLAN_SORT_H
#define MIO_PF_PLAN_SORT_H

#include <stddef.h>

/* Returns 1 if `one` comes before `other`. */
typedef int mio_pf_plan_before(const void *one, const void *other);

/* Sorts `count` items of `bytes` bytes each. A heap sort, because no order of the items, which may come from a hostile file, makes it slow. */
void mio_pf_plan_sort(void *all, size_t count, size_t bytes, mio_pf_plan_before *is_before);

#endif
