#ifndef MIO_OS_DESCRIPTOR_H
#define MIO_OS_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A descriptor of MIO's own on a file, which can get another number while it is used: the program may want its number. Who uses the
 * number holds it; the old one is given up when the last who holds it has let go.
 */
struct mio_os_descriptor {
	_Atomic uint32_t current;	/* of places */
	_Atomic uint32_t moving;
	struct {
		int number;
		_Atomic uint32_t users;
	} places[2];
};

/* number: kept, see os_number.h. */
void mio_os_descriptor_init(struct mio_os_descriptor *descriptor, int number);

/* The number, good until it is let go with the same place. */
int mio_os_descriptor_hold(struct mio_os_descriptor *descriptor, uint32_t *place);
void mio_os_descriptor_let_go(struct mio_os_descriptor *descriptor, uint32_t place);

/* The number now, for who keeps others from moving it. */
int mio_os_descriptor_number(struct mio_os_descriptor *descriptor);

/*
 * Go to another number; the old one is closed, which drops the process's POSIX locks on the file. Waits until nobody uses it. One at a time. 0 or -errno.
 */
int mio_os_descriptor_move(struct mio_os_descriptor *descriptor);

/* Nobody uses it any more. */
void mio_os_descriptor_close(struct mio_os_descriptor *descriptor);

#endif
