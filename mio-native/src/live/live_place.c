/* Where live counter files lie. A directory that others may write to, or could have put there, is not used. See live_place.h. */
#include "live_place.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/raw.h"
#include "../common/text.h"

int mio_live_setting_kind(const char *setting)
{
	static const char *const words[][4] = {{"off", "false", "0", "no"}, {"on", "true", "1", "yes"}};
	size_t length;

	setting += strspn(setting, " \t");
	length = strcspn(setting, " \t");
	if (setting[length + strspn(setting + length, " \t")])
		return 0;
	for (int kind = 0; kind < 2; kind++)
		for (int i = 0; i < 4; i++)
			if (strlen(words[kind][i]) == length && strncmp(words[kind][i], setting, length) == 0)
				return kind + 1;
	return length == 0 ? 2 : 0;
}

/* Descriptor of the directory, made if need be; or -errno. -EPERM: it is not ours alone. */
static long open_directory(const char *path)
{
	struct statx found;
	long fd;
	long rc;

	memset(&found, 0, sizeof(found));
	mio_raw3(SYS_mkdirat, AT_FDCWD, path, 0700);
	fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	rc = mio_raw5(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &found);
	if (rc == 0 && (found.stx_uid != (uint32_t)mio_raw0(SYS_geteuid) || (found.stx_mode & (S_IWGRP | S_IWOTH)) ||
			!S_ISDIR(found.stx_mode)))
		rc = -EPERM;
	if (rc < 0) {
		mio_raw1(SYS_close, fd);
		return rc;
	}
	return fd;
}

static int create_in(const char *directory, char path[MIO_LIVE_PATH_BYTES])
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	struct mio_text text = {0};
	long place = open_directory(directory);
	const char *leaf;
	long fd = -ENAMETOOLONG;

	if (place < 0)
		return (int)place;
	mio_text_add(&text, directory);
	mio_text_add_char(&text, '/');
	mio_text_add_number(&text, mio_raw0(SYS_getpid));
	mio_text_add(&text, ".live");
	if (!text.failed && text.length < MIO_LIVE_PATH_BYTES) {
		memcpy(path, mio_text_string(&text), text.length + 1);
		leaf = strrchr(path, '/') + 1;
		fd = mio_raw4(SYS_openat, place, leaf, flags, 0600);
		if (fd == -EEXIST) {
			/* Of an earlier process of this number. */
			mio_raw3(SYS_unlinkat, place, leaf, 0);
			fd = mio_raw4(SYS_openat, place, leaf, flags, 0600);
		}
	}
	mio_text_clear(&text);
	mio_raw1(SYS_close, place);
	return (int)fd;
}

int mio_live_place_create(const char *chosen, char path[MIO_LIVE_PATH_BYTES])
{
	static const char *const places[] = {"/dev/shm/mio-", "/tmp/mio-"};
	int fd = -ENOENT;

	if (*chosen)
		return create_in(chosen, path);
	for (int i = 0; i < 2 && fd < 0 && fd != -EMFILE && fd != -ENFILE; i++) {
		struct mio_text directory = {0};

		mio_text_add(&directory, places[i]);
		mio_text_add_number(&directory, mio_raw0(SYS_geteuid));
		fd = directory.failed ? -ENOMEM : create_in(mio_text_string(&directory), path);
		mio_text_clear(&directory);
	}
	return fd;
}

void mio_live_process(int64_t *start_time, int64_t *stack_begin)
{
	char line[1024];
	long fd = mio_raw4(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
	long got = fd < 0 ? fd : mio_raw3(SYS_read, fd, line, sizeof(line) - 1);
	const char *at;

	*start_time = 0;
	*stack_begin = 0;
	if (fd >= 0)
		mio_raw1(SYS_close, fd);
	line[got > 0 ? got : 0] = 0;
	/* The name may hold anything, a bracket too. Behind it comes field 3. */
	at = strrchr(line, ')');
	for (int field = 2; at && *at && field <= 28; field++) {
		uint64_t number = 0;
		const char *digit = at;

		while (*digit >= '0' && *digit <= '9')
			number = number * 10 + (uint64_t)(*digit++ - '0');
		if (field == 22)
			*start_time = (int64_t)number;
		if (field == 28)
			*stack_begin = (int64_t)number;
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
}
