#ifndef MIO_RECOV_COMMAND_H
#define MIO_RECOV_COMMAND_H

/*
 * Runs the commands of one open file with /bin/sh -c, while the failed call waits. Twin of RecovCommand.
 *
 * A command reads from /dev/null, and what it prints is dropped: the program's streams belong to the program. The command gets no
 * other descriptor of the program either. It may run for any time, because its purpose may be to wait; the close of the file ends
 * it. MIO is switched off in it. A process with raised rights runs no command.
 */

#include "../common/lock.h"

/* What became of a command. */
enum mio_recov_outcome {
	MIO_RECOV_RAN,		/* it ran to its end; its exit status is not used */
	MIO_RECOV_NOT_RUN,	/* it could not be started, or must not be started */
	MIO_RECOV_STOPPED	/* it was killed, or not started, because no call waits for it any longer */
};

struct mio_recov_running;

/* The commands of one open file that run now. All zero: ready to use. */
struct mio_recov_commands {
	struct mio_lock lock;
	struct mio_recov_running *running;
	int stopped;
};

/* Runs a command to its end. variables: strings NAME=VALUE that are added to the environment; the list ends with NULL. */
enum mio_recov_outcome mio_recov_command_run(struct mio_recov_commands *commands, const char *command,
					     const char *const *variables);

/* Kills the commands that run; from then on none is started. */
void mio_recov_commands_stop(struct mio_recov_commands *commands);

/* 1 if the process has rights that its user does not have: set-uid, set-gid or the like; also if that cannot be found out. Twin of ProcessRights. */
int mio_recov_rights_are_raised(void);

#endif
