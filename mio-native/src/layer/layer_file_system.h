#ifndef MIO_LAYER_FILE_SYSTEM_H
#define MIO_LAYER_FILE_SYSTEM_H

#include "layer_open.h"

/*
 * The file system a file lies on. Twin of OpenRequest.Place. Any thread. A device that is not known yet costs one
 * system call at the open; its type is looked up when the first report asks for it, and then kept.
 */

/* While request->fd is open: learn what can be asked of the descriptor alone. */
void mio_file_system_see(const struct mio_open_request *request);

/* Type as the kernel names it, for example ext4; "unknown" if not known. Valid for ever. */
const char *mio_file_system_type(uint64_t device);

/* Size of a sector, bytes: as request says, or as the file system does; 0 if not known. */
int64_t mio_open_sector_bytes(const struct mio_open_request *request);

/* In a forked child: a lock that another thread of the parent held is free again. */
void mio_file_system_forked(void);

#endif
