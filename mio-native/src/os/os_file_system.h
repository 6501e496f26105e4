#ifndef MIO_OS_FILE_SYSTEM_H
#define MIO_OS_FILE_SYSTEM_H

#include <stdint.h>

#include "os_file.h"

/* File systems other than a disk of this machine. Twin of FileSystemTypes, which knows them by the names that mounts show. */
struct mio_os_file_system {
	const char *type;		/* with * at its end: all names that begin with the rest */
	enum mio_os_place place;
	uint32_t magic[3];		/* f_type of statfs(2); unused elements are 0 */
};

/* MIO_OS_PLACE_DISK for a number that is not in the table. */
enum mio_os_place mio_os_file_system_place(uint32_t magic);

/* The rows of the table, from 0 on; NULL after the last. */
const struct mio_os_file_system *mio_os_file_system(int row);

#endif
