/* The table of the files of this process that were opened with layers, each once, by device and inode. Twin of CachedFiles. */
#include "pf_auto.h"
#include "pf_file.h"
#include "pf_plan_file.h"

#include <string.h>

#include "../common/memory.h"
#include "../common/text.h"
#include "../stats/stats_process.h"

#define CHAINS 1024

static struct mio_lock lock;
static struct mio_pf_file *chains[CHAINS];
static struct mio_pf_file *eldest, *youngest;
static uint64_t numbers;
_Atomic int64_t mio_pf_files_with_pages;
static _Atomic uint32_t exiting;	/* 0, EXECUTES or EXITS */
static _Atomic uint32_t shares;	/* 0, SHARING or SHARED */

enum { EXECUTES = 1, EXITS = 2 };
enum { SHARING = 1, SHARED = 2 };

static struct mio_pf_file **chain_of(uint64_t device, uint64_t inode)
{
	return &chains[mio_pf_mixed(device, (int64_t)inode) % CHAINS];
}

static struct mio_pf_file *find(uint64_t device, uint64_t inode)
{
	struct mio_pf_file *file = *chain_of(device, inode);

	while (file && (file->inode != inode || file->device != device))
		file = file->chained;
	return file;
}

static struct mio_pf_file *add(uint64_t device, uint64_t inode)
{
	struct mio_pf_file **chain = chain_of(device, inode);
	struct mio_pf_file *file = mio_memory_take(sizeof(*file));

	if (!file)
		return NULL;
	file->device = device;
	file->inode = inode;
	file->number = ++numbers;
	file->counters = &file->own;
	file->pages.kind = MIO_PF_LIST_FILE;
	file->dirty.kind = MIO_PF_LIST_FILE_DIRTY;
	file->chained = *chain;
	*chain = file;
	file->before = youngest;
	*(youngest ? &youngest->after : &eldest) = file;
	youngest = file;
	return file;
}

static void remove_file(struct mio_pf_file *file)
{
	struct mio_pf_file **link = chain_of(file->device, file->inode);

	while (*link != file)
		link = &(*link)->chained;
	*link = file->chained;
	*(file->before ? &file->before->after : &eldest) = file->after;
	*(file->after ? &file->after->before : &youngest) = file->before;
	mio_memory_give(file, sizeof(*file));
}

struct mio_pf_file *mio_pf_file_enter(uint64_t device, uint64_t inode)
{
	struct mio_pf_file *file;

	mio_lock_acquire(&lock);
	file = find(device, inode);
	if (!file)
		file = add(device, inode);
	if (file)
		file->opens++;
	mio_lock_release(&lock);
	return file;
}

/* The last open that leaves removes the file, unless its pages stay in a cache. */
void mio_pf_file_leave(struct mio_pf_file *file)
{
	mio_lock_acquire(&lock);
	if (--file->opens == 0 && !atomic_load(&file->retained_in))
		remove_file(file);
	mio_lock_release(&lock);
}

struct mio_pf_file *mio_pf_file_find(uint64_t device, uint64_t inode)
{
	struct mio_pf_file *file;

	if (!mio_pf_file_any())
		return NULL;
	mio_lock_acquire(&lock);
	file = find(device, inode);
	if (file && !mio_pf_file_is_cached(file))
		file = NULL;
	if (file)
		file->opens++;
	mio_lock_release(&lock);
	return file;
}

void mio_pf_files_cached(int more)
{
	atomic_fetch_add(&mio_pf_files_with_pages, more);
}

/* Returns the file after `before`, entered, and leaves `before`. NULL for `before` gives the first file; after the last one NULL is returned. */
static struct mio_pf_file *next_of(struct mio_pf_file *before)
{
	struct mio_pf_file *next;

	mio_lock_acquire(&lock);
	next = before ? before->after : eldest;
	if (next)
		next->opens++;
	mio_lock_release(&lock);
	if (before)
		mio_pf_file_leave(before);
	return next;
}

void mio_pf_files_forget_retained_in(struct mio_pf_cache *cache)
{
	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file)) {
		if (atomic_load(&file->retained_in) == cache)
			mio_pf_file_forget_retained_in(file, cache);
	}
}

void mio_pf_files_enter_again(struct mio_pf_file *file)
{
	mio_lock_acquire(&lock);
	file->opens++;
	mio_lock_release(&lock);
}

int64_t mio_pf_files_count(void)
{
	int64_t count = 0;

	mio_lock_acquire(&lock);
	for (const struct mio_pf_file *file = eldest; file; file = file->after)
		count++;
	mio_lock_release(&lock);
	return count;
}

int mio_pf_publish_all(uint64_t device)
{
	int error = 0;

	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file)) {
		int rc = mio_pf_file_publish(file);

		error = error || file->device != device ? error : rc;
	}
	return error;
}

void mio_pf_share_all(void)
{
	uint32_t none = 0;

	/* If another thread is still going through the files, this one does so, too: no thread goes on before all files are through. */
	if (atomic_load(&shares) == SHARED)
		return;
	atomic_compare_exchange_strong(&shares, &none, SHARING);
	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file))
		mio_pf_file_go_through(file);
	atomic_store(&shares, SHARED);
}

int mio_pf_files_is_through(void)
{
	return atomic_load(&exiting) || atomic_load(&shares);
}

void mio_pf_forget_all(void)
{
	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file)) {
		if (!mio_pf_file_is_cached(file))
			continue;
		/* Reads of the program that are on their way end first: otherwise pages that they need would be forgotten under them again and again. */
		mio_pf_gate_alone(&file->gate);
		mio_pf_file_forget(file);
		mio_pf_gate_unalone(&file->gate);
	}
}

/* Reports bytes that could not be written. The program is told when it closes the file; as it may not do so any more, people are told now. */
static void say_lost(struct mio_pf_file *file, int error)
{
	struct mio_text name = {0};

	mio_pf_file_add_name(file, &name);
	mio_stats_say_lost(mio_text_string(&name), error, "it is lost if the program ends now");
	mio_text_clear(&name);
}

/*
 * All files write through from now on, and what they have is published. A program's write that is on its way into a page is to be written as well: it is waited
 * for, but not for ever, as its thread may have ended there.
 */
static void end_behind(uint32_t through)
{
	int rc;

	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file)) {
		uint32_t behind = 0, beside = MIO_PF_THROUGH_BESIDE, executes = MIO_PF_THROUGH_EXEC;

		if ((atomic_compare_exchange_strong(&file->through, &behind, through) ||
		     atomic_compare_exchange_strong(&file->through, &beside, through)) && mio_pf_file_is_cached(file))
			mio_pf_gate_let_pass(&file->gate);
		/* Another thread may be in an exec that fails: it then takes back only MIO_PF_THROUGH_EXEC, so this process, which exits, sets its own. */
		else if (through == MIO_PF_THROUGH)
			atomic_compare_exchange_strong(&file->through, &executes, through);
		rc = mio_pf_file_publish(file);
		if (rc < 0 && mio_pf_file_is_dirty(file))
			say_lost(file, -rc);
	}
}

void mio_pf_exit(void)
{
	atomic_store(&exiting, EXITS);
	end_behind(MIO_PF_THROUGH);
}

void mio_pf_exec_coming(void)
{
	uint32_t none = 0;

	atomic_compare_exchange_strong(&exiting, &none, EXECUTES);
	end_behind(MIO_PF_THROUGH_EXEC);
}

void mio_pf_exec_failed(void)
{
	uint32_t executes = EXECUTES;

	atomic_compare_exchange_strong(&exiting, &executes, 0);
	for (struct mio_pf_file *file = next_of(NULL); file; file = next_of(file)) {
		uint32_t through = MIO_PF_THROUGH_EXEC;
		int beside = atomic_load(&file->ungated_writers) > 0;

		atomic_compare_exchange_strong(&file->through, &through, beside ? MIO_PF_THROUGH_BESIDE : 0);
	}
}

void mio_pf_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	memset(chains, 0, sizeof(chains));
	eldest = NULL;
	youngest = NULL;
	atomic_store(&mio_pf_files_with_pages, 0);
	atomic_store(&exiting, 0);
	mio_pf_caches_forked();
	mio_pf_direct_memory_forked();
	mio_pf_mapped_forked();
	mio_pf_plans_forked();
	mio_pf_auto_forked();
}
