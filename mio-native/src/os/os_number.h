#ifndef MIO_OS_NUMBER_H
#define MIO_OS_NUMBER_H

/*
 * The numbers of MIO's own descriptors, out of the way of the program's. See os_number.c. All functions: any thread. What the program's door
 * needs of this is in os_layer.h.
 */

/* 0 if one more number may be taken; -EMFILE: the program needs the rest of what the limit allows. To be called before opening. */
int mio_os_number_room(void);

/*
 * Takes over fd, which was just opened close-on-exec: it gets a high number if possible. of_file: it is open on a file that the program may have
 * locked. Returns the number it has now, or -EMFILE, and then fd is closed.
 */
int mio_os_number_keep(int fd, int of_file);

/* Makes a copy of fd and keeps it, on a high number if one is available. Returns its number, or -errno. */
int mio_os_number_copy(int fd);
/* The same, but only on a high number. */
int mio_os_number_copy_high(int fd);

/* Closes a kept number. */
void mio_os_number_close(int fd);

/* Closes a kept number of a file that the program still has open, unless the program may have POSIX locks. 1 if it is closed. */
int mio_os_number_close_unlocked(int fd);

/*
 * Brackets of opening a descriptor of a file. If it may have to stay where it lands, that must not be a free standard number, 0 to 2: whatever
 * prints to such a number would write to the file. So these numbers are taken meanwhile. No cost unless the program may have locks.
 */
enum { MIO_OS_STANDARD = 3 };
struct mio_os_standard {
	int count;
	int numbers[MIO_OS_STANDARD];
};
void mio_os_number_standard_begin(struct mio_os_standard *taken);
void mio_os_number_standard_end(struct mio_os_standard *taken);

/*
 * The program is about to use this number, which is MIO's. If it is a standard number that was taken as above, waits until it is free and returns
 * 1; else 0.
 */
int mio_os_number_standard_moved(int fd);

/* forget: a kept number that somebody else has closed is not MIO's any more. own: it is MIO's again. */
void mio_os_number_forget(int fd);
void mio_os_number_own(int fd);

/* 1 if the program may have POSIX locks. */
int mio_os_number_may_be_locked(void);

/* In a forked child: closes all; shares: they are the parent's descriptors, and stay open. */
void mio_os_number_forked(int shares);

#endif
