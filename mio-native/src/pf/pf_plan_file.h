#ifndef MIO_PF_PLAN_FILE_H
#define MIO_PF_PLAN_FILE_H

#include "pf_plan.h"
#include "pf_stream.h"

/*
 * A plan of this process, and the run that follows it. Each events file is read once. A plan outlives the opens of the file that follows it: when the file is
 * opened again, the run goes on from its place in the plan. Twin of PlanFile and PlanRun.
 */
struct mio_pf_plan_run {
	struct mio_pf_plan plan;	/* used by one file at a time, under the lock of its cache */
	struct mio_pf_stream stream;	/* holds the distance of readahead by the plan */
	/* Under the lock of the plans. */
	int in_use;
	int is_cut;			/* the events file has more reads than are remembered */
	struct mio_pf_plan_run *next;	/* of the same recorded file, with another page size */
};

/*
 * Takes the plan of a file from an events file; it is to be given back. path: of the events file, NULL: there was no memory for it; name: of the file, as the
 * program gives it. NULL if there is no plan, or if it is in use: *none is the reason then, in words that stay as long as the process.
 */
struct mio_pf_plan_run *mio_pf_plan_take(const char *path, const char *name, int64_t page_bytes, const char **none);
/* Gives a plan back; NULL does nothing. */
void mio_pf_plan_give_back(struct mio_pf_plan_run *run);

/* To be called in a forked child: it has no plans, and reads the events files that it needs itself. */
void mio_pf_plans_forked(void);

#endif
