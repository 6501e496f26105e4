#ifndef MIO_OS_ROOM_H
#define MIO_OS_ROOM_H

#include <stdint.h>

/*
 * Memory that could keep pages of files for this process, bytes: what the machine has available, and within the limits of every memory cgroup (version 1
 * or 2) that it is in: what they have free beside what is no file's. INT64_MAX: not known. Reads some ten small files of /proc and /sys.
 */
int64_t mio_os_room(void);

/* The same with all names below root, for tests. */
int64_t mio_os_room_below(const char *root);

#endif
