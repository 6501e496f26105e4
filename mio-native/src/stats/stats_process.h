#ifndef MIO_STATS_PROCESS_H
#define MIO_STATS_PROCESS_H

/* What reports say about this process. Twin of ProcessFacts. */

#include "../common/text.h"

/* Last part of the program's name as it was started (argv[0]), fit for a file name. Valid for ever. */
const char *mio_stats_program(void);

/* Name of the machine. */
void mio_stats_add_host(struct mio_text *text);

/* The name with what stands for something filled in: %p process id, %h host, %x program, %% a per cent sign. */
void mio_stats_add_expanded(struct mio_text *text, const char *name, size_t length);

/* The path from the root, seen from directory, without . and .. and doubled slashes; what is a link is not asked. directory "": as it is. */
void mio_stats_add_absolute(struct mio_text *text, const char *directory, const char *path);

/*
 * The program closes numbers from first to last, or makes one a copy of another. Who closes 1 or 2 may get the number for
 * anything: text of MIO's goes there no more. A copy is a redirection: a standard stream as before.
 */
void mio_stats_standard_closed(unsigned int first, unsigned int last);
void mio_stats_standard_copied(int fd);
/* 1 if 1 or 2 still is what it was at the start, or was redirected. */
int mio_stats_is_standard(int fd);

/* The one line MIO may write to the host's stderr when something cannot go on as asked: mio: TEXT. */
void mio_stats_host_line(const char *text);
/* The line of bytes of the file of this name that could not be written; lost: what becomes of them. error: an errno. */
void mio_stats_say_lost(const char *name, int error, const char *lost);

/*
 * Writes all of it, by as many calls as it takes; where the descriptor does not wait, one waits here for a reader that is slow, and -EAGAIN says that
 * it took nothing for 2 seconds. Returns 0 or -errno; *written: how much was. A reader that is gone and
 * a limit on the size of files are errors here, never a signal to the program.
 */
int mio_stats_write(int fd, const char *bytes, size_t count, size_t *written);

#endif
