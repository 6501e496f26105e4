#ifndef MIO_LAYER_FILE_SYSTEM_H
#define MIO_LAYER_FILE_SYSTEM_H

#include "layer_open.h"

/*
 * The file system that a file lies on. Twin of OpenRequest.Place. Any thread may call these. A device that is not known yet costs
 * one system call at the open. Its type is looked up when the first report asks for it, and then kept.
 */

/* Learns and keeps what only an open descriptor can tell of the file's device. request->fd must be open. */
void mio_file_system_see(const struct mio_open_request *request);

/* Type of the file system as the kernel names it, for example ext4; "unknown" if not known. The string is valid for the life of the process. */
const char *mio_file_system_type(uint64_t device);

/* Size of a sector, bytes: that of request, else that of the file system; 0 if not known. */
int64_t mio_open_sector_bytes(const struct mio_open_request *request);

/* For a forked child: frees the lock, which another thread of the parent may have held. */
void mio_file_system_forked(void);

#endif
