#include "pf_plan_sort.h"

static void swap(char *one, char *other, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		char held = one[i];

		one[i] = other[i];
		other[i] = held;
	}
}

static void sift(char *items, size_t at, size_t count, size_t bytes, mio_pf_plan_before *is_before)
{
	while (2 * at + 1 < count) {
		size_t child = 2 * at + 1;

		if (child + 1 < count && is_before(items + child * bytes, items + (child + 1) * bytes))
			child++;
		if (!is_before(items + at * bytes, items + child * bytes))
			return;
		swap(items + at * bytes, items + child * bytes, bytes);
		at = child;
	}
}

void mio_pf_plan_sort(void *all, size_t count, size_t bytes, mio_pf_plan_before *is_before)
{
	char *items = all;
	size_t sorted = 1;

	/* Most items are in order already, if one thread read one file. */
	while (sorted < count && !is_before(items + sorted * bytes, items + (sorted - 1) * bytes))
		sorted++;
	if (sorted >= count)
		return;
	for (size_t i = count / 2; i-- > 0;)
		sift(items, i, count, bytes, is_before);
	for (size_t end = count - 1; end > 0; end--) {
		swap(items, items + end * bytes, bytes);
		sift(items, 0, end, bytes, is_before);
	}
}
