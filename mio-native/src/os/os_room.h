#ifndef MIO_OS_ROOM_H
#define MIO_OS_ROOM_H

#include <stdint.h>

/*
 * How much memory could hold pages of files for this process, bytes. It is what the machine has available, but at most what is free in every
 * memory cgroup (version 1 or 2) that the process is in, where memory of files counts as free. INT64_MAX: the system tells no limit. -1: not known, as
 * descriptors or memory are lacking to find out. Reads some ten small files of /proc and /sys.
 */
int64_t mio_os_room(void);

/* The same with root put before all names, for tests. */
int64_t mio_os_room_below(const char *root);

#endif
