/* Asks what the kernel's page cache has of the file, and finds out whether cachestat shows that at all. */
#include "pf_auto_layer.h"

#include <errno.h>

#include "../os/os_kernel_cache.h"

int mio_pf_auto_has(struct mio_pf_auto *automatic, int fd, int64_t offset, int64_t length)
{
	int rc = automatic->blind ? -ENOSYS : mio_os_kernel_cache_has(fd, offset, length);

	automatic->blind = rc < 0;
	automatic->sees |= rc > 0;
	automatic->doubts |= rc == 0 && !automatic->sees;
	return rc;
}

void mio_pf_auto_ask(struct mio_pf_auto *automatic, int64_t offset, int64_t length, int waits)
{
	if (mio_pf_auto_has(automatic, mio_pf_auto_fd(automatic), offset, length) != 0)
		return;
	if (automatic->sees || !waits)
		mio_pf_hints_cold(&automatic->hints);
	else
		automatic->is_cold = 1;
}

static void found(struct mio_pf_auto *automatic, int sees)
{
	automatic->sees = sees;
	automatic->blind = !sees;
	if (!sees)
		mio_pf_auto_log_unseen(&automatic->log);
}

void mio_pf_auto_prove(struct mio_pf_auto *automatic, int64_t offset, int64_t bytes)
{
	/* If another thread looks now, that look will have doubts again. */
	if (bytes <= 0 || atomic_flag_test_and_set_explicit(&automatic->busy, memory_order_acquire))
		return;
	if (!automatic->sees && !automatic->blind)
		found(automatic, mio_os_kernel_cache_sees(mio_pf_auto_fd(automatic), offset + bytes - 1));
	if (automatic->sees && automatic->is_cold)
		mio_pf_hints_cold(&automatic->hints);
	automatic->is_cold = 0;
	atomic_flag_clear_explicit(&automatic->busy, memory_order_release);
}

int mio_pf_auto_sees(struct mio_pf_auto *automatic, int fd, int64_t offset)
{
	if (!automatic->sees && !automatic->blind)
		found(automatic, mio_os_kernel_cache_nudge(fd, offset, 1));
	return automatic->sees;
}
