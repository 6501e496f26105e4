#ifndef MIO_PF_PLAN_EVENTS_H
#define MIO_PF_PLAN_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "../common/text.h"
#include "pf_plan.h"

/* The reads of one file, known by the name it was opened with, as the topmost trace layer saw them. */
struct mio_pf_plan_group {
	const char *path;
	uint32_t place;		/* of that trace layer among the layers */
	uint32_t channels;	/* number of opens */
	int sampled;		/* only a part of the calls was recorded (events_sample) */
	size_t first, count;	/* its reads: index of the first one, and how many */
};

/* The reads in an events file (docs/format/events.md). The file may end anywhere and contain anything: it may be cut, damaged or hostile. */
struct mio_pf_plan_events {
	struct mio_pf_planned_read *reads;	/* ordered by group, then by time */
	size_t read_room, read_count;
	struct mio_pf_plan_group *groups;	/* ordered by path */
	size_t group_room, group_count;
	struct mio_text paths;			/* of all files, each ended by a zero byte */
	int is_cut;				/* the file has more reads than are remembered */
};

/* Reads the regular file of that name. words: gets the reason if it cannot be read. 0 or -errno; mio_pf_plan_events_end is to be called in any case. */
int mio_pf_plan_events_read(struct mio_pf_plan_events *events, const char *name, struct mio_text *words);
void mio_pf_plan_events_end(struct mio_pf_plan_events *events);

#endif
