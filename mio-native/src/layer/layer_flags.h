#ifndef MIO_LAYER_FLAGS_H
#define MIO_LAYER_FLAGS_H

#include "../common/text.h"

/* Open flags as reports show them. Twin of OpenFlags. */

/* The flags without close-on-exec and large file, which say nothing of the I/O. */
int mio_flags_shown(int oflags);
/* Adds the names of the flags, with two blanks between, for example RDWR  CREAT  TRUNC (reference 4.2). */
void mio_flags_names(int oflags, struct mio_text *names);

#endif
