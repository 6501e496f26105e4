#ifndef MIO_RECOV_COMMAND_H
#define MIO_RECOV_COMMAND_H

/*
 * Runs the commands of one open file with /bin/sh -c, while the call that failed waits. Twin of RecovCommand.
 *
 * The command reads nothing (/dev/null) and what it prints is dropped: the program's streams are the program's, and it gets no
 * other descriptor either. It may run as long as it likes, as it may be there to wait; the close of the file ends it. MIO
 * is switched off in it. A process with raised rights runs none.
 */

#include "../common/lock.h"

/* What became of a command. */
enum mio_recov_outcome {
	MIO_RECOV_RAN,		/* its exit status says nothing */
	MIO_RECOV_NOT_RUN,	/* it could not be started, or must not be */
	MIO_RECOV_STOPPED	/* it was ended, or not started, because nobody waits for it any longer */
};

struct mio_recov_running;

/* Ready when all zero. */
struct mio_recov_commands {
	struct mio_lock lock;
	struct mio_recov_running *running;
	int stopped;
};

/* Runs it to its end. variables: NAME=VALUE, up to NULL, added to the environment. */
enum mio_recov_outcome mio_recov_command_run(struct mio_recov_commands *commands, const char *command,
					     const char *const *variables);

/* Ends what runs; nothing is started any more. */
void mio_recov_commands_stop(struct mio_recov_commands *commands);

/* 1 if the process runs with rights its user has not got: set-uid, set-gid or the like. Twin of ProcessRights. */
int mio_recov_rights_are_raised(void);

#endif
