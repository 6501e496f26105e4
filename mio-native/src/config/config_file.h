#ifndef MIO_CONFIG_FILE_H
#define MIO_CONFIG_FILE_H

#include "../common/text.h"

/* 1 if there is a regular file of this name. */
int mio_config_file_is_regular(const char *name);

/* 1 if there is a pipe or the like: whoever opens one by its name waits for another who writes to it, which may be for ever. */
int mio_config_file_may_wait(const char *name);

/* Adds all of a file to text. 0, -errno, or -EFBIG: no file of settings is that large. */
int mio_config_file_read(const char *name, struct mio_text *text);

/* What the C library calls an error (above 0) that reading a file can have; NULL if it is none of those. */
const char *mio_config_error_text(int error);

#endif
