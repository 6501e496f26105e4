#ifndef MIO_PF_AUTO_LAYER_H
#define MIO_PF_AUTO_LAYER_H

/*
 * The inside of pf/auto: pf_auto.c takes the program's calls, pf_auto_look.c finds out what the kernel is told of, pf_auto_ahead.c tells it, pf_auto_there.c
 * what it has already, pf_auto_direct.c looks whether the file goes past its cache, pf_auto_agree.c whether pages may serve, pf_auto_pages.c chooses,
 * pf_auto_below.c is what pages read by.
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
	struct mio_layer below;		/* what pages read by; next: that of the layer */
	struct mio_pf_hints hints;
	atomic_flag busy;		/* a thread looks; others need not */
	int blind;			/* the kernel's cache cannot be looked into */
	int sees;			/* it can: something was there */
	int doubts;			/* something was not, which may be as good as blind: the read that follows tells */
	int is_cold;			/* what blocks are told for was not, if it sees */
	int deaf;			/* nor told */
	int fd, oflags;			/* of the open */
	uint64_t device;		/* of its file */
	struct mio_os_own *folios;	/* what large folios are read ahead by, or NULL. Under busy, until the layer is closed */
	int forks;			/* that had led to the process which opened these */
	int64_t told_bytes, room_due;	/* of streams that are not measured, and with how many of them room is asked for. Under busy */
	int asked_folios;		/* whether there is one is known */
	struct mio_pf_auto_log log;

	struct mio_pf_choice choice;	/* under choosing, until it has chosen */
	int knows_fit;			/* the same: whether the file fits memory is asked once */
	atomic_flag choosing;		/* a thread chooses, or judges the pages; others need not */
	_Atomic int chosen;		/* no small pages: the requests are not for them */
	struct mio_pf_direct_choice direct;	/* under busy */
	int64_t room;			/* memory that could keep the file, bytes; -1: not asked yet. Under busy */
	int is_beyond;			/* the file does not fit there: it is looked at for good. Under busy */
	_Atomic int settled;		/* see mio_pf_auto_is_settled */
	_Atomic int wish;
	_Atomic(struct mio_layer *) pages;	/* where requests go, or NULL */
	_Atomic(struct mio_layer *) made;	/* the same, for its reports, until the layer is released */
	_Atomic int calm;		/* no write of the file can be going on, as far as can be told */
	_Atomic int64_t stamp;		/* of the last change of the file, which all its pages were read after */
	_Atomic int64_t troubled, calm_due;	/* not calm: since when, and when it is looked next; mio_clock_ns */
	_Atomic int waited, turns;	/* the program has read meanwhile; and has written then, so often */
	_Atomic uint64_t asked, agreed;		/* when small pages were last asked for something, and looked at for that, ticks */
	int64_t past_bytes;		/* memory of pages that go past the kernel's cache; 0: they do not. Set before there are any */
	_Atomic int64_t due_bytes;	/* page reads with which these are looked at */
	int64_t counted_bytes;	/* page reads of theirs up to the last look at what they serve. Under choosing, as the next two */
	int64_t touched_bytes;	/* the same up to the last look: so much of their memory has been used, or all */
	int64_t looks;
	struct mio_pf_growth growth;	/* of small ones, under the lock of their cache */
	/* Since the pages were looked at last, bytes if past; a guess where threads read side by side. */
	_Atomic int64_t reads, page_reads;
};

/* 1 if all these bytes are in the kernel's cache, 0 if not, as far as can be seen; or -errno: it cannot. Under busy. */
int mio_pf_auto_has(struct mio_pf_auto *automatic, int fd, int64_t offset, int64_t length);
/* Whether a request is not there, so that the file may be one for blocks: known now, or after the read. waits: as below. Under busy. */
void mio_pf_auto_ask(struct mio_pf_auto *automatic, int64_t offset, int64_t length, int waits);
/* After a read: so many bytes that were just read have to be there. */
void mio_pf_auto_prove(struct mio_pf_auto *automatic, int64_t offset, int64_t bytes);
/* 1 if the kernel's cache can be looked into; else a byte there is read to find out, if it is not known. Under busy. */
int mio_pf_auto_sees(struct mio_pf_auto *automatic, int fd, int64_t offset);
/*
 * Looks at a read about to be made, of the program or of pages, and tells the kernel what will come. waits: the thread that makes it waits for it, so
 * that it may wait for a byte of it first. 1 if the read is to be followed by mio_pf_auto_prove.
 */
int mio_pf_auto_look(struct mio_pf_auto *automatic, int64_t offset, size_t length, int waits);
/* Long ranges are read ahead in large folios no more. */
void mio_pf_auto_end_folios(struct mio_pf_auto *automatic);
/* Tells the kernel, in large folios where it keeps the file in such: what they are read by is opened with the first long range. Under busy. 0 or -errno. */
int mio_pf_auto_read_ahead(struct mio_pf_auto *automatic, int fd, const struct mio_pf_hint *hint);
/* Of pages that go past the kernel's cache, under choosing: 1 if enough was read to look at them, and if they are of no use any more, in words. */
int mio_pf_auto_past_is_due(const struct mio_pf_auto *automatic);
int mio_pf_auto_past_is_over(struct mio_pf_auto *automatic, struct mio_text *why);
/* 1 if the file is larger than the memory that could keep it. */
int mio_pf_auto_does_not_fit(const struct mio_pf_auto *automatic);
/* After a read that came out of pages: whether they are still worth it. */
void mio_pf_auto_look_at_pages(struct mio_pf_auto *automatic);
/* A request is about to be made of pages: 0 if it is to go to the kernel. Small ones are not looked at each time. */
int mio_pf_auto_agree(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* The program is about to change the file, by pages, with the gate held alone, or past them, where there are none (NULL); it has. */
void mio_pf_auto_writes(struct mio_pf_auto *automatic, struct mio_layer *pages);
void mio_pf_auto_wrote(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* 1 if there can be pages, or those that there are can serve. Where it never is the kernel has the file for good. */
int mio_pf_auto_is_calm(struct mio_pf_auto *automatic, struct mio_layer *pages);
/* The pages are to go, unless that was said already. why: in words. */
void mio_pf_auto_give_up(struct mio_pf_auto *automatic, const char *why);
/* 1 if it was. */
int mio_pf_auto_gives(const struct mio_pf_auto *automatic);
/* A dense stream has moved: whether the file goes past the kernel's cache. Under busy. */
void mio_pf_auto_look_past(struct mio_pf_auto *automatic);
/* No small pages are wanted: nothing is left to be chosen unless the file is larger than memory. Under busy. */
void mio_pf_auto_settle(struct mio_pf_auto *automatic);
/* Looks at a request, before it goes to the kernel. waits: as above. */
void mio_pf_auto_choose(struct mio_pf_auto *automatic, int write, int64_t offset, int64_t length, int waits);

extern const struct mio_layer_ops mio_pf_auto_below_ops;

/* Why there are none, in words. */
#define MIO_PF_AUTO_CHANGES "the file keeps changing"

/* Behind this offset, and for longer requests, nothing is told, bytes. */
#define MIO_PF_AUTO_FARTHEST (INT64_MAX / 4)

/* So many reads of the program until they are looked at. */
#define MIO_PF_AUTO_READS 4096

static inline struct mio_layer *mio_pf_auto_pages(const struct mio_pf_auto *automatic)
{
	return atomic_load_explicit(&automatic->pages, memory_order_acquire);
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

/* The program's descriptor for this call. */
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

/* Not exact where threads meet, which does no harm. */
static inline int64_t mio_pf_auto_count(_Atomic int64_t *counter, int64_t more)
{
	int64_t count = atomic_load_explicit(counter, memory_order_relaxed) + more;

	atomic_store_explicit(counter, count, memory_order_relaxed);
	return count;
}

#endif
