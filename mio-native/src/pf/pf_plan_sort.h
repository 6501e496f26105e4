#ifndef MIO_PF_PLAN_SORT_H
#define MIO_PF_PLAN_SORT_H

#include <stddef.h>

/* 1 if one comes before the other. */
typedef int mio_pf_plan_before(const void *one, const void *other);

/* Sorts so many items of so many bytes: by a heap, as no order of a hostile file makes it slow. */
void mio_pf_plan_sort(void *all, size_t count, size_t bytes, mio_pf_plan_before *is_before);

#endif
