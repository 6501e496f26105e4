#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "stats_hint.h"
#include "stats_text.h"

static const char door[] = " native ";

static int look(int fd, const char *path, int flags, struct statx *found)
{
	memset(found, 0, sizeof(*found));
	return (int)mio_raw5(SYS_statx, fd, path, flags, STATX_BASIC_STATS, found);
}

void mio_stats_events_hint_begin(struct mio_stats_events_hint *hint, const char *value)
{
	const char *end = value ? strstr(value, door) : NULL;
	char number[16] = {0};
	struct statx found;
	size_t bytes;

	if (!end || (size_t)(end - value) >= sizeof(number))
		return;
	memcpy(number, value, (size_t)(end - value));
	end += sizeof(door) - 1;
	bytes = strlen(end) + 1;
	hint->path = mio_memory_take(bytes);
	if (!hint->path)
		return;
	memcpy(hint->path, end, bytes);
	if (look(2, "", AT_EMPTY_PATH, &found) == 0) {
		hint->device = makedev(found.stx_dev_major, found.stx_dev_minor);
		hint->inode = found.stx_ino;
	}
	hint->process = mio_stats_hint_process(number);
}

int mio_stats_events_hint_is_due(struct mio_stats_events_hint *hint)
{
	struct statx found;
	int expected = (int)mio_raw0(SYS_getpid);

	return atomic_compare_exchange_strong(&hint->process, &expected, 0) &&
	       look(AT_FDCWD, hint->path, AT_SYMLINK_NOFOLLOW, &found) == -ENOENT;
}

int mio_stats_events_hint_has_stderr(const struct mio_stats_events_hint *hint)
{
	struct statx found;

	return hint->inode && look(2, "", AT_EMPTY_PATH, &found) == 0 && found.stx_ino == hint->inode &&
	       makedev(found.stx_dev_major, found.stx_dev_minor) == hint->device;
}

void mio_stats_events_hint_add(struct mio_text *text, const char *path)
{
	mio_text_add(text, "no file that is traced was opened: there are no events, and ");
	mio_stats_add_name(text, path);
	mio_text_add(text, " was not made");
}
