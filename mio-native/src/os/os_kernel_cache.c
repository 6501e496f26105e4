#include "os_kernel_cache.h"

#include <stdatomic.h>
#include <sys/sysmacros.h>

#include "../common/text.h"
#include "os_call.h"

/* The same number on all machines; headers from before Linux 6.5 do not have it. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/* Every kernel accepts hints of this length, unless its readahead is set to less. */
#define LONGEST_LEAST (128 << 10)

/* Layouts of the kernel. */
struct cachestat_range {
	uint64_t offset, length;
};

struct cachestat_found {
	uint64_t cached, dirty, written_back, evicted, recently_evicted;	/* pages */
};

int64_t mio_os_kernel_cache_pages(int fd, int64_t offset, int64_t length)
{
	struct cachestat_range range = {(uint64_t)offset, (uint64_t)length};
	struct cachestat_found found = {0, 0, 0, 0, 0};
	long rc = mio_raw4(SYS_cachestat, fd, &range, &found, 0);

	return rc < 0 ? rc : (int64_t)found.cached;
}

int mio_os_kernel_cache_has(int fd, int64_t offset, int64_t length)
{
	int64_t page = sysconf(_SC_PAGESIZE);
	int64_t cached = mio_os_kernel_cache_pages(fd, offset, length);

	return cached < 0 ? (int)cached : cached >= (offset + length - 1) / page - offset / page + 1;
}

int mio_os_kernel_cache_sees(int fd, int64_t offset)
{
	return mio_os_kernel_cache_has(fd, offset, 1) != 0;
}

int mio_os_kernel_cache_read_ahead(int fd, int64_t offset, int64_t length, int64_t longest)
{
	int rc = 0;

	for (int64_t at = 0; at < length && rc >= 0; at += longest)
		rc = (int)mio_os_call_advise(fd, offset + at, length - at < longest ? length - at : longest, POSIX_FADV_WILLNEED);
	return rc;
}

int mio_os_kernel_cache_nudge(int fd, int64_t offset, int64_t length)
{
	char byte;

	mio_os_call_pread(fd, &byte, sizeof(byte), offset);
	return mio_os_kernel_cache_has(fd, offset, length) != 0;
}

/* The number in a file of /sys, or -errno. */
static int64_t number_in(const char *path)
{
	char digits[24];
	int64_t number = 0;
	long fd = mio_os_call_open(path, O_RDONLY | O_CLOEXEC);
	long bytes;

	if (fd < 0)
		return fd;
	bytes = mio_os_call_read((int)fd, digits, sizeof(digits));
	mio_os_call_close((int)fd);
	for (long i = 0; i < bytes && digits[i] >= '0' && digits[i] <= '9' && number < INT64_MAX / 10240; i++)
		number = number * 10 + (digits[i] - '0');
	return bytes < 0 ? bytes : number;
}

static int64_t ask(const char *before, uint64_t device, const char *after)
{
	struct mio_text path = {0};
	int64_t kib;

	mio_text_add(&path, before);
	mio_text_add_number(&path, major(device));
	mio_text_add(&path, ":");
	mio_text_add_number(&path, minor(device));
	mio_text_add(&path, after);
	kib = path.failed ? -ENOMEM : number_in(mio_text_string(&path));
	mio_text_clear(&path);
	return kib;
}

/* For the device asked about last: its number in the upper half of *known, the KiB in the lower. Most programs have their files on one device. */
static int64_t asked(_Atomic uint64_t *known, uint64_t device, int64_t (*ask_for)(uint64_t device))
{
	uint64_t found = atomic_load_explicit(known, memory_order_relaxed);
	int64_t kib;

	if (found != 0 && found >> 32 == device)
		return (int64_t)(found & UINT32_MAX) * 1024;
	kib = ask_for(device);
	kib = kib < 0 ? 0 : kib > UINT32_MAX ? UINT32_MAX : kib;
	if (device <= UINT32_MAX)
		atomic_store_explicit(known, device << 32 | (uint64_t)kib, memory_order_relaxed);
	return kib * 1024;
}

static int64_t ask_reach(uint64_t device)
{
	int64_t kib = ask("/sys/class/bdi/", device, "/read_ahead_kb");

	return kib < 0 ? ask("/sys/dev/block/", device, "/../queue/read_ahead_kb") : kib;
}

static int64_t ask_longest(uint64_t device)
{
	int64_t kib = ask("/sys/dev/block/", device, "/queue/max_sectors_kb");

	return kib < 0 ? ask("/sys/dev/block/", device, "/../queue/max_sectors_kb") : kib;
}

int64_t mio_os_kernel_cache_reach(uint64_t device)
{
	static _Atomic uint64_t known;

	return asked(&known, device, ask_reach);
}

int64_t mio_os_kernel_cache_longest(uint64_t device)
{
	static _Atomic uint64_t known;
	int64_t longest = asked(&known, device, ask_longest);
	int64_t reach = mio_os_kernel_cache_reach(device);

	longest = longest > reach ? longest : reach;
	return longest > LONGEST_LEAST ? longest : LONGEST_LEAST;
}
