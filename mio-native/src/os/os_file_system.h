#ifndef MIO_OS_FILE_SYSTEM_H
#define MIO_OS_FILE_SYSTEM_H

#include <stdint.h>

#include "os_file.h"

/*
 * File systems that are more than a disk of this machine. Twin of FileSystemTypes, which knows them by the names that mounts have.
 */
struct mio_os_file_system {
	const char *type;		/* with * at its end: all names that begin so */
	enum mio_os_place place;
	uint32_t magic[3];		/* as statfs tells; 0: no more */
};

/* DISK where it is none of the table. */
enum mio_os_place mio_os_file_system_place(uint32_t magic);

/* The rows, from 0 on; NULL behind the last. */
const struct mio_os_file_system *mio_os_file_system(int row);

#endif
