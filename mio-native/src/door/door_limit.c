/*
 * See door_table.h. Most processes have no such limit and pay one load. For others the signal is blocked while the layers work, and
 * those that came meanwhile are discarded. One is then sent if the program's call is over the limit.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "../common/raw.h"
#include "../pf/pf_reservation.h"
#include "door_table.h"

#define SIGNAL_BIT (UINT64_C(1) << (SIGXFSZ - 1))
#define MASK_BYTES sizeof(uint64_t)

static _Atomic int limited;
static _Atomic uint64_t bytes_most;

void mio_door_limits_changed(void)
{
	struct rlimit limit;

	if (mio_raw4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0)
		return;
	atomic_store_explicit(&limited, limit.rlim_cur != RLIM_INFINITY, memory_order_relaxed);
	if (atomic_exchange(&bytes_most, limit.rlim_cur) != limit.rlim_cur)
		mio_pf_reservations_limited();
}

void mio_door_limit_begin(void)
{
	mio_door_limits_changed();
}

void mio_door_limit_enter(struct mio_door_limit *limit)
{
	uint64_t only = SIGNAL_BIT;
	uint64_t pending = 0;

	limit->holds = 0;
	if (__builtin_expect(atomic_load_explicit(&limited, memory_order_relaxed), 0)) {
		mio_raw2(SYS_rt_sigpending, &pending, MASK_BYTES);
		limit->holds = !(pending & SIGNAL_BIT) &&
			       mio_raw4(SYS_rt_sigprocmask, SIG_BLOCK, &only, &limit->mask, MASK_BYTES) == 0;
	}
}

int64_t mio_door_limit_leave(struct mio_door_limit *limit, int64_t result)
{
	struct timespec at_once = {0, 0};
	uint64_t only = SIGNAL_BIT;

	if (limit->holds) {
		while (mio_raw4(SYS_rt_sigtimedwait, &only, NULL, &at_once, MASK_BYTES) > 0)
			;
		mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &limit->mask, NULL, MASK_BYTES);
		if (result == -EFBIG)
			mio_raw3(SYS_tgkill, mio_raw0(SYS_getpid), mio_raw0(SYS_gettid), SIGXFSZ);
	}
	return result;
}
