#ifndef MIO_RECOV_FILE_H
#define MIO_RECOV_FILE_H

/* What all calls on one open file share, or the calls of one failing open; and the attempts of one failed call. Twin of RecovFile, Attempts and Failure. */

#include "../config/config.h"
#include "../stats/stats_recov.h"
#include "recov_command.h"

/* Calls that are tried again. */
enum mio_recov_call { MIO_RECOV_OPEN, MIO_RECOV_READ, MIO_RECOV_WRITE, MIO_RECOV_ALLOCATE };

struct mio_recov_file {
	const struct mio_layer_spec *spec;
	const char *file;	/* name of the file as the program gave it */
	struct mio_stats_output *output;
	int full_write;		/* 1: a write that finds no space, or only for a part, is tried again until it is whole */
	int64_t retry;		/* number of further attempts for each call */
	const char *target;	/* where the messages go, or NULL */
	struct mio_recov_commands commands;
};

/* file must be all zero. */
void mio_recov_file_init(struct mio_recov_file *file, const struct mio_layer_spec *spec, const char *name,
			 struct mio_stats_output *output);

/* 1 if another attempt may help against error (-errno). */
int mio_recov_may_help(const struct mio_recov_file *file, enum mio_recov_call call, int64_t error);

/*
 * The attempts of one call. Its messages are written together when the call ends, because the full disk may be that of the
 * messages. Ready to use with file and call set and the rest zero. Without a failure it costs nothing.
 */
struct mio_recov_attempts {
	struct mio_recov_file *file;
	enum mio_recov_call call;
	int64_t count;
	struct mio_recov_message *messages;
	int used, room;
};

/* Runs the command that may help, and returns 1 to try again, else 0. error: -errno of the last attempt; moved: bytes moved so far. */
int mio_recov_attempts_again(struct mio_recov_attempts *attempts, int64_t error, int64_t moved);
/* The call has succeeded, maybe without any failed attempt. */
void mio_recov_attempts_succeeded(struct mio_recov_attempts *attempts);

#endif
