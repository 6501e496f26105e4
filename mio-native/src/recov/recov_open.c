/*
 * Opens that failed. They happen at the door, before there are layers. Twin of RecovOpen. The door calls this for each failure, so
 * each attempt is an entry of its own.
 */
#include <string.h>

#include "recov_file.h"
#include "recov_layer.h"

int mio_recov_open_failed(const struct mio_layer_spec *spec, const char *name, int error, int attempt,
			  struct mio_stats_output *output)
{
	struct mio_recov_file file;
	struct mio_recov_attempts attempts = {.file = &file, .call = MIO_RECOV_OPEN, .count = attempt - 1};
	int again;

	memset(&file, 0, sizeof(file));
	mio_recov_file_init(&file, spec, name, output);
	again = mio_recov_attempts_again(&attempts, -error, 0);
	if (again)
		mio_recov_attempts_succeeded(&attempts);
	return again;
}
