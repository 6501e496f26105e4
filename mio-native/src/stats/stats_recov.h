#ifndef MIO_STATS_RECOV_H
#define MIO_STATS_RECOV_H

/* Messages of a recov layer (reference 4.6): a call is tried again, or is given up. Twin of RecovMessage. */

#include "stats.h"

/* Value of result if the call is tried again. */
enum { MIO_RECOV_GOES_ON = 0 };

struct mio_recov_message {
	const char *file;	/* name of the file as the program gave it */
	const char *call;	/* the call that failed: open, read, write or allocate */
	int error;		/* positive errno */
	const char *command;	/* command that ran before the attempt; "": none */
	int64_t attempt;	/* number of the attempt, from 1; 0: there was none */
	int64_t retry;		/* number of attempts allowed */
	int64_t result;		/* MIO_RECOV_GOES_ON, or what the program gets: bytes written, or -1 for the error */
};

/* Adds the message as a line of classic text. */
void mio_recov_message_classic(const struct mio_recov_message *message, struct mio_text *text);
/* Adds the message as an object on one line; docs/format/stats.md specifies its members. */
void mio_recov_message_json(const struct mio_recov_message *message, struct mio_text *text);

/*
 * Writes what happened to one call as one entry. If that fails now, maybe because the reports are on the same full disk as the
 * file of the call, it is written with the next entry. target: stats file, mioout, or NULL: not written.
 */
void mio_stats_output_recovered(struct mio_stats_output *output, const char *target,
				const struct mio_recov_message *messages, int count);

#endif
