#ifndef MIO_PF_PLAN_FILE_H
#define MIO_PF_PLAN_FILE_H

#include "../common/text.h"
#include "pf_plan.h"
#include "pf_stream.h"

/*
 * The plans of this process. An events file is read once; plans outlive the file that goes by them: when it is opened again it
 * goes on where it was. Twin of PlanFile and PlanRun.
 */
struct mio_pf_plan_run {
	struct mio_pf_plan plan;	/* of one file at a time, under the lock of its cache */
	struct mio_pf_stream stream;	/* has the distance */
	/* Under the lock of the plans. */
	int in_use;
	struct mio_pf_plan_run *next;
};

/*
 * The plan of a file by that events file, to be given back. name: of the file, as the program gives it. words: gets a line that
 * says which it is, or why there is none. NULL if there is none, or it is in use.
 */
struct mio_pf_plan_run *mio_pf_plan_take(const char *path, const char *name, int64_t page_bytes, struct mio_text *words);
/* NULL is nothing. */
void mio_pf_plan_give_back(struct mio_pf_plan_run *run);

/* In a forked child, which reads anew what it needs. */
void mio_pf_plans_forked(void);

#endif
