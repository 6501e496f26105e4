#ifndef MIO_CONFIG_FILE_H
#define MIO_CONFIG_FILE_H

#include "../common/text.h"

/* 1 if there is a regular file of this name. */
int mio_config_file_is_regular(const char *name);

/* 1 if name is a pipe, socket or device, except below /dev and /proc. Opening a pipe by its name waits for a writer, maybe for ever. */
int mio_config_file_may_wait(const char *name);

/* Adds the whole file to text. 0, -errno, or -EFBIG: the file is larger than any settings file (4 MiB). */
int mio_config_file_read(const char *name, struct mio_text *text);

/* The C library's message for an error (a positive errno) of reading a file; NULL for an error that is not in the list. */
const char *mio_config_error_text(int error);

#endif
