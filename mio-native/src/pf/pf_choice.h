#ifndef MIO_PF_CHOICE_H
#define MIO_PF_CHOICE_H

/*
 * Chooses whether an open under pf/auto gets small pages: where its requests are small and near each other, one page request serves many of them. Pure:
 * requests in, a choice out. Twin of PageChoice; both are tested by twin/auto/choice.txt. Not thread-safe.
 *
 * Requests are looked at in groups. A group with enough small requests near earlier ones chooses pages. A group with few small requests, or the last group
 * that is looked at, chooses the kernel. Either choice is for good.
 */

#include <stdint.h>

#include "../common/text.h"

enum mio_pf_choice_state {
	MIO_PF_CHOICE_LOOKING,
	MIO_PF_CHOICE_PAGES,
	MIO_PF_CHOICE_KERNEL
};

enum {
	MIO_PF_CHOICE_REQUESTS = 64,		/* requests of a group */
	MIO_PF_CHOICE_SMALL_BYTES = 4096,	/* a request is small up to this length: 8 KB cost as much out of pages as without */
	/*
	 * The same for an open that may write as well: larger requests may be pages of a database, which processes share by means that MIO does not see.
	 * And for a file that does not fit memory: larger requests are better read past the kernel's page cache.
	 */
	MIO_PF_CHOICE_SMALLER_BYTES = 1024,
	MIO_PF_CHOICE_STEP_BYTES = 2048,	/* a request is near an earlier one up to this distance behind or before it, bytes */
	MIO_PF_CHOICE_PLACES = 8,		/* earlier requests that are remembered */
	MIO_PF_CHOICE_LOOKS = 4,		/* groups that are looked at, at most */
	/* A request served from pages, with its part of the cost to fill them, takes PAGES_NS nanoseconds, and one more for each PAGES_BYTES bytes. */
	MIO_PF_CHOICE_PAGES_NS = 70,
	MIO_PF_CHOICE_PAGES_BYTES = 32
};

struct mio_pf_choice {
	enum mio_pf_choice_state state;
	int requests, small, near;	/* requests of the current group; the small ones; those both small and near an earlier one */
	int looks;			/* complete groups */
	int64_t largest;		/* longest small request of all groups, bytes */
	int64_t small_bytes;		/* a request is small up to this length, bytes */
	int64_t call_ns;		/* duration of a call of the kernel, if it is why pages would gain nothing; else 0 */
	int64_t starts[MIO_PF_CHOICE_PLACES], ends[MIO_PF_CHOICE_PLACES];	/* of the requests that are remembered, bytes */
	int places;			/* entries of these in use */
	int oldest;			/* the entry to be replaced next */
};

/* smaller: the open may write, or the file does not fit memory. */
void mio_pf_choice_begin(struct mio_pf_choice *choice, int smaller);
/* Looks at a read. offset, length: bytes, not negative; their sum must not overflow. Returns the state after it. */
enum mio_pf_choice_state mio_pf_choice_seen(struct mio_pf_choice *choice, int64_t offset, int64_t length);
/* Looks at a write. A write never chooses pages: where it would complete the group that does so, it is not counted, and the next read chooses. */
enum mio_pf_choice_state mio_pf_choice_wrote(struct mio_pf_choice *choice);

/* 1 if a read of that length is small only if the file fits memory. The caller then finds that out, before mio_pf_choice_seen. */
int mio_pf_choice_asks(const struct mio_pf_choice *choice, int64_t length);
/* The file does not fit memory: only shorter requests are small from now on. */
void mio_pf_choice_smaller(struct mio_pf_choice *choice);

/* After pages were chosen: chooses the kernel instead if a call of it takes less time than a request to pages. call_ns: nanoseconds, below 0: not known. */
void mio_pf_choice_costs(struct mio_pf_choice *choice, int64_t call_ns);

/* Adds in words why it chose as it did. */
void mio_pf_choice_reason(const struct mio_pf_choice *choice, struct mio_text *text);

/* 1 if pages are worth having that took so many page reads to serve so many requests of the program. */
int mio_pf_choice_is_worth(int64_t requests, int64_t page_reads);

#endif
