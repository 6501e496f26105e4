#ifndef MIO_STACK_OPEN_H
#define MIO_STACK_OPEN_H

/* The inside of a stack, shared by stack_open.c, which makes it, and stack_front.c, which runs it. */

#include "stack.h"

struct mio_stack {
	struct mio_layer *top;		/* below the front */
	struct mio_layer *os;
	struct mio_pf_file *file;	/* entered */
	struct mio_file_report *report;
	char *name;			/* copy of the program's name for the file */
	size_t name_bytes;
	int has_cache;
	int gated;			/* always; else while the file has pages */
	int may_rest;			/* its only layer is pf/auto: what that need not see may go by all layers */
	int cio;
	int64_t alignment_bytes;	/* multiple that a write must be of to share the gate with cio; 1: any */
};

#endif
