#ifndef MIO_STACK_OPEN_H
#define MIO_STACK_OPEN_H

/* The inside of a stack, shared by stack_open.c, which makes it, stack_front.c, which runs it, and stack_pages.c, which gives it pages later. */

#include "stack.h"

struct mio_stack {
	struct mio_stack_head head;	/* first */
	struct mio_layer *top;		/* below the front */
	struct mio_layer *os;
	struct mio_pf_file *file;	/* entered */
	struct mio_file_report *report;
	char *name;			/* copy of the program's name for the file */
	size_t name_bytes;
	int has_cache;
	int is_own;			/* the last layer works on descriptors of MIO's own */
	int gated;			/* always; else while the file has pages */
	int writes_ungated;		/* its file counts it as such */
	int may_rest;			/* its only layer is pf/auto: what that need not see may go by all layers */
	int cio;
	int64_t alignment_bytes;	/* multiple that a write must be of to share the gate with cio; 1: any */

	/* Of pages that the open may take later. */
	struct mio_layer *automatic;	/* pf/auto, or NULL: none are taken */
	struct mio_layer *hinting;	/* pf/auto, whether it may take some or not; or NULL */
	struct mio_layer *recording;	/* the topmost trace that has events, or NULL */
	struct mio_layer *attached;	/* above os */
	const struct mio_stack_spec *spec;
	int place;			/* of pf/auto among the layers */
	struct mio_open_request request;
	int has_place;			/* it counts among the opens with such pages */
	int forks;			/* since when */
	int64_t direct_bytes;		/* memory that it has for pages read by direct I/O */
};

/* Of stack_open.c: has what happens to the file's pages recorded, if it is not already. i: place of the layer cache. */
void mio_stack_watch_pages(const struct mio_stack_spec *spec, int i, struct mio_layer *cache,
			   const struct mio_open_request *request);
/* Of stack_pages.c: the open counts no more. */
void mio_stack_leave_place(struct mio_stack *stack);

#endif
