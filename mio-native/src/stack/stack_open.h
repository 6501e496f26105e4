#ifndef MIO_STACK_OPEN_H
#define MIO_STACK_OPEN_H

/* The inside of a stack: stack_open.c makes it, stack_front.c runs it, and stack_pages.c gives it pages later. */

#include "stack.h"

struct mio_stack {
	struct mio_stack_head head;	/* must be the first member */
	struct mio_layer *top;		/* the layer directly below the front */
	struct mio_layer *os;
	struct mio_pf_file *file;	/* entered by mio_pf_file_enter */
	struct mio_file_report *report;
	char *name;			/* copy of the program's name for the file */
	size_t name_bytes;
	const char *debugs;		/* os/debug: name of the last layer, whose close prints a line; else NULL */
	int has_cache;
	int is_own;			/* the last layer works on descriptors of MIO's own */
	int gated;			/* 1: requests always take the gate; 0: only while the file has pages */
	int writes_ungated;		/* 1: its file counts it as an open that writes without the gate */
	int may_rest;			/* 1: pf/auto is its only layer, so reads that pf/auto need not see may go past all layers */
	int cio;			/* the rule says mio/cio */
	int64_t alignment_bytes;	/* with cio, a write shares the gate only if offset and length are multiples of this; 1: any */

	/* For pages that the open may take later. */
	struct mio_layer *automatic;	/* the pf/auto that may take pages; NULL: no pages are taken */
	struct mio_layer *hinting;	/* a pf/auto, whether it may take pages or not; or NULL */
	struct mio_layer *shown;	/* the trace next to the program, or NULL */
	struct mio_layer *recording;	/* the topmost trace that has events, or NULL */
	struct mio_layer *attached;	/* the attached layer (mio_pf_attached_make); NULL in a stack made with a cache */
	const struct mio_stack_spec *spec;
	int place;			/* place of automatic among the layers */
	struct mio_open_request request;
	int has_place;			/* 1: counted among the opens with such pages (stack_pages.c) */
	int forks;			/* number of forks, as stack_pages.c counts them, when it was counted there */
	int64_t direct_bytes;		/* size of the cache for pages read by direct I/O, bytes; 0: none */
};

/* Of stack_open.c: has what happens to the file's pages recorded, unless it is recorded already. i: place of the layer cache in the rule. */
void mio_stack_watch_pages(const struct mio_stack_spec *spec, int i, struct mio_layer *cache,
			   const struct mio_open_request *request);
/* Of stack_pages.c: the open no longer counts among those with pages. */
void mio_stack_leave_place(struct mio_stack *stack);

#endif
