#include "pf_reserved.h"

#include <stddef.h>

#include "../common/memory.h"

/* Number of marks: 1 KB of memory at first, 512 KB at most, which is enough for 8 GB in sectors of 4 KB. */
#define COUNT_MIN 64
#define COUNT_MAX (1 << 15)

static struct mio_pf_reserved_mark *place(const struct mio_pf_reserved *reserved, int64_t number)
{
	return &reserved->marks[number & (reserved->count - 1)];
}

/* The bits of the mark's sectors from first on, before end; there must be some. */
static uint64_t sectors(int64_t number, int64_t first, int64_t end)
{
	int64_t from = first - number * 64;
	int64_t behind = number * 64 + 64 - end;

	return (from > 0 ? UINT64_MAX << from : UINT64_MAX) & (behind > 0 ? UINT64_MAX >> behind : UINT64_MAX);
}

static size_t bytes(int64_t count)
{
	return (size_t)count * sizeof(struct mio_pf_reserved_mark);
}

/* Grows the table to so many marks. 1, or 0 if there is no memory for it. */
static int grow(struct mio_pf_reserved *reserved, int64_t count)
{
	struct mio_pf_reserved larger = {.marks = mio_memory_take(bytes(count)), .count = count};

	if (!larger.marks)
		return 0;
	for (int64_t i = 0; i < reserved->count; i++) {
		if (reserved->marks[i].sectors)
			*place(&larger, reserved->marks[i].number) = reserved->marks[i];
	}
	mio_memory_give(reserved->marks, bytes(reserved->count));
	*reserved = larger;
	return 1;
}

static int is_others(const struct mio_pf_reserved_mark *mark, int64_t number)
{
	return mark->sectors && mark->number != number;
}

int mio_pf_reserved_has(const struct mio_pf_reserved *reserved, int64_t first, int64_t end)
{
	if (!reserved->marks)
		return 0;
	for (int64_t number = first / 64; number * 64 < end; number++) {
		const struct mio_pf_reserved_mark *mark = place(reserved, number);
		uint64_t wanted = sectors(number, first, end);

		if (mark->number != number || (mark->sectors & wanted) != wanted)
			return 0;
	}
	return 1;
}

void mio_pf_reserved_add(struct mio_pf_reserved *reserved, int64_t first, int64_t end)
{
	/* If there cannot be marks for all of them, only the last sectors are added. */
	if (end - first > COUNT_MAX * 64LL)
		first = end - COUNT_MAX * 64LL;
	if (first >= end || (!reserved->marks && !grow(reserved, COUNT_MIN)))
		return;
	for (int64_t number = first / 64; number * 64 < end; number++) {
		struct mio_pf_reserved_mark *mark = place(reserved, number);

		while (is_others(mark, number) && reserved->count < COUNT_MAX && grow(reserved, reserved->count * 2))
			mark = place(reserved, number);
		if (is_others(mark, number))
			mark->sectors = 0;
		mark->number = number;
		mark->sectors |= sectors(number, first, end);
	}
}

void mio_pf_reserved_cut(struct mio_pf_reserved *reserved, int64_t end)
{
	for (int64_t i = 0; i < reserved->count; i++) {
		struct mio_pf_reserved_mark *mark = &reserved->marks[i];

		if (mark->number * 64 >= end)
			mark->sectors = 0;
		else if (mark->number == end / 64)
			mark->sectors &= sectors(mark->number, 0, end);
	}
}

void mio_pf_reserved_clear(struct mio_pf_reserved *reserved)
{
	mio_memory_give(reserved->marks, bytes(reserved->count));
	*reserved = (struct mio_pf_reserved){0};
}
