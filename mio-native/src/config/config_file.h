#ifndef MIO_CONFIG_FILE_H
#define MIO_CONFIG_FILE_H

#include "../common/text.h"

/* 1 if there is a regular file of this name. */
int mio_config_file_is_regular(const char *name);

/* Adds all of a file to text. 0, -errno, -EFBIG: no file of settings is that large, or -ESPIPE: a pipe that somebody would have to write to, or the like. */
int mio_config_file_read(const char *name, struct mio_text *text);

/* What the C library calls an error (above 0) that reading a file can have; NULL if it is none of those. */
const char *mio_config_error_text(int error);

#endif
