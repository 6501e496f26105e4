#ifndef MIO_PF_AUTO_LAYER_H
#define MIO_PF_AUTO_LAYER_H

/*
 * The parts of pf/auto share struct mio_pf_auto. pf_auto.c takes the calls of the program. pf_auto_look.c finds out what to hint, pf_auto_ahead.c gives hints,
 * and pf_auto_there.c asks what the kernel's page cache has already. pf_auto_pages.c chooses pages, pf_auto_direct.c decides whether to read past the kernel's
 * page cache, pf_auto_agree.c whether pages may serve. pf_auto_below.c is the layer that pages read through.
 */

#include <stdatomic.h>

#include "pf_auto.h"
#include "pf_auto_log.h"
#include "pf_choice.h"
#include "pf_direct_choice.h"
#include "pf_growth.h"
#include "pf_hints.h"

struct mio_pf_auto {
	struct mio_layer layer;
	struct mio_layer below;		/* pages read through this one; its next is the next of layer */
	struct mio_pf_hints hints;
	atomic_flag busy;		/* set while a thread looks at a read; other threads then skip the look */
	int blind;			/* what the kernel's page cache has cannot be asked: cachestat fails, or does not show this file */
	int sees;			/* cachestat shows this file: something was there */
	int doubts;			/* something was not there, and sees is 0: the read that follows tells whether cachestat shows this file */
	int is_cold;			/* a request was not there, if cachestat shows this file: hints for blocks may begin then */
	int deaf;			/* the kernel refused a hint: no more are given */
	int fd, oflags;			/* of the open */
	uint64_t device;		/* of its file */
	struct mio_os_own *folios;	/* MIO's own opens for readahead in large folios, or NULL. Under busy, until the layer is closed */
	int forks;			/* number of forks before the process that opened folios */
	int64_t told_bytes, room_due;	/* bytes of hints backward and in steps; at how many of them to ask for the room next. Under busy */
	int asked_folios;		/* whether large folios can be had is known */
	struct mio_pf_auto_log log;

	struct mio_pf_choice choice;	/* under choosing, until it has chosen */
	int knows_fit;			/* whether the file fits memory has been asked. Under choosing */
	atomic_flag choosing;		/* set while a thread chooses, or judges the pages; other threads then skip that */
	_Atomic int chosen;		/* the choice of small pages is made: requests need no look for it */
	struct mio_pf_direct_choice direct;	/* under busy */
	int64_t room;			/* memory that could keep the file, bytes; -1: not asked yet, or not known. Under busy */
	int is_beyond;			/* the file is far larger than room: reads are looked at as long as it is open. Under busy */
	_Atomic int settled;		/* see mio_pf_auto_settled */
	_Atomic int wish;		/* enum mio_pf_auto_wish */
	_Atomic(struct mio_layer *) pages;	/* where requests go, or NULL */
	_Atomic(struct mio_layer *) made;	/* the pages that there are or were, for their reports, until the layer is released */
	_Atomic int calm;		/* no write of the file can be going on, as far as can be told */
	_Atomic int64_t stamp;		/* time of the last change of the file; all its pages were read after that */
	_Atomic int64_t troubled, calm_due;	/* while not calm: since when (0: not noted yet), and when to look next; mio_clock_ns */
	_Atomic int waited, turns;	/* while not calm: the program has read since its last write; how often it wrote after such a read */
	_Atomic uint64_t asked, agreed;		/* when small pages were last asked for something, and the file last looked at for them, ticks */
	int64_t past_bytes;		/* memory of pages that bypass the kernel's page cache; 0: they do not. Set before there are any */
	_Atomic int64_t due_bytes;	/* at so many page_reads those pages are looked at again */
	int64_t counted_bytes;	/* bytes that those pages read until page_reads was last cleared. Under choosing, as the next three */
	int64_t ahead_bytes;	/* bytes of them that were ahead of the program at the last judgement */
	int64_t touched_bytes;	/* bytes that they read until the last look: so much of their memory has been used, or all of it */
	int64_t looks;		/* looks since all their memory was used */
	struct mio_pf_growth growth;	/* of small pages, under the lock of their cache */
	/* Requests and page reads since the pages were last looked at; bytes where past_bytes is set. A guess where threads read at the same time. */
	_Atomic int64_t reads, page_reads;
};

/* 1 if all these bytes are in the kernel's page cache, 0 if not, as far as can be seen; -errno if that cannot be asked. Under busy. */
int mio_pf_auto_has(struct mio_pf_auto *automatic, int fd, int64_t offset, int64_t length);
/*
 * Asks whether a request is missing from the kernel's page cache: then hints for blocks may begin, now or after mio_pf_auto_prove. waits: as for
 * mio_pf_auto_look. Under busy.
 */
void mio_pf_auto_ask(struct mio_pf_auto *automatic, int64_t offset, int64_t length, int waits);
/* To be called after a read that returned so many bytes: they must be in the kernel's page cache now, else cachestat does not show this file. */
void mio_pf_auto_prove(struct mio_pf_auto *automatic, int64_t offset, int64_t bytes);
/* 1 if cachestat shows this file. If that is not known yet, reads the byte at offset to find out. Under busy. */
int mio_pf_auto_sees(struct mio_pf_auto *automatic, int fd, int64_t offset);
/*
 * Looks at a read of the program or of pages that is about to be made, and gives the kernel hints for what will come. waits: the calling thread waits for
 * the read, so it may also wait for one byte of it first. Returns 1 if mio_pf_auto_prove is to follow the read.
 */
int mio_pf_auto_look(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits);
/* Ends readahead in large folios for good. */
void mio_pf_auto_end_folios(struct mio_pf_auto *automatic);
/*
 * Gives the kernel the hint, and has long ranges read ahead in large folios where it keeps the file in these; the descriptors for that are opened with the
 * first long range. Under busy. 0 or -errno.
 */
int mio_pf_auto_read_ahead(struct mio_pf_auto *automatic, int fd, const struct mio_pf_hint *hint);
/*
 * For pages that bypass the kernel's page cache, under choosing. is_due: 1 if they have read enough to be looked at again. is_over: 1 if they are to be given
 * up; why gets the reason in words.
 */
int mio_pf_auto_past_is_due(const struct mio_pf_auto *automatic);
int mio_pf_auto_past_is_over(struct mio_pf_auto *automatic, struct mio_text *why);
/* 1 if nothing may be kept in the pages there are, so that each request goes past them. */
int mio_pf_auto_is_kept_from(const struct mio_pf_auto *automatic);
/* 1 if the file is far larger than the memory that could keep it, see mio_pf_direct_is_beyond. */
int mio_pf_auto_does_not_fit(const struct mio_pf_auto *automatic);
/* Judges whether the pages are still worth having, if enough requests and page reads were counted. */
void mio_pf_auto_look_at_pages(struct mio_pf_auto *automatic);
/* To be called before a request to pages: 0 if the request must go to the kernel. For small pages the file is not looked at each time. */
int mio_pf_auto_agree(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* Before and after the program changes the file: by pages, with the gate held alone, or without pages (NULL). */
void mio_pf_auto_writes(struct mio_pf_auto *automatic, struct mio_layer *pages);
void mio_pf_auto_wrote(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* 1 if the file is calm: pages can be taken, or those that there are can serve. If it is not calm for long, the file is left to the kernel for good. */
int mio_pf_auto_is_calm(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* Wishes that the pages be given up, unless that is wished already. why: in words. */
void mio_pf_auto_give_up(struct mio_pf_auto *automatic, const char *why);
/* 1 if it is wished that the pages be given up. */
int mio_pf_auto_gives(const struct mio_pf_auto *automatic);
/* A dense stream has moved: decides whether to read the file past the kernel's page cache. Under busy. */
void mio_pf_auto_look_past(struct mio_pf_auto *automatic);
/* No small pages are wanted: settles the open, unless the file is far larger than memory. Under busy. */
void mio_pf_auto_settle(struct mio_pf_auto *automatic);
/* Looks at a request, before it goes to the kernel, for the choice of small pages. waits: as for mio_pf_auto_look. */
void mio_pf_auto_choose(struct mio_pf_auto *automatic, int write, int64_t offset, int64_t length, int waits);

extern const struct mio_layer_ops mio_pf_auto_below_ops;

/* Why there are no pages, in words. */
#define MIO_PF_AUTO_CHANGES "the file keeps changing"

/* Requests beyond this offset, and requests longer than this, are not looked at, bytes. */
#define MIO_PF_AUTO_FARTHEST (INT64_MAX / 4)

/* Small pages are looked at after this many reads of the program. */
#define MIO_PF_AUTO_READS 4096

static inline struct mio_layer *mio_pf_auto_pages(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->pages, memory_order_acquire);
}

/* 1 if the layer has no pages and will get none. */
static inline int mio_pf_auto_is_settled(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->settled, memory_order_acquire);
}

/* 1 if requests need not be looked at for small pages. */
static inline int mio_pf_auto_has_chosen(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->chosen, memory_order_relaxed);
}

static inline int mio_pf_auto_is_past(const struct mio_pf_auto *automatic)
{
	return automatic->past_bytes > 0;
}

static inline int64_t mio_pf_auto_due_bytes(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->due_bytes, memory_order_relaxed);
}

/* The program's descriptor in this call, or else the one of the open. */
static inline int mio_pf_auto_fd(const struct mio_pf_auto *automatic)
{
	return mio_open_call.fd >= 0 ? mio_open_call.fd : automatic->fd;
}

static inline size_t mio_pf_auto_length(const struct iovec *vector, int count)
{
	size_t length = 0;

	for (int i = 0; i < count; i++)
		length += vector[i].iov_len;
	return length;
}

/* Adds to a counter and returns the sum. Not atomic as a whole: a count may get lost between threads, which does no harm. */
static inline int64_t mio_pf_auto_count(_Atomic int64_t *counter, int64_t more)
{
	int64_t count = atomic_load_explicit(counter, memory_order_relaxed) + more;

	atomic_store_explicit(counter, count, memory_order_relaxed);
	return count;
}

#endif
