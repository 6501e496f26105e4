#ifndef MIO_STATS_RECOV_H
#define MIO_STATS_RECOV_H

/* Messages of a recov layer (reference 4.6): that a call is tried again, or that it is not any more. Twin of RecovMessage. */

#include "stats.h"

/* The call is tried again. */
enum { MIO_RECOV_GOES_ON = 0 };

struct mio_recov_message {
	const char *file;	/* name as the program gave it */
	const char *call;	/* what failed: open, read, write or allocate */
	int error;		/* errno, above 0 */
	const char *command;	/* what was run before the attempt; "" if nothing was */
	int64_t attempt;	/* number of the attempt, from 1; 0 where there was none */
	int64_t retry;		/* attempts allowed */
	int64_t result;		/* MIO_RECOV_GOES_ON, or what the program gets: the bytes written, -1 for the error */
};

/* The line, ended. */
void mio_recov_message_classic(const struct mio_recov_message *message, struct mio_text *text);
/* The object on a line; its members are specified in docs/format/stats.md. */
void mio_recov_message_json(const struct mio_recov_message *message, struct mio_text *text);

/*
 * Writes what happened to one call, in one piece. If it cannot be written now, because the disk that the call has found no
 * space on is that of the reports too, it is written with the next entry. target: stats file, mioout, or NULL: not written.
 */
void mio_stats_output_recovered(struct mio_stats_output *output, const char *target,
				const struct mio_recov_message *messages, int count);

#endif
