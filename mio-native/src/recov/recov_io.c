/*
 * Asynchronous requests. They complete as if there had been one attempt: recov hands down a request of its own, and the
 * request from above completes after the last attempt. Further attempts are made in a thread that may block, one after the other
 * for each open file, because the threads that complete requests must not wait. Twin of RecovWorker, too.
 *
 * While its completion runs, and for a moment after, the thread that completes a request of recov's own still uses it. So such
 * a request is used again, or freed, only when it says that it is done.
 */
#include <errno.h>
#include <string.h>

#include "../common/memory.h"
#include "../os/os_thread.h"
#include "recov_open.h"

struct mio_recov_io {
	struct mio_io io;
	struct mio_io *outer;
	struct mio_recov_open *open;
	struct mio_recov_io *next;
};

/* Open files that wait for a thread. */
static struct mio_lock unserved_lock;
static struct mio_recov_open *unserved;

void mio_recov_forked(void)
{
	memset(&unserved_lock, 0, sizeof(unserved_lock));
	unserved = NULL;
}

void mio_recov_open_let_go(struct mio_recov_open *open)
{
	if (atomic_fetch_sub_explicit(&open->holders, 1, memory_order_acq_rel) != 1)
		return;
	while (open->idle) {
		struct mio_recov_io *one = open->idle;

		open->idle = one->next;
		mio_io_wait(&one->io);
		mio_memory_give(one, sizeof(*one));
	}
	mio_memory_give(open, sizeof(*open));
}

static void put_back(struct mio_recov_io *one)
{
	struct mio_recov_open *open = one->open;

	mio_lock_acquire(&open->lock);
	one->next = open->idle;
	open->idle = one;
	mio_lock_release(&open->lock);
}

/* Completes the request from above. Once it has completed, the file may be closed and gone. */
static void end(struct mio_recov_io *one, int64_t result)
{
	struct mio_io *outer = one->outer;

	put_back(one);
	mio_io_complete(outer, result);
}

static void go_on(struct mio_recov_io *one)
{
	struct mio_io *io = &one->io;
	int64_t failure = io->result < 0 ? io->result : 0;
	int64_t result;

	if (io->write)
		result = mio_recov_write_again(one->open, io->memory, io->requested, io->offset,
					       failure ? 0 : io->result, failure);
	else
		result = mio_recov_read_again(one->open, io->memory, io->requested, io->offset, failure);
	end(one, result);
}

static struct mio_recov_io *next_of(struct mio_recov_open *open)
{
	struct mio_recov_io *one;

	mio_lock_acquire(&open->lock);
	one = open->first;
	if (one)
		open->first = one->next;
	else
		open->served = 0;
	mio_lock_release(&open->lock);
	return one;
}

static void serve_all(void)
{
	for (;;) {
		struct mio_recov_open *open;
		struct mio_recov_io *one;

		mio_lock_acquire(&unserved_lock);
		open = unserved;
		if (open)
			unserved = open->next_unserved;
		mio_lock_release(&unserved_lock);
		if (!open)
			return;
		while ((one = next_of(open)) != NULL)
			go_on(one);
		mio_recov_open_let_go(open);
	}
}

/* Removes open from the list of those that wait for a thread; 0 if it is no longer there. */
static int withdraw(struct mio_recov_open *open)
{
	struct mio_recov_open **at = &unserved;
	int found;

	mio_lock_acquire(&unserved_lock);
	while (*at && *at != open)
		at = &(*at)->next_unserved;
	found = *at != NULL;
	if (found)
		*at = open->next_unserved;
	mio_lock_release(&unserved_lock);
	return found;
}

/* No thread can be started: the requests that wait complete with the result they have. */
static void give_up(struct mio_recov_open *open)
{
	struct mio_recov_io *one;

	while ((one = next_of(open)) != NULL)
		end(one, one->io.result);
	mio_recov_open_let_go(open);
}

/* Puts the request in the queue of those to be tried again, and starts a thread if needed. */
static void add(struct mio_recov_io *one)
{
	struct mio_recov_open *open = one->open;
	int served;

	mio_lock_acquire(&open->lock);
	one->next = NULL;
	if (open->first)
		open->last->next = one;
	else
		open->first = one;
	open->last = one;
	served = open->served;
	open->served = 1;
	mio_lock_release(&open->lock);
	if (served)
		return;
	atomic_fetch_add_explicit(&open->holders, 1, memory_order_relaxed);
	mio_lock_acquire(&unserved_lock);
	open->next_unserved = unserved;
	unserved = open;
	mio_lock_release(&unserved_lock);
	if (mio_os_thread_start_brief(serve_all) < 0 && withdraw(open))
		give_up(open);
}

/* Completion of the first attempt. It may run on a thread that must not wait. */
static void ended(struct mio_io *io, void *context)
{
	struct mio_recov_io *one = context;
	int again;

	if (io->result < 0)
		again = mio_recov_may_help(&one->open->file, io->write ? MIO_RECOV_WRITE : MIO_RECOV_READ, io->result);
	else
		again = io->write && !mio_recov_is_over(one->open, io->result, (int64_t)io->requested - io->result,
						       io->offset + io->result);
	if (again)
		add(one);
	else
		end(one, io->result);
}

/* A request of recov's own to hand down in place of outer; NULL without memory. */
static struct mio_recov_io *make(struct mio_recov_open *open, struct mio_io *outer)
{
	struct mio_recov_io **at = &open->idle;
	struct mio_recov_io *one;

	mio_lock_acquire(&open->lock);
	while (*at && !mio_io_is_done(&(*at)->io))
		at = &(*at)->next;
	one = *at;
	if (one)
		*at = one->next;
	mio_lock_release(&open->lock);
	if (!one)
		one = mio_memory_take(sizeof(*one));
	if (!one)
		return NULL;
	mio_io_init(&one->io, outer->write, outer->memory, outer->requested, outer->offset, ended, one);
	one->io.number = outer->number;
	one->open = open;
	one->outer = outer;
	return one;
}

int mio_recov_submit(struct mio_layer *layer, struct mio_io *io)
{
	struct mio_recov_io *one = make(mio_recov_open_of(layer), io);
	int rc;

	if (!one)
		return mio_forward_submit(layer, io);
	rc = layer->next->ops->submit(layer->next, &one->io);
	if (rc < 0) {
		/* The request was not started, so nothing completes it: mark it as done. */
		atomic_store_explicit(&one->io.done, 1, memory_order_release);
		put_back(one);
	}
	return rc;
}

void mio_recov_submit_all(struct mio_layer *layer, struct mio_io **list, int count)
{
	size_t bytes = (size_t)(count > 0 ? count : 0) * sizeof(*list);
	struct mio_io **below = bytes ? mio_memory_take(bytes) : NULL;

	for (int i = 0; i < count; i++) {
		struct mio_recov_io *one = below ? make(mio_recov_open_of(layer), list[i]) : NULL;

		if (below)
			below[i] = one ? &one->io : list[i];
	}
	layer->next->ops->submit_all(layer->next, below ? below : list, count);
	mio_memory_give(below, bytes);
}
