#ifndef MIO_PF_AUTO_H
#define MIO_PF_AUTO_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"

/*
 * pf/auto: leaves the file to the kernel and tells it what the program will read. Every request goes on as it came, no memory and no
 * thread of its own; until many small requests near each other show that pages are better (pf_choice.h), or long reading of a file that does not
 * fit memory that it had better go past the kernel's cache (pf_direct_choice.h): then the
 * layer has a wish, and whoever may change the way of the file fulfils it, or not. Twin of AutoLayer.
 *
 * A layer over next, or next itself where there is nothing to gain: direct I/O, a file in memory or on
 * another machine (whose kernel does little on hints), one that is only written, a small one that is only read.
 * NULL without memory. fd: of the open.
 */
struct mio_layer *mio_pf_auto_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				   const struct mio_open_request *request);

/* In a child: opens of its parent do not count. */
void mio_pf_auto_forked(void);

/* 0 where flags and size of the open tell already that there is nothing to gain. */
int mio_pf_auto_may_gain(int oflags, int64_t size_bytes);

/* Has others see what it does in the record of a trace layer above: its body, see live.h. */
void mio_pf_auto_show(struct mio_layer *layer, void *trace);

/* Before the layer is used: has decisions told to somebody, in words; he stays until no request is running. */
void mio_pf_auto_watch(struct mio_layer *layer, void (*decided)(void *context, const char *what, const char *reason), void *context);

/* ---- pages. Requests come under the file's gate, held by the door, until is_settled. */

/* TAKE_DIRECT: pages that are read by direct I/O. */
enum mio_pf_auto_wish { MIO_PF_AUTO_NOTHING, MIO_PF_AUTO_TAKE, MIO_PF_AUTO_TAKE_DIRECT, MIO_PF_AUTO_GIVE };

/* Where the layer shows its wish: NOTHING nearly always. As long as the layer is there. */
const _Atomic int *mio_pf_auto_wish(const struct mio_layer *layer);
/* 1 if the file is the kernel's for good: it has no pages, and comes to none. */
int mio_pf_auto_is_settled(const struct mio_layer *layer);
/* It is, unless it has pages. why: in words for its report, or NULL. */
void mio_pf_auto_stay(struct mio_layer *layer, const char *why);

/* The options of the pages, from those of the layer: what its rule says of reports stays. direct_bytes: of the cache of TAKE_DIRECT; 0: of TAKE. file_bytes: size of the file. */
void mio_pf_auto_pages_spec(const struct mio_layer_spec *spec, int64_t direct_bytes, int64_t file_bytes, struct mio_layer_spec *pages);
/* What pages are to be made over: passes requests on, told to the kernel as those of the program are. Closes nothing. */
struct mio_layer *mio_pf_auto_below(struct mio_layer *layer);
/* With the gate alone: requests go to these pages from now on; they are closed and released with the layer. Once. direct_bytes: as above. */
void mio_pf_auto_take(struct mio_layer *layer, struct mio_layer *pages, int64_t direct_bytes);
/* With the gate alone: the pages are closed, and requests go on as before. Of the close: 0 or -errno. */
int mio_pf_auto_give(struct mio_layer *layer);
/* Why pages are wished for, in words. */
void mio_pf_auto_reason(const struct mio_layer *layer, struct mio_text *text);
/* What the layer reports, whether it has pages or not. */
struct mio_stats_source mio_pf_auto_source(struct mio_layer *layer);
/* The reports of the pages that it has or had: nothing if there were none. */
struct mio_stats_source mio_pf_auto_file_source(struct mio_layer *layer);
struct mio_stats_source mio_pf_auto_cache_source(struct mio_layer *layer);

#endif
