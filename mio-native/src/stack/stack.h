#ifndef MIO_STACK_STACK_H
#define MIO_STACK_STACK_H

/*
 * The rule for a file, and its layers composed bottom up. Twin of StackBuilder and FrontLayer. The front layer, mio, is
 * the stack itself. Where the file has pages, or the rule says cio or direct, the front holds the file's gate while a
 * request is in the layers below: a read shares the gate, a write takes it alone. With cio a write shares it too, unless the
 * write makes the file longer or direct I/O cannot do it (design section 4). The gate is not held during a bypass.
 */

#include <stdint.h>
#include <sys/uio.h>

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../pf/pf_layer.h"

struct mio_stack;

/* First member of every stack; only mio_stack_straight reads it. */
struct mio_stack_head {
	struct mio_layer *straight[2];	/* where reads (0) and writes (1) go if the front has nothing to do for them; NULL if it always has */
	const _Atomic int *settled;	/* points to 0 while the open may have pages by pf/auto; then the front has the gate to take */
	const struct mio_pf_file *file;
};

/*
 * Reads the configuration of this process. Call it once, before any other function of this file. without_rules: MIO is on even if there is
 * no rule, because opens may bring layers of their own.
 * Returns 0: MIO is on; 1: nothing to do, because there is no rule or MIO is switched off; -EINVAL: a mistake, described in error; -ENOMEM.
 */
int mio_stacks_begin(char *const *environment, int without_rules, struct mio_text *error);

/* The layers for a file of this name, as the program gave it; NULL: none, or layers that would change nothing. */
const struct mio_stack_spec *mio_stacks_match(const char *name);
/* 1 if there is a rule for this name, even one without layers. */
int mio_stacks_has_rule(const char *name);

/* Writes the debug line of a match, if MIO_DEBUG=ENV asks for it; the line may go to a file. */
void mio_stacks_show_match(const char *name);

/* 1 if the configuration says MIO_DEBUG=ABORT, even if the rest of it is wrong. */
int mio_stacks_wants_abort(char *const *environment);

/* The layers of a module list that the program gave; options not given are those of the defaults. NULL on a mistake, with a message in error. */
const struct mio_stack_spec *mio_stacks_parse(const char *text, struct mio_text *error);

/* 1 if the rule asks for a cache. */
int mio_stacks_has_cache(const struct mio_stack_spec *spec);

/*
 * 1 if a file that pf/auto cannot help (mio_pf_auto_may_gain) needs no layers at all: the rule has no other ones, and no debug keyword shows opens.
 */
int mio_stacks_leaves_small(const struct mio_stack_spec *spec);

/* The open flags and permission bits after the rule has changed them; oflags and mode are those of the program. */
int mio_stacks_oflags(const struct mio_stack_spec *spec, int oflags);
int mio_stacks_mode(const struct mio_stack_spec *spec, int mode);

/* Most recov layers of a rule that try opens again, counted from the lowest up. */
#define MIO_STACK_RECOV_MAX 16

/* For one open: the attempts of each recov layer, from the lowest up, since the last attempt of the next one above. All 0 at the beginning. */
struct mio_stack_tries {
	int made[MIO_STACK_RECOV_MAX];
};

/*
 * The open failed with error, a positive errno: returns 1 to try again. Each recov layer tries again what the recov layers below it have given up;
 * those then begin anew.
 */
int mio_stacks_open_failed(const struct mio_stack_spec *spec, const char *name, int error, struct mio_stack_tries *tries);

/* The process ends: writes the reports of all open files. The files stay usable. */
void mio_stacks_exit(void);
/* The process is about to change its rights or its root: makes sure that reports and events can still go where they went before. */
void mio_stacks_rights_coming(void);
/* The process is about to execute another program: writes the reports of the open files that this program has read or written. */
void mio_stacks_exec_coming(void);
/* After mio_stacks_exit, if the program ends by itself: says where the reports are, if MIO_HINT names this process. */
void mio_stacks_hint(void);
/* Writes the reports of the open files whose rule says inter. */
void mio_stacks_inter(void);
/* 1 if a file whose rule says inter has been opened: it wants reports on a signal. */
int mio_stacks_has_inter(void);
/* For a forked child. */
void mio_stacks_forked(void);
/* The value that MIO_STATS_OWNER must have for programs that this one starts, so that their reports share a file; see stats.h. */
const char *mio_stacks_stats_token(void);

/*
 * Opens the layers over the program's descriptor. spec NULL: no rule matches, but the file has pages of another open.
 * request: completed here (cacheable, direct_pages). Returns 0 and *stack; or -errno, and then the file gets no layers.
 */
int mio_stack_open(const struct mio_stack_spec *spec, struct mio_open_request *request, struct mio_stack **stack);

/* 1 if requests of this open go through pages of its own cache from the first one on. */
int mio_stack_has_cache(const struct mio_stack *stack);
/* 1 if the last layer works on descriptors of MIO's own, below a cache or without one: the door then keeps the position. */
int mio_stack_is_own(const struct mio_stack *stack);
/* ---- pages that an open takes while the file is open (pf/auto), and gives up again: stack_pages.c */

/* Points to a value other than 0 while the layers wish to take or give up pages (enum mio_pf_auto_wish). To be looked at before a read. */
const _Atomic int *mio_stack_wish(const struct mio_stack *stack);
/* 1 if the open has pages, or may still take some: by the time a request reaches the layers, it may go into pages. */
int mio_stack_may_have_pages(const struct mio_stack *stack);
/* Leaves the file with the kernel for good, unless the open has taken pages. why: the reason in words, for the report. */
void mio_stack_stay(struct mio_stack *stack, const char *why);
/*
 * Fulfils the wish for pages. The caller does not hold the gate, and keeps other threads from fulfilling a wish at the same time.
 * fd, oflags: the program's descriptor and its present flags. may: called when the pages exist and nothing is in them yet; returns NULL
 * to agree, else the reason against, in words. Returns 1: the open has taken pages; 0: the file stays with the kernel, and the wish is gone.
 */
int mio_stack_take_pages(struct mio_stack *stack, int fd, int oflags, const char *(*may)(void *context), void *context);
/* 1 if the open has pages that it wishes to give up. */
int mio_stack_gives_pages(const struct mio_stack *stack);
/* Gives up the pages that the open has taken, if any; called as mio_stack_take_pages. why: in words, for the report; NULL if the open wishes it. */
void mio_stack_give_pages(struct mio_stack *stack, const char *why);
/* For a forked child. */
void mio_stack_pages_forked(void);

/* 1 if reads may go past the layers of this stack, where the layers allow it and no file of the process has pages. */
int mio_stack_may_rest(const struct mio_stack *stack);
/* The file that all opens of the inode share. */
struct mio_pf_file *mio_stack_file(const struct mio_stack *stack);

/*
 * Where reads, or writes, go if the front has nothing to do for them: the rule asks for no gate and no pages, the open will not get pages by pf/auto, and at
 * this moment the file has no pages of another open. Else NULL. A shortcut for callers that make many calls.
 */
static inline struct mio_layer *mio_stack_straight(const struct mio_stack *stack, int write)
{
	const struct mio_stack_head *head = (const void *)stack;

	if (!atomic_load_explicit(head->settled, memory_order_acquire) || mio_pf_file_is_cached(head->file))
		return NULL;
	return head->straight[write];
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
/* Closes the layers, writes the reports, and frees the stack. No request may be running. Returns the first error, or 0. */
int mio_stack_close(struct mio_stack *stack);
/* The same for a caller that cannot return an error to the program: a line on standard error tells it. */
void mio_stack_close_untold(struct mio_stack *stack);

#endif
