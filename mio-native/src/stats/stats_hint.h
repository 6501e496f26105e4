#ifndef MIO_STATS_HINT_H
#define MIO_STATS_HINT_H

/*
 * Tells a person where the report is when the program has ended. It is for `mio run`, which sets MIO_HINT to the number of
 * the process that it becomes. Twin of ReportHint.
 */

#include <stdint.h>

#include "../common/text.h"

/* The number of the process that MIO_HINT names; 0 if value is NULL or no number. */
int mio_stats_hint_process(const char *value);

/* Adds "report in PATH; look at it with: mio stats PATH". The second PATH is quoted for a shell. */
void mio_stats_hint_add(struct mio_text *text, const char *path);

/*
 * Tells that no events were recorded, for `mio run --events FILE`: mio run has removed the file of an earlier run, and there is no new one.
 * MIO_HINT_EVENTS is PROCESS DOOR FILE, and meant for one door only.
 */
struct mio_stats_events_hint {
	_Atomic int process;		/* the process that tells it; 0: none */
	char *path;
	uint64_t device, inode;		/* what standard error was when the process began; inode 0: not known */
};

/* value may be NULL. */
void mio_stats_events_hint_begin(struct mio_stats_events_hint *hint, const char *value);
/* 1 if this process has to tell it now; only once. */
int mio_stats_events_hint_is_due(struct mio_stats_events_hint *hint);
/* 1 if standard error is still what it was at the beginning: the program may have closed it and opened a file of its own there. */
int mio_stats_events_hint_has_stderr(const struct mio_stats_events_hint *hint);
/* Adds "no file that is traced was opened: there are no events, and PATH was not made". */
void mio_stats_events_hint_add(struct mio_text *text, const char *path);

#endif
