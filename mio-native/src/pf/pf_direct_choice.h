#ifndef MIO_PF_DIRECT_CHOICE_H
#define MIO_PF_DIRECT_CHOICE_H

/*
 * Whether an open under pf/auto reads past the kernel's cache, into pages of its own: a file that is read at length in one direction and is far
 * larger than the memory that could keep it would only push everything else out. Pure: what dense streams read in, questions to the kernel's
 * cache and a choice out; twin of DirectChoice, held together by twin/auto/direct.txt. Not thread-safe.
 *
 * Every STEP bytes the kernel is asked for a little of the file, farther in front of the program than it reads ahead. Where NEEDED such answers in
 * a row say that nothing is there, and the file does not fit, it is chosen.
 */

#include <stdint.h>

#include "../common/text.h"

enum mio_pf_direct_state {
	MIO_PF_DIRECT_LOOKING,
	MIO_PF_DIRECT_CHOSEN,
	MIO_PF_DIRECT_OVER		/* not to be had, or of no use: for good */
};

enum {
	MIO_PF_DIRECT_STEP_BYTES = 16 << 20,
	MIO_PF_DIRECT_AHEAD_BYTES = 32 << 20,
	MIO_PF_DIRECT_ASKED_BYTES = 64 << 10,
	MIO_PF_DIRECT_NEEDED = 4,
	MIO_PF_DIRECT_SIZE_LEAST = 128 << 20,	/* of a file that does not fit */
	MIO_PF_DIRECT_PAGE_BYTES = 1 << 20,
	MIO_PF_DIRECT_CACHE_LEAST = 16 << 20,
	MIO_PF_DIRECT_CACHE_MOST = 256 << 20,	/* of one open */
	MIO_PF_DIRECT_JUDGED_BYTES = 64 << 20,	/* of page reads, from one look at whether pages serve to the next */
	MIO_PF_DIRECT_ROOM_LOOKS = 4,		/* of them, from one look at whether there is room to the next */
	MIO_PF_DIRECT_FILL_BYTES = 16 << 20	/* the same in page reads, while memory is touched for the first time */
};

struct mio_pf_direct_choice {
	enum mio_pf_direct_state state;
	int64_t run;		/* read since the last question, bytes */
	int64_t asked;		/* offset of the last question */
	int cold;		/* answers in a row */
	int64_t size, room;	/* of the answer that decided, bytes */
};

/*
 * A dense stream has come so many bytes further (negative: backward) since it was looked at last, and reads next at this offset. The offset
 * of the ASKED_BYTES to look for in the kernel's cache, or -1.
 */
int64_t mio_pf_direct_seen(struct mio_pf_direct_choice *choice, int64_t moved, int64_t at);
/* there: 1: they are; 0: not; else not known. size of the file and room for it in memory, bytes. The state after it. */
enum mio_pf_direct_state mio_pf_direct_answer(struct mio_pf_direct_choice *choice, int64_t size, int64_t room, int there);

/* 1 if the next answer may decide: room should be what it is now. */
int mio_pf_direct_may_decide(const struct mio_pf_direct_choice *choice);

/* 1 if a file of this size is far larger than memory, both in bytes. */
int mio_pf_direct_is_beyond(int64_t size, int64_t room);
/* What an open may have of room, where others have used so much already; 0: nothing. Bytes. */
int64_t mio_pf_direct_cache_bytes(int64_t room, int64_t used);
/* 1 if so many bytes read by the program are worth so many that pages read. */
int mio_pf_direct_is_worth(int64_t bytes, int64_t page_bytes);

/* 1 if an open may keep pages of so many bytes, of which so many have been touched, where so much memory is left for files beside these. */
int mio_pf_direct_may_keep(int64_t room, int64_t cache_bytes, int64_t touched_bytes);
/* 1 if so much memory could keep all of the file: it need not go past the kernel's cache any more. */
int mio_pf_direct_fits(int64_t size, int64_t room);

/* Why it chose as it did, in words. */
void mio_pf_direct_reason(const struct mio_pf_direct_choice *choice, struct mio_text *text);

#endif
