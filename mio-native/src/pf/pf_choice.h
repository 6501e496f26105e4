#ifndef MIO_PF_CHOICE_H
#define MIO_PF_CHOICE_H

/*
 * Whether an open under pf/auto gets pages: where its requests are small and near each other, one page request of the kernel
 * serves many of them. Pure: requests in, a choice out; twin of PageChoice, held together by twin/auto/choice.txt. Not thread-safe.
 *
 * Requests are looked at in groups. A group with enough small ones near earlier ones decides for pages; one with few small ones,
 * or the last group that is looked at, for the kernel. Either is for good.
 */

#include <stdint.h>

#include "../common/text.h"

enum mio_pf_choice_state {
	MIO_PF_CHOICE_LOOKING,
	MIO_PF_CHOICE_PAGES,
	MIO_PF_CHOICE_KERNEL
};

enum {
	MIO_PF_CHOICE_REQUESTS = 64,		/* of a group */
	MIO_PF_CHOICE_SMALL_BYTES = 4096,	/* a request is small up to this: 8 KB cost as much out of pages as without */
	/*
	 * Where the open may write as well: larger ones are pages of databases, which processes share by means that are not seen here. And
	 * where the file does not fit memory: larger ones are better read past the kernel's cache.
	 */
	MIO_PF_CHOICE_SMALLER_BYTES = 1024,
	MIO_PF_CHOICE_STEP_BYTES = 2048,	/* so far behind or before an earlier request is near it */
	MIO_PF_CHOICE_PLACES = 8,		/* earlier requests that are known */
	MIO_PF_CHOICE_LOOKS = 4,		/* groups */
	/* A request out of pages, with its part of what it takes to fill them, takes so many nanoseconds, and one more for each so many bytes. */
	MIO_PF_CHOICE_PAGES_NS = 70,
	MIO_PF_CHOICE_PAGES_BYTES = 32
};

struct mio_pf_choice {
	enum mio_pf_choice_state state;
	int requests, small, near;	/* of the group; near: and small */
	int looks;			/* groups that are over */
	int64_t largest;		/* of the small ones of all groups, bytes */
	int64_t small_bytes;
	int64_t call_ns;		/* with which pages would be no gain, or 0 */
	int64_t starts[MIO_PF_CHOICE_PLACES], ends[MIO_PF_CHOICE_PLACES];
	int places;			/* of them in use */
	int oldest;			/* the next to give way */
};

/* smaller: it may write, or the file does not fit memory. */
void mio_pf_choice_begin(struct mio_pf_choice *choice, int smaller);
/* A read: offset and length in bytes, not negative, their sum no overflow. The state after it. */
enum mio_pf_choice_state mio_pf_choice_seen(struct mio_pf_choice *choice, int64_t offset, int64_t length);
/* A write. Pages are not chosen by one: where it would, the next read is to. */
enum mio_pf_choice_state mio_pf_choice_wrote(struct mio_pf_choice *choice);

/* 1 if a read of that length is small unless the file does not fit memory: to be asked before it is told. */
int mio_pf_choice_asks(const struct mio_pf_choice *choice, int64_t length);
/* It does not fit: less is small from now on. */
void mio_pf_choice_smaller(struct mio_pf_choice *choice);

/* Of pages that are chosen: not if a call of the kernel takes less than they would. Nanoseconds; less than 0: it is not known. */
void mio_pf_choice_costs(struct mio_pf_choice *choice, int64_t call_ns);

/* Why it chose as it did, in words. */
void mio_pf_choice_reason(const struct mio_pf_choice *choice, struct mio_text *text);

/* 1 if so few page reads for so many reads of the program are worth having pages. */
int mio_pf_choice_is_worth(int64_t requests, int64_t page_reads);

#endif
