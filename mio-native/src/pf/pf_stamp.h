#ifndef MIO_PF_STAMP_H
#define MIO_PF_STAMP_H

#include <stdint.h>

#include "../layer/layer_open.h"

/*
 * A number that is another one when the file was changed (its change time, ns), or -1 if not known, or if its name leads to
 * another file by now.
 */
int64_t mio_pf_stamp_of(const struct mio_open_request *request);

/* Removes the file of this name. */
void mio_pf_stamp_remove(const struct mio_open_request *request);

#endif
