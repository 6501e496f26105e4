#ifndef MIO_TEST_PLACE_H
#define MIO_TEST_PLACE_H

/* What a directory's file system is to pf/auto: it leaves files in memory, on servers and of FUSE to the kernel. */

#include "../src/os/os_file.h"

#include <fcntl.h>
#include <unistd.h>

static inline int test_auto_serves(const char *directory)
{
	int fd = open(directory, O_PATH | O_CLOEXEC);
	int serves = fd >= 0 && mio_os_file_place(fd) == MIO_OS_PLACE_DISK;

	close(fd);
	return serves;
}

#endif
