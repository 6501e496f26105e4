/*
 * See os_descriptor.h. A user counts itself in the current place and then checks that it is still current; a move changes the
 * current place first and then checks the count.
 */
#include "os_descriptor.h"

#include <string.h>

#include "../common/lock.h"
#include "os_number.h"

void mio_os_descriptor_init(struct mio_os_descriptor *descriptor, int number)
{
	memset(descriptor, 0, sizeof(*descriptor));
	descriptor->places[0].number = number;
}

void mio_os_descriptor_let_go(struct mio_os_descriptor *descriptor, uint32_t place)
{
	if (atomic_fetch_sub(&descriptor->places[place].users, 1) == 1 && atomic_load(&descriptor->moving))
		mio_futex_wake_all(&descriptor->places[place].users);
}

int mio_os_descriptor_hold(struct mio_os_descriptor *descriptor, uint32_t *place)
{
	for (;;) {
		uint32_t current = atomic_load(&descriptor->current);

		atomic_fetch_add(&descriptor->places[current].users, 1);
		if (atomic_load(&descriptor->current) == current) {
			*place = current;
			return descriptor->places[current].number;
		}
		mio_os_descriptor_let_go(descriptor, current);
	}
}

int mio_os_descriptor_number(struct mio_os_descriptor *descriptor)
{
	return descriptor->places[atomic_load(&descriptor->current)].number;
}

int mio_os_descriptor_move(struct mio_os_descriptor *descriptor)
{
	uint32_t from = atomic_load(&descriptor->current);
	int old = descriptor->places[from].number;
	int number = mio_os_number_copy(old);
	uint32_t users;

	if (number < 0)
		return number;
	descriptor->places[!from].number = number;
	atomic_store(&descriptor->moving, 1);
	atomic_store(&descriptor->current, !from);
	while ((users = atomic_load(&descriptor->places[from].users)) != 0)
		mio_futex_wait(&descriptor->places[from].users, users, -1);
	atomic_store(&descriptor->moving, 0);
	mio_os_number_close(old);
	return 0;
}

void mio_os_descriptor_close(struct mio_os_descriptor *descriptor)
{
	mio_os_number_close(mio_os_descriptor_number(descriptor));
}
