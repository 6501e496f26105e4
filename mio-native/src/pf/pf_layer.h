#ifndef MIO_PF_LAYER_H
#define MIO_PF_LAYER_H

#include <stdatomic.h>
#include <stddef.h>

#include "../common/text.h"
#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../layer/layer_watch.h"
#include "../stats/stats.h"

/*
 * One file of this process and its pages, shared by all its opens. Twin of CachedFile and CachedFiles; known by device and
 * inode. Has pages while an open with a cache has it open. Its size is the logical one.
 */
struct mio_pf_file;
struct mio_pf_cache;

/* What it begins with, for the functions here alone. */
struct mio_pf_file_head {
	_Atomic(struct mio_pf_cache *) cache;	/* NULL: it has no pages */
};

/* Enter for an open with layers, whether it has a cache or not; leave at its end. NULL without memory. */
struct mio_pf_file *mio_pf_file_enter(uint64_t device, uint64_t inode);
void mio_pf_file_leave(struct mio_pf_file *file);
/* The file if an open of this process has it with pages, entered; else NULL. One load where no file has pages. */
struct mio_pf_file *mio_pf_file_find(uint64_t device, uint64_t inode);
/* 1 if any file of the process has pages: one load. */
int mio_pf_file_any(void);

/* 1 while an open with a cache has it open: its bytes may differ from the kernel's. */
static inline int mio_pf_file_is_cached(const struct mio_pf_file *file)
{
	const struct mio_pf_file_head *head = (const void *)file;

	return atomic_load_explicit(&head->cache, memory_order_acquire) != NULL;
}

/* Logical size, bytes; only while it is cached. */
int64_t mio_pf_file_size(const struct mio_pf_file *file);
/* 1 if bytes are not with the kernel yet. */
int mio_pf_file_is_dirty(const struct mio_pf_file *file);
/* Everything written so far is with the kernel when this returns. 0 or -errno; the file keeps what cannot be written. */
int mio_pf_file_publish(struct mio_pf_file *file);
/* The same, and the size is the one that others have given it: somebody is told what it is. */
int mio_pf_file_show(struct mio_pf_file *file);
/* From now on nothing is kept in pages, for good: others change the file without telling. Writes out first. */
int mio_pf_file_go_past(struct mio_pf_file *file);
/* From now on every write goes down at once. */
int mio_pf_file_go_through(struct mio_pf_file *file);
/* Somebody else changed the file, size included: all clean pages are forgotten. Dirty ones are written first. */
int mio_pf_file_forget(struct mio_pf_file *file);
/* One more open, or one less, writes without the gate as long as the file has no pages. */
void mio_pf_file_ungated_writer(struct mio_pf_file *file, int more);
/* From now on some of a page may be written past it while the page is written, too (mio/cio): no sector is written that is not dirty. */
void mio_pf_file_writes_meet(struct mio_pf_file *file);
/* Files that the program may change at any time where nobody sees it have no pages from then on. 0 or -ENOMEM. */
int mio_pf_mapped_add(uint64_t device, uint64_t inode);
int mio_pf_mapped_has(uint64_t device, uint64_t inode);
/* Those of them that are mapped for writing. */
int mio_pf_mapped_add_writing(uint64_t device, uint64_t inode);
int mio_pf_mapped_has_writing(uint64_t device, uint64_t inode);
/* 1 if there may be any of them. */
int mio_pf_mapped_any(void);
/* Those that it only reads there: every write of theirs goes down at once. any: either. */
int mio_pf_mapped_add_reading(uint64_t device, uint64_t inode);
int mio_pf_mapped_has_any(uint64_t device, uint64_t inode);
/* The file was made just now: what was true of an earlier one with that inode is not of this one. */
void mio_pf_mapped_is_new(uint64_t device, uint64_t inode);
/* Brackets of an open that cuts the file to nothing: alone, with no page request on its way; cut: it did. */
void mio_pf_file_cutting_begin(struct mio_pf_file *file);
void mio_pf_file_cutting_end(struct mio_pf_file *file, int cut);

/* The file's lock that requests of the program take (design section 4). Waits are counted. Not recursive. */
void mio_pf_file_share(struct mio_pf_file *file);
void mio_pf_file_unshare(struct mio_pf_file *file);
void mio_pf_file_alone(struct mio_pf_file *file);
void mio_pf_file_unalone(struct mio_pf_file *file);

/* 1 if nothing may be kept in its pages, and every request goes past them. */
int mio_pf_layer_is_past(const struct mio_layer *layer);
/* As mio_pf_file_forget. */
void mio_pf_layer_forget(struct mio_layer *layer);

/* All files: publish (sync, fork, exec, exit). The first error of those on this device (st_dev), or 0. */
int mio_pf_publish_all(uint64_t device);
/*
 * The program shares memory with other processes, and tells them there what is in its files, any of them: from now on
 * every write goes down at once.
 */
void mio_pf_share_all(void);
/* What others have told it there may be new: all clean pages of all files are forgotten. */
void mio_pf_forget_all(void);
/*
 * The process ends after a fault in a copy of the program's bytes (mio_layer_copy) by this thread: 1, and the copy counts as over, so that what is dirty can be
 * written. It must not go on. 0: there was none.
 */
int mio_pf_copy_given_up(void);
/* The process ends: publish all, and from now on every write goes down at once. */
void mio_pf_exit(void);
/* The same before another program takes the process; it did not. */
void mio_pf_exec_coming(void);
void mio_pf_exec_failed(void);
/* In a forked child: no file has pages, nothing is locked; the parent's objects are left alone for ever. */
void mio_pf_forked(void);

/*
 * A cache over next. file: entered by the caller for this open. engine: names how page requests are done, for reports.
 * 0, -ENOMEM: no memory for the cache (the file goes without), or another -errno. *layer on success.
 */
int mio_pf_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, struct mio_pf_file *file,
		      const struct mio_open_request *request, const char *(*engine)(void), struct mio_layer **layer);

/* What the cache of a layer is: page size, frames, which one of this process. */
struct mio_pf_facts {
	int64_t page_bytes, frames;
	uint32_t cache;
};

struct mio_pf_growth;
struct mio_pf_told;

struct mio_pf_facts mio_pf_layer_facts(struct mio_layer *layer);
/*
 * Gives the cache more frames where pages come back that have given way, since it was asked last so many requests of the program took
 * so many page reads. The frames it has then; 0: no more than before. Any thread; growth under the lock of the cache.
 */
int64_t mio_pf_layer_grow(struct mio_layer *layer, struct mio_pf_growth *growth, int64_t requests, int64_t page_reads);
/*
 * Have somebody told of the file's pages as long as it has a cache; then he is released. 0: somebody is told already, and who asks
 * keeps his own.
 */
int mio_pf_layer_watch(struct mio_layer *layer, struct mio_page_watch *watch);
/*
 * Has the file read ahead by what an earlier run read, unless it goes by a plan already. path: of the events file. words: gets what
 * came of it, in a line for whoever wants to see opens, or nothing.
 */
void mio_pf_layer_follow(struct mio_layer *layer, const char *path, struct mio_text *words);
/* Whether somebody is told. */
int mio_pf_layer_is_watched(struct mio_layer *layer);
/* Before it is used: what was told of failed writes is that of another layer of the same open, which outlives this one. */
void mio_pf_layer_tell_for(struct mio_layer *layer, struct mio_pf_told *told);

/* The block of the file, and that of the cache once it is gone. */
struct mio_stats_source mio_pf_layer_file_source(struct mio_layer *layer);
struct mio_stats_source mio_pf_layer_cache_source(struct mio_layer *layer);

/*
 * The layer of an open without a cache of its own: uses the pages while the file has some, else passes on; tells of writes behind of others
 * that failed. Twin of AttachedLayer.
 */
struct mio_layer *mio_pf_attached_make(struct mio_layer *next, struct mio_pf_file *file);
/* What its open was told of failed page writes. */
struct mio_pf_told *mio_pf_attached_told(struct mio_layer *layer);
/*
 * For pages that come over it later: own works on descriptors of MIO's own, and is closed and released with the attached layer, for good. Once. use,
 * with the gate alone: requests go there (1), and agreement is the affair of the pages above; or as before (0).
 */
void mio_pf_attached_keep(struct mio_layer *layer, struct mio_layer *own);
void mio_pf_attached_use(struct mio_layer *layer, int use);

#endif
