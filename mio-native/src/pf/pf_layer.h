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
 * One file of this process and its pages, shared by all opens of the file. It is known by device and inode. It has pages while an open with a cache has it
 * open. Its size is the logical one. Twin of CachedFile and CachedFiles.
 */
struct mio_pf_file;
struct mio_pf_cache;

/* The first member of struct mio_pf_file, for the inline functions below only. */
struct mio_pf_file_head {
	_Atomic(struct mio_pf_cache *) cache;	/* NULL: the file has no pages */
};

/* To be entered for each open with layers, whether it has a cache or not, and left when that ends. NULL without memory. */
struct mio_pf_file *mio_pf_file_enter(uint64_t device, uint64_t inode);
void mio_pf_file_leave(struct mio_pf_file *file);
/* Returns the file, entered, if it has pages in this process; else NULL. Costs one load where no file has pages. */
struct mio_pf_file *mio_pf_file_find(uint64_t device, uint64_t inode);
/* How many files of the process have pages; for mio_pf_file_any. */
extern _Atomic int64_t mio_pf_files_with_pages __attribute__((visibility("hidden")));
/* 1 if any file of the process has pages. Costs one load. */
static inline int mio_pf_file_any(void)
{
	return atomic_load_explicit(&mio_pf_files_with_pages, memory_order_acquire) > 0;
}

/* 1 while an open with a cache has the file open: bytes in its pages may differ from those of the kernel. */
static inline int mio_pf_file_is_cached(const struct mio_pf_file *file)
{
	const struct mio_pf_file_head *head = (const void *)file;

	return atomic_load_explicit(&head->cache, memory_order_acquire) != NULL;
}

/* Logical size, bytes; only while the file is cached. */
int64_t mio_pf_file_size(const struct mio_pf_file *file);
/* 1 if some bytes are not with the kernel yet. */
int mio_pf_file_is_dirty(const struct mio_pf_file *file);
/* Writes dirty pages: everything written so far is with the kernel when this returns. 0 or -errno; what cannot be written stays in its pages. */
int mio_pf_file_publish(struct mio_pf_file *file);
/* The same before the program is told the size of the file: also takes over the size that others have given it. */
int mio_pf_file_show(struct mio_pf_file *file);
/* From now on nothing is kept in pages, for good, because others change the file unseen. Dirty pages are written first. */
int mio_pf_file_go_past(struct mio_pf_file *file);
/* From now on every write goes to the next layer at once. */
int mio_pf_file_go_through(struct mio_pf_file *file);
/* Somebody else changed the file, perhaps its size: all clean pages are forgotten. Dirty pages are written first. */
int mio_pf_file_forget(struct mio_pf_file *file);
/* One open more, or one less (more: 1 or -1), writes without the gate as long as the file has no pages. */
void mio_pf_file_ungated_writer(struct mio_pf_file *file, int more);
/* From now on a part of a page may be written past it while the page is written, too (mio/cio): only dirty sectors are written. */
void mio_pf_file_writes_meet(struct mio_pf_file *file);
/* For files that the program may change unseen at any time: from then on they have no pages. 0 or -ENOMEM. */
int mio_pf_mapped_add(uint64_t device, uint64_t inode);
int mio_pf_mapped_has(uint64_t device, uint64_t inode);
/* The same for those of them that are mapped for writing. */
int mio_pf_mapped_add_writing(uint64_t device, uint64_t inode);
int mio_pf_mapped_has_writing(uint64_t device, uint64_t inode);
/* 1 if any file may have been added by one of these functions. */
int mio_pf_mapped_any(void);
/* For files that are mapped for reading only: every write of them goes to the next layer at once. has_any: 1 if the file was added in any way. */
int mio_pf_mapped_add_reading(uint64_t device, uint64_t inode);
int mio_pf_mapped_has_any(uint64_t device, uint64_t inode);
/* The file was made just now: what was added for an earlier file with this inode no longer holds. */
void mio_pf_mapped_is_new(uint64_t device, uint64_t inode);
/* Brackets of an open that cuts the file to nothing. In between the gate is held alone, and no page request is on its way. cut: 1 if the open did cut it. */
void mio_pf_file_cutting_begin(struct mio_pf_file *file);
void mio_pf_file_cutting_end(struct mio_pf_file *file, int cut);

/* The file's gate, the lock that requests of the program take (design section 4): shared, or held alone. Waits are counted. Not recursive. */
void mio_pf_file_share(struct mio_pf_file *file);
void mio_pf_file_unshare(struct mio_pf_file *file);
void mio_pf_file_alone(struct mio_pf_file *file);
void mio_pf_file_unalone(struct mio_pf_file *file);

/* 1 if nothing may be kept in the pages of its file, so that every request bypasses them. */
int mio_pf_layer_is_past(const struct mio_layer *layer);
/* As mio_pf_file_forget, for the file of the layer. */
void mio_pf_layer_forget(struct mio_layer *layer);
/* Bytes of the pages of its file that were read ahead, or are being read ahead, and were not used yet. */
int64_t mio_pf_layer_ahead_bytes(const struct mio_layer *layer);
/* Writes all pages of its file that are dirty, by whatever open. 0 or -errno. */
int mio_pf_layer_writeout(struct mio_layer *layer);

/* Publishes all files (sync, fork, exec, exit). Returns the first error of those on this device (st_dev), or 0. */
int mio_pf_publish_all(uint64_t device);
/*
 * The program shares memory with other processes, and may tell them there what is in any of its files: from now on every write of any file goes to the next
 * layer at once.
 */
void mio_pf_share_all(void);
/* Other processes may have told the program there that files have changed: all clean pages of all files are forgotten. */
void mio_pf_forget_all(void);
/*
 * To be called when the process ends after a fault. Returns 1 if the fault was in a copy of the program's bytes (mio_layer_copy) by this thread. The copy then
 * counts as ended, so that dirty pages can be written; it must not go on. Returns 0 if there was no such copy.
 */
int mio_pf_copy_given_up(void);
/* The process ends: publishes all files; from now on every write goes to the next layer at once. */
void mio_pf_exit(void);
/* The same before an exec; and its undoing if the exec failed. */
void mio_pf_exec_coming(void);
void mio_pf_exec_failed(void);
/* To be called in a forked child: no file has pages there, and nothing is locked; the parent's objects are never touched. */
void mio_pf_forked(void);

/*
 * Makes a cache layer over next. file: entered by the caller for this open. engine: names how page requests are done, for reports. Returns 0 and sets *layer;
 * -ENOMEM if there is no memory for the cache (the file has none then), or another -errno.
 */
int mio_pf_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next, struct mio_pf_file *file,
		      const struct mio_open_request *request, const char *(*engine)(void), struct mio_layer **layer);

/* Facts of the cache of a layer: page size, number of frames, and its id, unique in the process. */
struct mio_pf_facts {
	int64_t page_bytes, frames;
	uint32_t cache;
};

struct mio_pf_direct_memory;
struct mio_pf_growth;
struct mio_pf_told;

struct mio_pf_facts mio_pf_layer_facts(struct mio_layer *layer);
/*
 * Gives the cache more frames if pages come back that gave way. requests, page_reads: requests of the program since the last call, and page reads that served
 * them. Returns the number of frames after that; 0 if there are no more than before. Any thread; growth is guarded by the lock of the cache.
 */
int64_t mio_pf_layer_grow(struct mio_layer *layer, struct mio_pf_growth *growth, int64_t requests, int64_t page_reads);
/* Hands over memory that was taken for the cache of the layer; it is given back with that. It stays the caller's if another open made the cache. */
void mio_pf_layer_hand_direct(struct mio_layer *layer, struct mio_pf_direct_memory *memory);
/*
 * Has the watch told of the file's pages as long as the file has a cache; it is released then. Returns 1, or 0 if another watch is told already: the caller
 * keeps its own.
 */
int mio_pf_layer_watch(struct mio_layer *layer, struct mio_page_watch *watch);
/*
 * Has the file read ahead by the plan of an earlier run, unless it follows a plan already. path: of the events file; NULL: there was no memory for it. Returns 1
 * if it follows the plan now, which words describe; 0 if there is none, with the reason in words; -1 if it follows a plan already.
 */
int mio_pf_layer_follow(struct mio_layer *layer, const char *path, struct mio_text *words);
/* 1 if a watch is told of the file's pages. */
int mio_pf_layer_is_watched(struct mio_layer *layer);
/*
 * To be called before the layer is used: which failed writes the program was told of is noted in `told`, which belongs to another layer of the same open that
 * outlives this one.
 */
void mio_pf_layer_tell_for(struct mio_layer *layer, struct mio_pf_told *told);

/* The report of the file, and that of the cache, which says something once the cache is gone. */
struct mio_stats_source mio_pf_layer_file_source(struct mio_layer *layer);
struct mio_stats_source mio_pf_layer_cache_source(struct mio_layer *layer);

/*
 * Makes the layer of an open without a cache of its own. While the file has pages by another open, it keeps its requests and those pages in agreement; else it
 * passes requests on. It reports failed writes behind of other opens. Twin of AttachedLayer.
 */
struct mio_layer *mio_pf_attached_make(struct mio_layer *next, struct mio_pf_file *file);
/* Which failed page writes the open of this layer was told of. */
struct mio_pf_told *mio_pf_attached_told(struct mio_layer *layer);
/*
 * For pages that are put over the attached layer later. keep: hands over the layer `own`, which works on descriptors of MIO's own and is closed and released
 * with the attached layer; once. use, with the gate held alone: 1: requests go to `own`, and the pages above keep the agreement; 0: requests go as before.
 */
void mio_pf_attached_keep(struct mio_layer *layer, struct mio_layer *own);
void mio_pf_attached_use(struct mio_layer *layer, int use);

#endif
