#include "pf_scattered.h"

#include <stddef.h>

void mio_pf_scattered_next(struct mio_pf_scattered *scattered, int64_t now_ns)
{
	scattered->asks = 0;
	if (scattered->blocks)
		mio_pf_blocks_next(scattered->blocks, now_ns);
}

int mio_pf_scattered_seen(struct mio_pf_scattered *scattered, int64_t offset, int64_t length, int64_t step)
{
	int each = MIO_PF_SCATTERED_ASKED;

	if (scattered->blocks)
		return mio_pf_blocks_seen(scattered->blocks, offset, length, step);
	if (++scattered->requests > MIO_PF_SCATTERED_ASKED_SELDOM)
		each = MIO_PF_SCATTERED_ASKED_SELDOM;
	scattered->asks = scattered->requests % each == 0 && mio_pf_blocks_serves(scattered->size_bytes);
	return 0;
}

int64_t mio_pf_scattered_steps(struct mio_pf_scattered *scattered, int64_t bytes)
{
	scattered->steady = bytes == scattered->gone ? scattered->steady + 1 : 0;
	scattered->gone = bytes;
	return scattered->steady >= MIO_PF_SCATTERED_STEADY ? bytes : 0;
}

void mio_pf_scattered_cold(struct mio_pf_scattered *scattered)
{
	if (!scattered->blocks)
		scattered->blocks = mio_pf_blocks_make(scattered->size_bytes);
}
