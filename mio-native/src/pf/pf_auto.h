#ifndef MIO_PF_AUTO_H
#define MIO_PF_AUTO_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"

/*
 * Makes the layer pf/auto, which leaves the file in the kernel's page cache and tells the kernel what the program will read next. It passes every request on
 * unchanged, and takes no memory for pages and no thread, except in two cases: pages of MIO's own are better for many small requests near each other
 * (pf_choice.h), and reading past the kernel's page cache is better for long reads of a file that does not fit memory (pf_direct_choice.h). The layer
 * then shows a wish. The stack above, which may change where requests go, fulfils it or not. Twin of AutoLayer.
 *
 * Returns a layer over next, or next itself where there is nothing to gain: direct I/O, a file in memory or on another machine (where the kernel does little
 * on hints), a file that is only written, a small file that is only read. NULL without memory. request->fd is the descriptor of the open.
 */
struct mio_layer *mio_pf_auto_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				   const struct mio_open_request *request);

/* To be called in a forked child: the opens of its parent no longer count there. */
void mio_pf_auto_forked(void);

/* Returns 0 if the flags and the size of an open alone show that pf/auto has nothing to gain. */
int mio_pf_auto_may_gain(int oflags, int64_t size_bytes);

/* Shows what the layer does in the live record of the trace layer above. trace: the body of that record, see live.h. */
void mio_pf_auto_show(struct mio_layer *layer, void *trace);

/* Has `decided` called with each decision and its reason, in words. To be called before the layer is used; context must stay valid while requests run. */
void mio_pf_auto_watch(struct mio_layer *layer, void (*decided)(void *context, const char *what, const char *reason), void *context);

/* ---- pages. Until mio_pf_auto_settled the door holds the file's gate around each request. */

/* What the layer wishes: TAKE: small pages; TAKE_DIRECT: pages that are read by direct I/O; GIVE: to give its pages up. */
enum mio_pf_auto_wish { MIO_PF_AUTO_NOTHING, MIO_PF_AUTO_TAKE, MIO_PF_AUTO_TAKE_DIRECT, MIO_PF_AUTO_GIVE };

/* Where the layer shows its wish, an enum mio_pf_auto_wish; nearly always NOTHING. Valid as long as the layer. */
const _Atomic int *mio_pf_auto_wish(const struct mio_layer *layer);
/* Points to 1 once the file stays with the kernel for good: the layer has no pages and will get none. Writes then need not pass through it. */
const _Atomic int *mio_pf_auto_settled(const struct mio_layer *layer);
/* Leaves the file with the kernel for good, unless the layer has pages. why: in words for its report, or NULL. */
void mio_pf_auto_stay(struct mio_layer *layer, const char *why);

/*
 * Derives the options of the pages from spec, those of the layer; what the rule says of reports stays. direct_bytes: size of the cache for TAKE_DIRECT,
 * 0 for TAKE. file_bytes: size of the file.
 */
void mio_pf_auto_pages_spec(const struct mio_layer_spec *spec, int64_t direct_bytes, int64_t file_bytes, struct mio_layer_spec *pages);
/* The layer to make pages over. It passes their requests on, and gives the kernel hints for these as for requests of the program. It closes nothing. */
struct mio_layer *mio_pf_auto_below(struct mio_layer *layer);
/* From now on requests go to these pages, which are closed and released with the layer. Once, with the gate held alone. direct_bytes: as above. */
void mio_pf_auto_take(struct mio_layer *layer, struct mio_layer *pages, int64_t direct_bytes);
/*
 * Closes the pages; requests go to the kernel again. With the gate held alone. why: in words, for its report; NULL if that has the reason already, or at the
 * close of the layer. Returns the result of the close: 0 or -errno.
 */
int mio_pf_auto_give(struct mio_layer *layer, const char *why);
/* Adds in words why pages are wished for. */
void mio_pf_auto_reason(const struct mio_layer *layer, struct mio_text *text);
/* The report of the layer itself, whether it has pages or not. */
struct mio_stats_source mio_pf_auto_source(struct mio_layer *layer);
/* The reports of the pages that the layer has or had; they add nothing if there were none. */
struct mio_stats_source mio_pf_auto_file_source(struct mio_layer *layer);
struct mio_stats_source mio_pf_auto_cache_source(struct mio_layer *layer);

#endif
