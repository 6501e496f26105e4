#ifndef MIO_PF_AUTO_H
#define MIO_PF_AUTO_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"

/*
 * pf/auto: leaves the file to the kernel and tells it what the program will read. No pages, no memory, no thread of its own; every
 * request goes on as it came. Twin of AutoLayer.
 *
 * A layer over next, or next itself where there is nothing to gain: direct I/O, a file in memory or on
 * another machine (whose kernel does little on hints), one that is only written, a small one that is only read.
 * NULL without memory. fd: of the open.
 */
struct mio_layer *mio_pf_auto_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				   const struct mio_open_request *request);

#endif
