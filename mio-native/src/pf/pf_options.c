#include "pf_options.h"

#include <limits.h>
#include <string.h>

#define PAGE_BYTES_MAX ((int64_t)1 << 30)

struct mio_pf_options mio_pf_options_of(const struct mio_layer_spec *spec)
{
	const struct mio_option_value *values = spec->values;
	int64_t page = mio_pf_round_up(values[MIO_PF_OPTION_PAGE_SIZE].number, MIO_PF_PAGE_STEP);
	const struct mio_option_value *ahead = &values[MIO_PF_OPTION_PREFETCH];

	return (struct mio_pf_options){
		.preread = mio_spec_is_on(spec, MIO_PF_OPTION_PFFW),
		.release = mio_spec_is_on(spec, MIO_PF_OPTION_RELEASE),
		.global = mio_spec_is_on(spec, MIO_PF_OPTION_GLOBAL) ? (int)values[MIO_PF_OPTION_GLOBAL].number
								     : MIO_PF_PRIVATE,
		.asynchronous = mio_spec_is_on(spec, MIO_PF_OPTION_ASYNCHRONOUS),
		.unit = values[MIO_PF_OPTION_UNIT].text,
		.cache_bytes = values[MIO_PF_OPTION_CACHE_SIZE].number,
		.cache_most_bytes = values[MIO_PF_OPTION_CACHE_SIZE].second,
		.page_bytes = mio_pf_min(page, PAGE_BYTES_MAX),
		.distance = {.min = (int)ahead->number, .max = (int)ahead->second},
		.stride_pages = values[MIO_PF_OPTION_STRIDE].number,
		.retain = mio_spec_is_on(spec, MIO_PF_OPTION_RETAIN),
		.lists = mio_spec_is_on(spec, MIO_PF_OPTION_LISTIO),
		.tag = mio_spec_is_on(spec, MIO_PF_OPTION_TAG) ? values[MIO_PF_OPTION_TAG].text : "",
		.scratch = mio_spec_is_on(spec, MIO_PF_OPTION_SCRATCH),
		.uncached_from = values[MIO_PF_OPTION_PASSTHRU].number,
		.uncached_to = values[MIO_PF_OPTION_PASSTHRU].second,
		.behind = mio_spec_is_on(spec, MIO_PF_OPTION_BEHIND),
		.loop_bytes = mio_pf_max(0, values[MIO_PF_OPTION_REPLACE].number),
		.lru = strcmp(values[MIO_PF_OPTION_REPLACE].text, "lru") == 0,
		.past_bytes = values[MIO_PF_OPTION_DISCOVERED_DIRECT].number,
		.streams = (int)values[MIO_PF_OPTION_STREAMS].number,
		.exact = values[MIO_PF_OPTION_DISCOVERED_DIRECT].number > 0 ||
			 values[MIO_PF_OPTION_PASSTHRU].second > values[MIO_PF_OPTION_PASSTHRU].number,
	};
}

static int64_t frames_of(const struct mio_pf_options *options, int64_t bytes)
{
	return mio_pf_max(1, mio_pf_min(INT_MAX / 4, bytes / options->page_bytes));
}

int64_t mio_pf_options_frames(const struct mio_pf_options *options)
{
	return frames_of(options, options->cache_bytes);
}

int64_t mio_pf_options_frames_most(const struct mio_pf_options *options)
{
	return frames_of(options, mio_pf_max(options->cache_bytes, options->cache_most_bytes));
}
