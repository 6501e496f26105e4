#ifndef MIO_PF_DIRECT_CHOICE_H
#define MIO_PF_DIRECT_CHOICE_H

/*
 * Chooses whether an open under pf/auto reads past the kernel's page cache, into pages of its own: a file that is read at length in one direction and is far
 * larger than the memory that could keep it would only push everything else out. Pure: what dense streams read comes in; questions about the kernel's page
 * cache and a choice come out. Twin of DirectChoice; both are tested by twin/auto/direct.txt. Not thread-safe.
 *
 * Every STEP_BYTES the kernel is asked whether it has a few bytes of the file, farther ahead of the program than the kernel reads ahead. Direct I/O is chosen
 * once NEEDED answers in a row say that these are not there, if the file is far larger than memory (mio_pf_direct_is_beyond).
 *
 * A room of -1 is not known: then no pages are chosen, and none are given up.
 */

#include <stdint.h>

#include "../common/text.h"

enum mio_pf_direct_state {
	MIO_PF_DIRECT_LOOKING,
	MIO_PF_DIRECT_CHOSEN,
	MIO_PF_DIRECT_OVER		/* cannot be had, or is of no use: for good */
};

enum {
	MIO_PF_DIRECT_STEP_BYTES = 16 << 20,	/* read from one question to the next */
	MIO_PF_DIRECT_AHEAD_BYTES = 32 << 20,	/* distance of the bytes asked for from the program */
	MIO_PF_DIRECT_ASKED_BYTES = 64 << 10,	/* length of what is asked for */
	MIO_PF_DIRECT_NEEDED = 4,		/* answers in a row that decide */
	MIO_PF_DIRECT_SIZE_LEAST = 128 << 20,	/* smaller files never count as far larger than memory, bytes */
	MIO_PF_DIRECT_PAGE_BYTES = 1 << 20,
	MIO_PF_DIRECT_CACHE_LEAST = 16 << 20,
	MIO_PF_DIRECT_CACHE_MOST = 256 << 20,	/* of one open */
	MIO_PF_DIRECT_JUDGED_BYTES = 64 << 20,	/* page reads from one judgement of whether the pages serve to the next, bytes */
	MIO_PF_DIRECT_ROOM_LOOKS = 4,		/* such judgements from one look at the room to the next */
	MIO_PF_DIRECT_FILL_BYTES = 16 << 20	/* page reads from one look at the room to the next while the pages are filled for the first time, bytes */
};

struct mio_pf_direct_choice {
	enum mio_pf_direct_state state;
	int64_t run;		/* bytes read since the last question */
	int64_t asked;		/* offset of the last question */
	int cold;		/* answers in a row that the bytes are not there */
	int64_t size, room;	/* of the file and for it, at the answer that decided, bytes */
};

/*
 * A dense stream has moved by so many bytes (negative: backward) since it was looked at before, and reads next at offset `at`. Returns the offset of the
 * ASKED_BYTES to look for in the kernel's page cache, or -1 for none.
 */
int64_t mio_pf_direct_seen(struct mio_pf_direct_choice *choice, int64_t moved, int64_t at);
/*
 * Takes the answer to that question. there: 1 if the bytes are in the kernel's page cache, 0 if not, else not known. size: of the file; room: memory that
 * could keep it; both in bytes. Returns the state after it.
 */
enum mio_pf_direct_state mio_pf_direct_answer(struct mio_pf_direct_choice *choice, int64_t size, int64_t room, int there);

/* 1 if the next answer may decide: its room should be measured anew. */
int mio_pf_direct_may_decide(const struct mio_pf_direct_choice *choice);

/* 1 if a file of this size is far larger than the room for it: at least SIZE_LEAST and twice the room. Bytes. */
int mio_pf_direct_is_beyond(int64_t size, int64_t room);
/* Memory that an open may have for pages, where others of the process have `used` bytes of room already; 0: none. Bytes. */
int64_t mio_pf_direct_cache_bytes(int64_t room, int64_t used);
/* 1 if pages are worth having that read page_bytes to serve `bytes` read by the program. */
int mio_pf_direct_is_worth(int64_t bytes, int64_t page_bytes);

/*
 * 1 if an open may keep its pages: cache_bytes of memory, touched_bytes of which have been used so far (or more than all, if they were filled repeatedly).
 * room: memory that is left for files besides these pages.
 */
int mio_pf_direct_may_keep(int64_t room, int64_t cache_bytes, int64_t touched_bytes);
/* 1 if room could keep all of the file: it need not be read past the kernel's page cache any more. Bytes. */
int mio_pf_direct_fits(int64_t size, int64_t room);

/* Adds in words why direct I/O was chosen. */
void mio_pf_direct_reason(const struct mio_pf_direct_choice *choice, struct mio_text *text);

#endif
