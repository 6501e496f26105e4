#include "pf_bypass.h"

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_invalidate.h"
#include "pf_open.h"
#include "pf_writeout.h"

#include "../stats/stats_text.h"

/* The size is asked for at most so many times in a row, where others change it all the time. */
#define ROUNDS 8

/* Forgets all clean pages. 1, or 0 if the file has no cache. */
static int forget(struct mio_pf_file *file)
{
	struct mio_pf_cache *cache = mio_pf_file_hold(file);

	if (!cache) {
		mio_pf_file_forget_retained(file);
		return 0;
	}
	mio_lock_acquire(&cache->lock);
	mio_pf_invalidate_forget(file, cache, 0, INT64_MAX);
	mio_lock_release(&cache->lock);
	/* Others may have made holes where space was set aside. */
	mio_pf_reservation_gone(&file->reservation);
	mio_pf_file_let_go(file);
	return 1;
}

static void refresh(struct mio_pf_file *file, struct mio_layer *next)
{
	struct mio_pf_cache *cache = mio_pf_file_hold(file);

	if (cache) {
		mio_pf_file_refresh(file, cache, next);
		mio_pf_file_let_go(file);
	}
}

/* From now on requests bypass the pages. With the gate held alone, so that no write of the program is on its way into a page meanwhile. 0 or -errno. */
static int go_past(struct mio_pf_file *file)
{
	int rc;

	mio_pf_gate_alone(&file->gate);
	rc = mio_pf_writeout_file(file);
	if (rc == 0) {
		/* If the file has no pages, its next open with a cache sets these two anew. */
		atomic_store(&file->through, 1);
		atomic_store(&file->past, 1);
		forget(file);
	}
	mio_pf_gate_unalone(&file->gate);
	return rc;
}

/* Writes all dirty pages, with the gate held alone, so that no write of the program is on its way into a page meanwhile. 0 or -errno. */
static int write_alone(struct mio_pf_file *file)
{
	int rc;

	mio_pf_gate_alone(&file->gate);
	rc = mio_pf_writeout_file(file);
	mio_pf_gate_unalone(&file->gate);
	return rc;
}

/* The file is mapped for reading: writes go through now, and also when it gets pages again. Not noted for files without pages, as there may be many. */
static void mapped_for_reading(struct mio_pf_file *file)
{
	mio_pf_gate_alone(&file->gate);
	if (mio_pf_file_is_cached(file)) {
		mio_pf_mapped_add_reading(file->device, file->inode);
		atomic_store(&file->through, 1);
		mio_pf_writeout_file(file);
	}
	mio_pf_gate_unalone(&file->gate);
}

/*
 * A lock was taken. Others may have changed the file anywhere, and its size, which is asked for once no page is dirty. A page that cannot be written stays, and
 * the opens of the file are told.
 */
static void locked(struct mio_pf_file *file, struct mio_layer *next, int64_t length)
{
	forget(file);
	/* For a lock of a part: others may lock other parts, which may share a sector of a page with this one. So all writes go through from now on. */
	if (length != INT64_MAX && !mio_pf_file_is_through(file))
		mio_pf_file_go_through(file);
	else if (mio_pf_file_is_dirty(file))
		write_alone(file);
	refresh(file, next);
}

/* The lock is given back even if a page cannot be written; as the caller then does not call the end of the bracket, that is done here. */
static int gives_lock_back(struct mio_pf_file *file, struct mio_layer *next, int64_t offset, int64_t length)
{
	int rc = mio_pf_writeout_file(file);
	int below = next->ops->bypass_begin(next, MIO_BYPASS_UNLOCK, offset, length);

	if (rc == 0)
		return below;
	if (below == 0)
		next->ops->bypass_end(next, MIO_BYPASS_UNLOCK, offset, length, 1);
	return rc;
}

int mio_pf_bypass_begin(struct mio_pf_file *file, struct mio_layer *next, enum mio_bypass kind, int64_t offset,
			int64_t length)
{
	int rc = 0;

	if (kind == MIO_BYPASS_UNLOCK)
		return gives_lock_back(file, next, offset, length);
	if (kind == MIO_BYPASS_MAP_WRITE)
		rc = go_past(file);
	else if (kind == MIO_BYPASS_MAP_READ)
		rc = mio_pf_file_go_through(file);
	else if (kind != MIO_BYPASS_LOCK)
		rc = mio_pf_writeout_file(file);
	return rc < 0 ? rc : next->ops->bypass_begin(next, kind, offset, length);
}

void mio_pf_bypass_end(struct mio_pf_file *file, struct mio_layer *next, enum mio_bypass kind, int64_t offset,
		       int64_t length, int done)
{
	next->ops->bypass_end(next, kind, offset, length, done);
	/* A transfer may have brought some bytes before it failed. */
	if (kind == MIO_BYPASS_TRANSFER_IN || kind == MIO_BYPASS_ALLOCATE)
		forget(file);
	if (done <= 0 || kind == MIO_BYPASS_TRANSFER_OUT || kind == MIO_BYPASS_UNLOCK)
		return;
	if (kind == MIO_BYPASS_LOCK) {
		locked(file, next, length);
		return;
	}
	/* The file may have got its pages after the begin of the bracket, or be about to get some. */
	if (kind == MIO_BYPASS_MAP_WRITE) {
		mio_pf_mapped_add_writing(file->device, file->inode);
		go_past(file);
	}
	if (kind == MIO_BYPASS_MAP_READ)
		mapped_for_reading(file);
	refresh(file, next);
}

/* ---- what pf_layer.h offers for a file, without an open of it */

int64_t mio_pf_file_size(const struct mio_pf_file *file)
{
	return mio_pf_file_size_now(file);
}

int mio_pf_file_is_dirty(const struct mio_pf_file *file)
{
	return mio_pf_file_cache(file) && atomic_load(&file->dirty_pages) > 0;
}

int mio_pf_file_publish(struct mio_pf_file *file)
{
	return mio_pf_writeout_file(file);
}

int mio_pf_file_go_past(struct mio_pf_file *file)
{
	int rc = go_past(file);

	if (rc < 0)
		return rc;
	mio_pf_mapped_add(file->device, file->inode);
	/* The file may have got pages in between, before it was in the table. */
	return go_past(file);
}

int mio_pf_file_go_through(struct mio_pf_file *file)
{
	int rc;

	mio_pf_gate_alone(&file->gate);
	atomic_store(&file->through, 1);
	rc = mio_pf_writeout_file(file);
	mio_pf_gate_unalone(&file->gate);
	return rc;
}

/* Holds an open of the file, whose layers below stay until it is let go; NULL if there is none. */
static struct mio_pf_open *hold_open(struct mio_pf_file *file, struct mio_pf_cache *cache)
{
	struct mio_pf_open *open;

	mio_lock_acquire(&cache->lock);
	open = file->layers;
	if (open)
		open->held++;
	mio_lock_release(&cache->lock);
	return open;
}

void mio_pf_file_add_name(struct mio_pf_file *file, struct mio_text *text)
{
	struct mio_pf_cache *cache = mio_pf_file_hold(file);
	struct mio_pf_open *open = cache ? hold_open(file, cache) : NULL;

	mio_stats_add_name(text, open ? open->request.name : "a file");
	if (open) {
		mio_lock_acquire(&cache->lock);
		mio_pf_open_let_go(open, cache);
		mio_lock_release(&cache->lock);
	}
	if (cache)
		mio_pf_file_let_go(file);
}

/* Takes over the size that others have given the file. */
static void refresh_by(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next)
{
	uint64_t before;
	int rounds = ROUNDS;

	/* If the file changes meanwhile, the size is asked for again: an older, smaller one must not stay. */
	do {
		before = atomic_load(&file->version);
		if (mio_pf_file_refresh(file, cache, next) < 0)
			return;
	} while (--rounds > 0 && atomic_load(&file->version) != before && atomic_load(&file->dirty_pages) == 0);
}

static void refresh_by_any(struct mio_pf_file *file)
{
	struct mio_pf_cache *cache = mio_pf_file_hold(file);
	struct mio_pf_open *open;

	if (!cache)
		return;
	open = hold_open(file, cache);
	if (open) {
		refresh_by(file, cache, open->layer.next);
		mio_lock_acquire(&cache->lock);
		mio_pf_open_let_go(open, cache);
		mio_lock_release(&cache->lock);
	}
	mio_pf_file_let_go(file);
}

int mio_pf_file_forget(struct mio_pf_file *file)
{
	int rc = mio_pf_writeout_file(file);

	if (forget(file))
		refresh_by_any(file);
	return rc;
}

/* The size is taken over at once: otherwise a write into the last sector that the pages know of would put zeros over bytes behind it. */
void mio_pf_bypass_forget(struct mio_pf_file *file)
{
	if (forget(file))
		refresh_by_any(file);
}

int mio_pf_file_show(struct mio_pf_file *file)
{
	int rc = mio_pf_writeout_file(file);

	if (rc == 0)
		refresh_by_any(file);
	return rc;
}

void mio_pf_file_cutting_begin(struct mio_pf_file *file)
{
	mio_pf_gate_alone(&file->gate);
	file->cutting = mio_pf_file_hold(file);
	if (file->cutting)
		mio_pf_file_freeze(file, file->cutting);
	else
		mio_pf_file_forget_retained(file);
}

void mio_pf_file_cutting_end(struct mio_pf_file *file, int cut)
{
	struct mio_pf_cache *cache = file->cutting;

	if (cache) {
		if (cut) {
			mio_lock_acquire(&cache->lock);
			mio_pf_invalidate_cut(file, cache, 0);
			mio_lock_release(&cache->lock);
		}
		mio_pf_file_thaw(file, cache);
		file->cutting = NULL;
		mio_pf_file_let_go(file);
	}
	mio_pf_gate_unalone(&file->gate);
}

void mio_pf_file_share(struct mio_pf_file *file)
{
	mio_pf_gate_share(&file->gate);
}

void mio_pf_file_unshare(struct mio_pf_file *file)
{
	mio_pf_gate_unshare(&file->gate);
}

void mio_pf_file_alone(struct mio_pf_file *file)
{
	mio_pf_gate_alone(&file->gate);
}

void mio_pf_file_unalone(struct mio_pf_file *file)
{
	mio_pf_gate_unalone(&file->gate);
}
