#ifndef MIO_OS_DESCRIPTOR_H
#define MIO_OS_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A descriptor of MIO's own on a file. It can move to another number while it is in use, as the program may want its number. A user
 * holds the number; the old one is closed when its last user has let go.
 */
struct mio_os_descriptor {
	_Atomic uint32_t current;	/* index into places */
	_Atomic uint32_t moving;
	struct {
		int number;
		_Atomic uint32_t users;
	} places[2];
};

/* number: a kept one, see os_number.h. */
void mio_os_descriptor_init(struct mio_os_descriptor *descriptor, int number);

/* The number, valid until it is let go with the same place. */
int mio_os_descriptor_hold(struct mio_os_descriptor *descriptor, uint32_t *place);
void mio_os_descriptor_let_go(struct mio_os_descriptor *descriptor, uint32_t place);

/* The current number, for a caller that keeps others from moving it. */
int mio_os_descriptor_number(struct mio_os_descriptor *descriptor);

/*
 * Moves to another number and closes the old one, which drops the process's POSIX locks on the file. Waits until nobody uses the old
 * one. One call at a time. 0 or -errno.
 */
int mio_os_descriptor_move(struct mio_os_descriptor *descriptor);

/* Closes it; nobody uses it any more. */
void mio_os_descriptor_close(struct mio_os_descriptor *descriptor);

#endif
