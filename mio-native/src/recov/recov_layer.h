#ifndef MIO_RECOV_LAYER_H
#define MIO_RECOV_LAYER_H

#include "../config/config.h"
#include "../layer/layer.h"
#include "../layer/layer_open.h"
#include "../stats/stats.h"

/* Retries failed accesses (design section 4, docs/Recov.md). Twin of RecovLayer. NULL without memory. */
struct mio_layer *mio_recov_layer_make(const struct mio_layer_spec *spec, struct mio_layer *next,
				       const struct mio_open_request *request, struct mio_stats_output *output);

/*
 * An open of the program failed with error (above 0): runs open_command, says so in the statistics, and tells whether to
 * try again: 1 again, 0 give up. attempt: 1 for the first failure.
 */
int mio_recov_open_failed(const struct mio_layer_spec *spec, const char *name, int error, int attempt,
			  struct mio_stats_output *output);

/* In a forked child: no open file of the parent's is tried again here. */
void mio_recov_forked(void);

#endif
