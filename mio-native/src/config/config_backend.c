#include "config_backend.h"

#include <string.h>

#include "config_nearest.h"

/* The ways of doing page requests, the best one first. */
static const char *const names[] = {"uring", "threads", "sync"};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

int mio_backend_parse(const struct mio_config_source *source, struct mio_store *store, const char **name,
		      struct mio_text *error)
{
	struct mio_slice word = mio_slice_trim((struct mio_slice){source->text, strlen(source->text)});
	const char *typed;

	*name = "";
	for (int i = 0; i < NAMES; i++)
		if (mio_slice_is(word, names[i]))
			*name = names[i];
	if (**name || word.length == 0)
		return 0;
	typed = mio_store_string(store, word.bytes, word.length);
	return mio_place_error(error, (struct mio_place){source, (size_t)(word.bytes - source->text)}, "there is no backend '",
			       typed ? typed : "", "'", MIO_NEAREST_HINT(mio_nearest_find(word, names, NAMES)),
			       " (backends: uring, threads, sync)", NULL);
}
