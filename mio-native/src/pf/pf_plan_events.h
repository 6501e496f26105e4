#ifndef MIO_PF_PLAN_EVENTS_H
#define MIO_PF_PLAN_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "../common/text.h"
#include "pf_plan.h"

/* The reads of one file, by the name it was opened with, as the topmost trace layer saw them. */
struct mio_pf_plan_group {
	const char *path;
	uint32_t place;		/* of that layer */
	uint32_t channels;	/* opens */
	int sampled;		/* only one call in so many is there */
	size_t first, count;	/* of the reads */
};

/* What an events file (docs/format/events.md) has of reads. It may end anywhere, and hold anything. */
struct mio_pf_plan_events {
	struct mio_pf_planned_read *reads;	/* by group, and time */
	size_t read_room, read_count;
	struct mio_pf_plan_group *groups;	/* by path */
	size_t group_room, group_count;
	struct mio_text paths;
	int is_cut;				/* there are more reads than are remembered */
};

/* Of a regular file of that name. words: gets why it cannot be read. 0 or -errno; to be ended in any case. */
int mio_pf_plan_events_read(struct mio_pf_plan_events *events, const char *name, struct mio_text *words);
void mio_pf_plan_events_end(struct mio_pf_plan_events *events);

#endif
