#include "pf_growth.h"

/* So many pages must have come back for each new frame: memory that is touched for the first time costs as much as several page reads. */
#define TIMES 3

/* The cache grows by this part of its frames at least: one half. */
#define LEAST 2

/* With more requests than this for each page read, page reads take little of the time. */
#define DENSE_REQUESTS 200

int64_t mio_pf_growth_wanted(struct mio_pf_growth *growth, int64_t requests, int64_t page_reads, int64_t came_back, int64_t frames,
			     int64_t working)
{
	int is_dense = page_reads * DENSE_REQUESTS < requests;
	int64_t more = working - frames;

	if (growth->over || is_dense || more * LEAST < frames || came_back - growth->before < TIMES * more)
		return frames;
	growth->before = came_back;
	return working;
}

int mio_pf_growth_may(int64_t bytes, int64_t grown, int64_t room)
{
	return grown + bytes <= (room / 4 < MIO_PF_GROWN_MOST ? room / 4 : MIO_PF_GROWN_MOST);
}
