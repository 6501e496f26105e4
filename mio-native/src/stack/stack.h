#ifndef MIO_STACK_STACK_H
#define MIO_STACK_STACK_H

/*
 * The rule for a file, and its layers composed bottom up. Twin of StackBuilder and FrontLayer. The front layer, mio, is
 * the stack itself: it holds the file's gate while a request is below, where the file has pages or the rule says cio or direct:
 * a read shares it, a write takes it alone; with cio a write shares it too, unless it makes the file longer or
 * is one that direct I/O cannot do (design section 4). It is not held round a bypass.
 */

#include <stdint.h>
#include <sys/uio.h>

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../pf/pf_layer.h"

struct mio_stack;

/* What it begins with, for mio_stack_straight alone. */
struct mio_stack_head {
	struct mio_layer *straight;	/* the first layer below the front, or NULL: the front has something to do */
	const struct mio_pf_file *file;
};

/*
 * Read the configuration of this process; once, before anything else here. without_rules: MIO is on even if there is no rule, because
 * opens may bring layers of their own.
 * Returns 0: MIO is on; 1: nothing to do, no rule or switched off; -EINVAL: a mistake, error says which; -ENOMEM.
 */
int mio_stacks_begin(char *const *environment, int without_rules, struct mio_text *error);

/* The layers for a file of this name, as the program gave it; NULL: none, also where they would change nothing. */
const struct mio_stack_spec *mio_stacks_match(const char *name);
/* 1 if there is a rule for that name, even one without layers. */
int mio_stacks_has_rule(const char *name);

/* The debug line of a match, where MIO_DEBUG=ENV asks for it; may be written to a file. */
void mio_stacks_show_match(const char *name);

/* MIO_DEBUG=ABORT of a configuration, even of one that is wrong otherwise. */
int mio_stacks_wants_abort(char *const *environment);

/* A module list given by the program, over the defaults; NULL with a message in error. */
const struct mio_stack_spec *mio_stacks_parse(const char *text, struct mio_text *error);

/* 1 if the rule asks for a cache. */
int mio_stacks_has_cache(const struct mio_stack_spec *spec);

/*
 * 1 if a file of which pf/auto makes nothing, see mio_pf_auto_may_gain, needs no layers: there are no others, and nobody wants to see opens.
 */
int mio_stacks_leaves_small(const struct mio_stack_spec *spec);

/* What the rule makes of the open itself. */
int mio_stacks_oflags(const struct mio_stack_spec *spec, int oflags);
int mio_stacks_mode(const struct mio_stack_spec *spec, int mode);

/* recov layers of a rule that try opens again; of more, those above do not. */
#define MIO_STACK_RECOV_MAX 16

/* Attempts that each has made for an open, from the lowest up, since the next one above made its last; all 0 before. */
struct mio_stack_tries {
	int made[MIO_STACK_RECOV_MAX];
};

/*
 * The open failed with error (above 0): 1 to try again. As layers compose, each recov layer tries again what those below it have given up,
 * which begin anew then.
 */
int mio_stacks_open_failed(const struct mio_stack_spec *spec, const char *name, int error, struct mio_stack_tries *tries);

/* All files that are open: their reports as of the end of the process. Files stay usable. */
void mio_stacks_exit(void);
/* The process is about to change its rights or its root: reports and events go where they went before. */
void mio_stacks_rights_coming(void);
/* Another program comes in this process: the same of those that this one has read or written. */
void mio_stacks_exec_coming(void);
/* Then, where the program ends by itself: where the reports are, to whom MIO_HINT names. */
void mio_stacks_hint(void);
/* Reports of the files whose rule says inter. */
void mio_stacks_inter(void);
/* 1 if an open file wants reports on a signal. */
int mio_stacks_has_inter(void);
/* In a forked child. */
void mio_stacks_forked(void);
/* What MIO_STATS_OWNER has to be for the programs that this one starts, so that their reports share a file; see stats.h. */
const char *mio_stacks_stats_token(void);

/*
 * Open the layers over the program's descriptor. spec NULL: no rule, but the file has pages by another open.
 * request: completed here (cacheable, direct_pages). 0 and *stack, or -errno: leave the file alone.
 */
int mio_stack_open(const struct mio_stack_spec *spec, struct mio_open_request *request, struct mio_stack **stack);

/* 1 if requests of this open go through pages of its own cache from the first one on. */
int mio_stack_has_cache(const struct mio_stack *stack);
/* 1 if the last layer works on descriptors of MIO's own, below a cache or without one: the position is then the door's. */
int mio_stack_is_own(const struct mio_stack *stack);
/* ---- pages that an open takes while the file is open (pf/auto), and gives up again: stack_pages.c */

/* Where it is shown that the layers have a wish: not 0. To be looked at before a read. */
const _Atomic int *mio_stack_wish(const struct mio_stack *stack);
/* 1 if it may take pages yet, or has some: its requests may go into pages by the time they are there. */
int mio_stack_may_have_pages(const struct mio_stack *stack);
/* The file stays with the kernel for good, unless the open has taken pages. why: in words, for its report. */
void mio_stack_stay(struct mio_stack *stack, const char *why);
/*
 * Fulfils the wish. Without the gate; nobody else fulfils one at the same time.
 * fd, oflags: of the program's, now. may: asked once the pages are there, and before anything is in them: NULL, or why not, in words.
 * 1: it has taken pages; 0: it stays with the kernel, and its wish is gone.
 */
int mio_stack_take_pages(struct mio_stack *stack, int fd, int oflags, const char *(*may)(void *context), void *context);
/* 1 if it has pages that it wants to give up. */
int mio_stack_gives_pages(const struct mio_stack *stack);
void mio_stack_give_pages(struct mio_stack *stack);
/* In a forked child. */
void mio_stack_pages_forked(void);

/* 1 if reads may go by its layers where those say so, and no file has pages. */
int mio_stack_may_rest(const struct mio_stack *stack);
/* The file all opens of the inode share. */
struct mio_pf_file *mio_stack_file(const struct mio_stack *stack);

/*
 * The layer below the front where the front has nothing to do with reads and writes: the rule asks for no gate and no pages, and the
 * file has none by another open, now. Else NULL. Who makes many calls looks here first.
 */
static inline struct mio_layer *mio_stack_straight(const struct mio_stack *stack)
{
	const struct mio_stack_head *head = (const void *)stack;

	return mio_pf_file_is_cached(head->file) ? NULL : head->straight;
}

int64_t mio_stack_read(struct mio_stack *stack, void *memory, size_t length, int64_t offset);
int64_t mio_stack_readv(struct mio_stack *stack, const struct iovec *vector, int count, int64_t offset);
int64_t mio_stack_write(struct mio_stack *stack, const void *memory, size_t length, int64_t offset);
int64_t mio_stack_writev(struct mio_stack *stack, const struct iovec *vector, int count, int64_t offset);
void mio_stack_seek(struct mio_stack *stack, int64_t offset);
int64_t mio_stack_size(struct mio_stack *stack);
int mio_stack_truncate(struct mio_stack *stack, int64_t size);
int mio_stack_flush(struct mio_stack *stack, int metadata);
int mio_stack_publish(struct mio_stack *stack);
int mio_stack_bypass_begin(struct mio_stack *stack, enum mio_bypass kind, int64_t offset, int64_t length);
void mio_stack_bypass_end(struct mio_stack *stack, enum mio_bypass kind, int64_t offset, int64_t length, int done);
/* Close the layers, report, free. No request is running. The first error, or 0. */
int mio_stack_close(struct mio_stack *stack);
/* The same for who can tell the program no error: a line on standard error does. */
void mio_stack_close_untold(struct mio_stack *stack);

#endif
