#ifndef MIO_RECOV_LAYER_H
#define MIO_RECOV_LAYER_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"

/* Makes a layer that tries failed accesses again (design section 4, docs/Recov.md). Twin of RecovLayer. NULL without memory. */
struct mio_layer *mio_recov_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				       const struct mio_open_request *request, struct mio_stats_output *output);

/*
 * An open of the program failed with error, a positive errno. Runs open_command (command where space is lacking), writes that to the statistics, and returns
 * 1 to try again, 0 to give up. attempt: 1 for the first failure.
 */
int mio_recov_open_failed(const struct mio_layer_spec *spec, const char *name, int error, int attempt,
			  struct mio_stats_output *output);

/* For a forked child: it does not try again the requests of its parent's open files. */
void mio_recov_forked(void);

#endif
