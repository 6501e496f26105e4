#include "pf_open.h"

#include "pf_cache.h"
#include "pf_file.h"
#include "pf_writeout.h"

#define LIST_MAX 64

/* Submits the requests as lists of LIST_MAX at most. */
static void submit_list(struct mio_layer *next, struct mio_pf_ios *list)
{
	struct mio_pf_page_io *io = list->first;

	while (io) {
		struct mio_io *part[LIST_MAX];
		int count = 0;

		for (; io && count < LIST_MAX; io = io->listed) {
			next->ops->seek(next, io->io.offset);
			part[count++] = &io->io;
		}
		next->ops->submit_all(next, part, count);
	}
}

void mio_pf_open_start(struct mio_pf_open *open, struct mio_pf_ios *list)
{
	if (open->options.lists && open->options.asynchronous)
		submit_list(open->layer.next, list);
	else
		mio_pf_ios_start(list->first);
}

void mio_pf_open_let_go(struct mio_pf_open *open, struct mio_pf_cache *cache)
{
	if (--open->held == 0)
		mio_condition_wake(&cache->changed);
}

static void remove_from(struct mio_pf_file *file, struct mio_pf_open *open)
{
	struct mio_pf_open **link = &file->layers;

	while (*link != open)
		link = &(*link)->next_of_file;
	*link = open->next_of_file;
}

/* Collects the ends of the open's page requests that nobody had to wait for, as long as its layers exist. */
static void collect(struct mio_pf_file *file, struct mio_pf_cache *cache, const struct mio_pf_open *open)
{
	struct mio_pf_page *page = file->pages.first;

	for (; page; page = mio_pf_list_after(&file->pages, page))
		mio_pf_cache_collect(cache, page, open);
}

/* An open of the file by which dirty pages of another can be written, or NULL. */
static struct mio_pf_open *heir_of(struct mio_pf_file *file)
{
	struct mio_pf_open *heir = file->layers;

	while (heir && !mio_pf_open_is_writable(heir))
		heir = heir->next_of_file;
	return heir;
}

void mio_pf_open_leave(struct mio_pf_open *open)
{
	struct mio_pf_file *file = open->file;
	struct mio_pf_cache *cache = mio_pf_file_cache(file);
	struct mio_pf_open *heir;
	struct mio_pf_page *page;

	mio_lock_acquire(&cache->lock);
	remove_from(file, open);
	collect(file, cache, open);
	while (open->held > 0) {
		mio_pf_cache_wait(cache);
		collect(file, cache, open);
	}
	heir = heir_of(file);
	for (page = file->pages.first; page; page = mio_pf_list_after(&file->pages, page)) {
		if (page->writer != open)
			continue;
		page->writer = heir ? heir : open;
		if (!heir) {
			mio_pf_bits_clear(page->dirty, 0, page->sectors);
			mio_pf_bits_clear(page->valid, 0, page->sectors);
			mio_pf_page_valid_changed(page);
			mio_pf_cache_cleaned(cache, page);
		}
	}
	mio_lock_release(&cache->lock);
}

int mio_pf_open_tell_errors(struct mio_pf_open *open)
{
	return mio_pf_told_tell(open->told, open->file);
}

void mio_pf_open_told(struct mio_pf_open *open)
{
	mio_pf_told_all(open->told, open->file);
}

int mio_pf_open_write_all(struct mio_pf_open *open)
{
	int rc = mio_pf_writeout_all(open->file, mio_pf_file_cache(open->file));

	if (rc < 0)
		mio_pf_open_told(open);
	return rc;
}
