#include "pf_past.h"

#include <string.h>
#include <unistd.h>

#include "../common/raw.h"
#include "../layer/layer_open.h"
#include "pf_cache.h"
#include "pf_file.h"
#include "pf_invalidate.h"
#include "pf_page_io.h"
#include "pf_writeout.h"

int64_t mio_pf_past_read(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next, void *memory,
			 int64_t length, int64_t offset)
{
	int rc = mio_pf_writeout_all(file, cache);
	int64_t size = rc < 0 ? rc : mio_pf_file_size_now(file);

	if (size >= 0 && length > size - offset)
		size = mio_pf_file_refresh(file, cache, next);
	if (size < 0)
		return size;
	next->ops->seek(next, offset);
	if (offset < size)
		length = mio_pf_min(length, size - offset);
	return next->ops->read(next, memory, (size_t)length, offset);
}

/* Copies so many bytes of the vector, from its byte number `at` on. */
static void copy_out(unsigned char *to, const struct iovec *vector, int64_t at, int64_t bytes)
{
	while (bytes > 0) {
		int64_t part = mio_pf_min((int64_t)vector->iov_len - at, bytes);

		if (part > 0) {
			memcpy(to, (const unsigned char *)vector->iov_base + at, (size_t)part);
			to += part;
			bytes -= part;
			at += part;
		}
		at -= (int64_t)vector->iov_len;
		vector++;
	}
}

/* Copies the written bytes, which are at offset in the file, into the valid sectors of a page. */
static void update_page(struct mio_pf_file *file, struct mio_pf_page *page, const struct iovec *vector, int64_t offset,
			int64_t end)
{
	int64_t from = mio_pf_max(0, offset - page->start);
	int64_t to = mio_pf_min(file->page_bytes, end - page->start);
	int64_t sector = file->sector_bytes;

	for (int s = (int)(from / sector); s * sector < to; s++) {
		int64_t first = mio_pf_max(from, s * sector);
		int64_t last = mio_pf_min(to, (s + 1) * sector);

		if (mio_pf_bits_get(page->valid, s) && !mio_pf_page_on_its_way(page, s, s + 1, 0))
			copy_out(page->frame + first, vector, page->start + first - offset, last - first);
	}
	for (struct mio_pf_page_io *io = page->ios; io; io = io->next)
		io->stale |= !io->write && io->from_sector * sector < to && from < io->to_sector * sector;
}

/* Copies the written bytes into the pages that the cache has. */
static void update(struct mio_pf_file *file, struct mio_pf_cache *cache, const struct iovec *vector, int64_t offset,
		   int64_t bytes)
{
	int64_t end = offset + bytes;

	mio_lock_acquire(&cache->lock);
	if (end > mio_pf_file_size_now(file))
		/* Sectors between the old end and the write are zeros in pages and in the file. */
		mio_pf_file_sized(file, end);
	else
		mio_pf_file_changed(file);
	for (int64_t index = offset / file->page_bytes; file->pages.first && index <= (end - 1) / file->page_bytes; index++) {
		struct mio_pf_page *page = mio_pf_cache_find(cache, file, index);

		if (page)
			update_page(file, page, vector, offset, end);
	}
	mio_lock_release(&cache->lock);
}

/* Forgets the bytes of a write that failed, as it may have changed any of them, or of one that went to an unknown place (MIO_LAYER_APPEND). */
static void forget(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next, int64_t offset,
		   int64_t length)
{
	int64_t from = offset == MIO_LAYER_APPEND ? 0 : offset;

	mio_lock_acquire(&cache->lock);
	mio_pf_invalidate_forget(file, cache, from,
				 from == 0 || from > INT64_MAX - length ? INT64_MAX : from + length);
	mio_lock_release(&cache->lock);
	mio_pf_file_refresh(file, cache, next);
}

/* After an append: only the kernel knows where the bytes went, so the size is asked for. */
static void appended(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next)
{
	int64_t end = next->ops->size(next);

	mio_lock_acquire(&cache->lock);
	mio_pf_invalidate_resized(file, cache, mio_pf_max(end, mio_pf_file_size_now(file)));
	mio_lock_release(&cache->lock);
}

/* The kernel's position if this write goes there, else -1. */
static int64_t position_of(int64_t offset)
{
	return mio_open_call.at_position && offset != MIO_LAYER_APPEND ? mio_raw3(SYS_lseek, mio_open_call.fd, 0, SEEK_CUR) : -1;
}

int64_t mio_pf_past_write(struct mio_pf_file *file, struct mio_pf_cache *cache, struct mio_layer *next,
			  const struct iovec *vector, int count, int64_t offset)
{
	/*
	 * For an append everything must be written first: an end of the file that only pages know would make it go to the wrong place. Any other write leaves
	 * pages alone that could not be written before: that error was told already, and would fail each write of the file, wherever it goes, until they can
	 * be written.
	 */
	int64_t written = offset == MIO_LAYER_APPEND ? mio_pf_writeout_all(file, cache) : mio_pf_writeout_rest(file, cache);
	/* The door's idea of the position may be outdated, as it asks the kernel only for a file that it finds with pages. */
	int64_t before = position_of(offset);
	int64_t length = 0;

	if (written < 0)
		return written;
	for (int i = 0; i < count; i++)
		length += (int64_t)vector[i].iov_len;
	offset = before >= 0 ? before : offset;
	if (offset != MIO_LAYER_APPEND)
		next->ops->seek(next, offset);
	if (count == 1)
		written = next->ops->write(next, vector->iov_base, vector->iov_len, offset);
	else
		written = next->ops->writev(next, vector, count, offset);
	if (written < 0)
		forget(file, cache, next, offset, length);
	else if (written > 0 && before >= 0 && position_of(offset) != before + written)
		/* Another process has the open, too: it moved the position meanwhile, or set it to append. */
		forget(file, cache, next, MIO_LAYER_APPEND, length);
	else if (written > 0 && offset == MIO_LAYER_APPEND)
		appended(file, cache, next);
	else if (written > 0)
		update(file, cache, vector, offset, written);
	return written;
}
