#ifndef MIO_STATS_HINT_H
#define MIO_STATS_HINT_H

/*
 * Where the report is, said to a person once the program has ended: for `mio run`, which sets MIO_HINT to the number of the
 * process that it becomes. Twin of ReportHint.
 */

#include <stdint.h>

#include "../common/text.h"

/* The number MIO_HINT names; 0 if value is NULL or no number. */
int mio_stats_hint_process(const char *value);

/* report in PATH; look at it with: mio stats PATH. The second one as a shell reads it. */
void mio_stats_hint_add(struct mio_text *text, const char *path);

/*
 * That nothing was recorded, for `mio run --events FILE`: it has taken a former run's file away, and there is none. MIO_HINT_EVENTS is
 * PROCESS DOOR FILE, and meant for one door.
 */
struct mio_stats_events_hint {
	_Atomic int process;		/* who says it; 0: nobody */
	char *path;
	uint64_t device, inode;		/* of what standard error was at the begin */
};

/* value may be NULL. */
void mio_stats_events_hint_begin(struct mio_stats_events_hint *hint, const char *value);
/* 1 if this process has to say it now. Once. */
int mio_stats_events_hint_is_due(struct mio_stats_events_hint *hint);
/* 1 if standard error is still what it was: a program may have closed it and opened a file of its own there. */
int mio_stats_events_hint_has_stderr(const struct mio_stats_events_hint *hint);
/* no file that is traced was opened: there are no events, and PATH was not made */
void mio_stats_events_hint_add(struct mio_text *text, const char *path);

#endif
