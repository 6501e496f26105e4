#ifndef MIO_LIVE_LIVE_H
#define MIO_LIVE_LIVE_H

/*
 * Where counters lie: records of a file that the process has mapped, so that others see them while the program runs and after
 * it was killed (docs/format/live.md), or, where there is none, memory of our own. Twin of CounterFile.
 *
 * The file is made, and grows, in mio_live_reserve alone, which makes system calls; records are taken from what is there. Any
 * thread; not from a signal handler that interrupted one of these functions (the door's business).
 */

#include "live_format.h"

/*
 * At the begin of the process. setting: that of the configuration; directory: what it counts from if it is relative, "" if not
 * known. Makes no file. program: of the header, kept.
 */
void mio_live_begin(const char *setting, const char *directory, const char *program);

/* Before the layers of an open are made: there is a file and it has room for them, where that can be. engine: for the header, or NULL. */
void mio_live_reserve(const char *engine);

/*
 * The body of a record, 4048 bytes, all zero: to be filled in, and shown then. owner: body of the record a stripe belongs to, else
 * NULL; a stripe whose owner has no record gets none. Memory where there is no record left; NULL where that is gone too.
 */
void *mio_live_take(enum mio_live_kind kind, const void *owner);
/* From now on readers look at it. */
void mio_live_show(void *body);
/* Of a trace: what pf/auto below does, one of MIO_LIVE_AUTO_STATES. Any thread, as long as the record is taken. */
void mio_live_tell_auto(void *body, const char *does);
/* Nobody counts there any more. NULL is nothing. */
void mio_live_give(void *body);

/* Text that ends with a zero byte or its field; of a longer one the begin, or of a name the end. */
void mio_live_text(char *field, size_t bytes, const char *text);
void mio_live_name(char *field, int64_t *length, const char *name);

/* The process ends: the file goes, counting goes on beside. */
void mio_live_end(void);
/*
 * Before and after a call that may make the process another user's, in pairs. The file goes first, while it may be removed. It comes back if
 * the user is the same, and, among those of the new one, if the process has become that for good. Else counting goes on beside, as whoever may write there
 * would have fewer rights than the process can take back. of_all: the call was for all threads of the process.
 */
void mio_live_user_coming(void);
void mio_live_user_settled(int of_all);
/* It executes another program; that has failed. */
void mio_live_exec_coming(void);
void mio_live_exec_failed(void);
/* In a forked child: what it counts on the way back is its own; the first file it opens makes a new file. */
void mio_live_forked(void);

/* For tests: where the file is or would be; "" while there is none. */
const char *mio_live_path(void);

#endif
