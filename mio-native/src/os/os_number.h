#ifndef MIO_OS_NUMBER_H
#define MIO_OS_NUMBER_H

/*
 * The numbers of MIO's own descriptors, out of the way of the program's. See os_number.c. All functions: any thread.
 * What the program's door needs of it is in os_layer.h.
 */

/* 0 if one more may be taken; -EMFILE: the program needs the rest of what the limit allows. Ask before opening. */
int mio_os_number_room(void);

/*
 * Take over fd, which was just opened close-on-exec: it gets a high number if it can. of_file: it is open on a file that the
 * program may have locked. Returns its number now, or -EMFILE, and then it is closed.
 */
int mio_os_number_keep(int fd, int of_file);

/* A copy of fd, kept: on a high number if there is one. Or -errno. */
int mio_os_number_copy(int fd);
/* The same, or nothing. */
int mio_os_number_copy_high(int fd);

/* Close one that is kept. */
void mio_os_number_close(int fd);

/* The same of one of a file, while the program still has that open, unless it may have locked it. 1 if it is closed. */
int mio_os_number_close_unlocked(int fd);

/*
 * Around the opening of a descriptor of a file: what may have to stay where it lands must not land on a free standard number, 0 to 2, for whoever prints
 * would write the file. They are taken meanwhile. No cost unless the program may have locks.
 */
enum { MIO_OS_STANDARD = 3 };
struct mio_os_standard {
	int count;
	int numbers[MIO_OS_STANDARD];
};
void mio_os_number_standard_begin(struct mio_os_standard *taken);
void mio_os_number_standard_end(struct mio_os_standard *taken);

/* The program is about to have such a number, which is MIO's: waits until it is free. 1 if it is then; 0: it is no such number. */
int mio_os_number_standard_moved(int fd);

/* One that is kept, and that somebody else has closed: it is not MIO's any more. And one that is again. */
void mio_os_number_forget(int fd);
void mio_os_number_own(int fd);

/* 1 if the program may have POSIX locks. */
int mio_os_number_may_be_locked(void);

/* In a forked child: close all; shares: they are the descriptors of the parent, and stay open. */
void mio_os_number_forked(int shares);

#endif
