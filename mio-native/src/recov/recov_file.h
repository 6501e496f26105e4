#ifndef MIO_RECOV_FILE_H
#define MIO_RECOV_FILE_H

/* What all calls on one open file, or one open, share; and the attempts of one call that failed. Twin of RecovFile, Attempts and Failure. */

#include "../config/config.h"
#include "../stats/stats_recov.h"
#include "recov_command.h"

/* Calls that are tried again. */
enum mio_recov_call { MIO_RECOV_OPEN, MIO_RECOV_READ, MIO_RECOV_WRITE, MIO_RECOV_ALLOCATE };

struct mio_recov_file {
	const struct mio_layer_spec *spec;
	const char *file;	/* as the program named it */
	struct mio_stats_output *output;
	int full_write;		/* a write must be whole: one that finds no space is tried again */
	int64_t retry;		/* further attempts per call */
	const char *target;	/* of the messages, or NULL */
	struct mio_recov_commands commands;
};

/* All zero before. */
void mio_recov_file_init(struct mio_recov_file *file, const struct mio_layer_spec *spec, const char *name,
			 struct mio_stats_output *output);

/* 1 if another attempt may help against error (-errno). */
int mio_recov_may_help(const struct mio_recov_file *file, enum mio_recov_call call, int64_t error);

/*
 * The attempts of one call. Its messages are written when it is over, in one piece: the disk that is full may be that of the
 * messages. Ready when all but file and call are zero; costs nothing without a failure.
 */
struct mio_recov_attempts {
	struct mio_recov_file *file;
	enum mio_recov_call call;
	int64_t count;
	struct mio_recov_message *messages;
	int used, room;
};

/* Does what may help, and says whether to try again: 1 or 0. error: -errno of the last attempt; moved: bytes so far. */
int mio_recov_attempts_again(struct mio_recov_attempts *attempts, int64_t error, int64_t moved);
/* The last attempt succeeded, or there was no failure at all. */
void mio_recov_attempts_succeeded(struct mio_recov_attempts *attempts);

#endif
