#ifndef MIO_LIVE_LIVE_H
#define MIO_LIVE_LIVE_H

/*
 * Where counters lie: in records of a file that the process has mapped, so that other processes see them while the program runs
 * and after it was killed (docs/format/live.md). Without such a file, or without a free record, they are in plain memory. Twin
 * of CounterFile.
 *
 * Only mio_live_reserve makes the file and makes it longer, with system calls. Records are taken from the space that is there.
 * Any thread may call these functions, but no signal handler that interrupted one of them; the door takes care of that.
 */

#include "live_format.h"

/*
 * Call it when the process begins; it makes no file. setting: the setting live of the configuration. directory: where setting begins if it
 * is a relative path; "" if not known. program: for the header; it must stay valid.
 */
void mio_live_begin(const char *setting, const char *directory, const char *program);

/* Call it before the layers of an open are made: makes the file and room in it for their records, if possible. engine: for the header, or NULL. */
void mio_live_reserve(const char *engine);

/*
 * The body of a record, 4048 bytes, all zero. The caller fills it in, then calls mio_live_show. owner: the body of the record that a stripe
 * or decisions belong to, else NULL; if it has no record, they get none. If there is no record, plain memory, but for decisions NULL; NULL without memory.
 */
void *mio_live_take(enum mio_live_kind kind, const void *owner);
/* Marks the record as in use: from now on readers look at it. */
void mio_live_show(void *body);
/* For a trace record: notes what pf/auto below does, one of MIO_LIVE_AUTO_STATES. Any thread, until the record is given back. */
void mio_live_tell_auto(void *body, const char *does);
/*
 * Shows a decision of pf/auto and its reason in a record of its own, beside the record of a trace. decisions: the body of that record, which is made with the
 * first decision; NULL before. Any thread, until the trace's record is given back.
 */
void mio_live_decided(_Atomic(struct mio_live_decisions *) *decisions, const void *trace, const char *what, const char *reason);
/* Gives a record back, in which nobody counts any more. NULL does nothing. */
void mio_live_give(void *body);

/* Fill a field with text. The text ends with a zero byte, or fills the field: mio_live_text cuts off its end, mio_live_name its beginning. */
void mio_live_text(char *field, size_t bytes, const char *text);
void mio_live_name(char *field, int64_t *length, const char *name);

/* The process ends: removes the file. Counting goes on in the mapped memory. */
void mio_live_end(void);
/*
 * Call them in pairs, before and after a call that may give the process to another user. The first one removes the file, while the process still may. The
 * second one makes it again if the user is the same, or, as a file of the new user, if the process has become that user for good. Else counting goes on in
 * memory only: a user who may write to the file would have fewer rights than the process can take back. of_all: the call was for all threads of the process.
 */
void mio_live_user_coming(void);
void mio_live_user_settled(int of_all);
/* The process is about to execute another program; the exec has failed. */
void mio_live_exec_coming(void);
void mio_live_exec_failed(void);
/* For a forked child: what an interrupted call still counts is counted in memory of the child. The first file it opens makes a new live file. */
void mio_live_forked(void);

/* For tests: the path of the file, or what it would be; "" while there is none. */
const char *mio_live_path(void);

#endif
