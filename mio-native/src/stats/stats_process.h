#ifndef MIO_STATS_PROCESS_H
#define MIO_STATS_PROCESS_H

/* What reports say about this process. Twin of ProcessFacts. */

#include "../common/text.h"

/* The last part of the name by which the program was started (argv[0]), fit for a file name. The string is never freed. */
const char *mio_stats_program(void);

/* Adds the name of the machine. */
void mio_stats_add_host(struct mio_text *text);

/* Adds name with its placeholders filled in: %p process id, %h host, %x program, %% a per cent sign. */
void mio_stats_add_expanded(struct mio_text *text, const char *name, size_t length);

/*
 * Adds path as a path from the root, seen from directory, without . and .. and doubled slashes; symbolic links are not looked at. directory "": a relative
 * path stays relative.
 */
void mio_stats_add_absolute(struct mio_text *text, const char *directory, const char *path);

/*
 * The program closes the descriptors from first to last, or makes fd a copy of another one. After a close of 1 or 2 the program
 * may get that number for any file, so MIO writes no text there any more. A copy is a redirection: fd is a standard stream again.
 */
void mio_stats_standard_closed(unsigned int first, unsigned int last);
void mio_stats_standard_copied(int fd);
/* 1 if fd, which is 1 or 2, is what it was at the start, or was redirected. */
int mio_stats_is_standard(int fd);

/* Writes "mio: TEXT" to the program's standard error: the one line that MIO may write when something cannot be done as asked. */
void mio_stats_host_line(const char *text);
/* Writes that line about bytes of the named file that could not be written. error: a positive errno. lost: what becomes of the bytes. */
void mio_stats_say_lost(const char *name, int error, const char *lost);

/*
 * Writes all bytes, with as many calls as needed. If the descriptor does not block, this function waits for a slow reader; -EAGAIN means that the
 * reader took nothing for 2 seconds. Returns 0 or -errno; *written: bytes written. A reader that is gone, and a limit on the size of files, are
 * errors here and never a signal to the program.
 */
int mio_stats_write(int fd, const char *bytes, size_t count, size_t *written);

#endif
