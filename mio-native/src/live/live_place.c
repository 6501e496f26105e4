/* Where live counter files lie. A directory that others may write to, or that belongs to another user, is not used. See live_place.h. */
#include "live_place.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/clock.h"
#include "../common/memory.h"
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

/* A descriptor of the directory, which is made if necessary; or -errno. -EPERM: others may write to it, or it belongs to another user. */
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

static int create_in(const char *directory, char path[MIO_LIVE_PATH_BYTES], int sweeps)
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
			/* The file is of an earlier process with this number. */
			mio_raw3(SYS_unlinkat, place, leaf, 0);
			fd = mio_raw4(SYS_openat, place, leaf, flags, 0600);
		}
	}
	mio_text_clear(&text);
	if (sweeps && fd >= 0)
		mio_live_place_sweep((int)place);
	mio_raw1(SYS_close, place);
	return (int)fd;
}

/* The number of the process after which a live file of the native door is named; 0 if the name is not that of such a file. */
static long process_of(const char *name)
{
	long pid = 0;
	int digits = 0;

	for (; name[digits] >= '0' && name[digits] <= '9' && digits < 10; digits++)
		pid = pid * 10 + (name[digits] - '0');
	return name[0] != '0' && strcmp(name + digits, ".live") == 0 ? pid : 0;
}

/* 1 if /proc, a descriptor of which is proc, has no entry for the process. If it has none for this process either, the caller takes none for gone. */
static int is_gone(int proc, long pid)
{
	char digits[24];
	char *at = digits + sizeof(digits) - 1;
	struct statx found;

	*at = 0;
	for (; pid > 0; pid /= 10)
		*--at = (char)('0' + pid % 10);
	return mio_raw5(SYS_statx, proc, at, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &found) == -ENOENT;
}

/*
 * The time of a mapped file does not tell when its process ended. So the first process that finds it gone sets the time of the file to now, and makes
 * the file read-only as a mark. A marked file is removed when it is old enough.
 */
static void sweep_file(int place, const char *name, int64_t now)
{
	struct statx found;

	memset(&found, 0, sizeof(found));
	if (mio_raw5(SYS_statx, place, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &found) < 0 ||
	    !S_ISREG(found.stx_mode) || found.stx_uid != (uint32_t)mio_raw0(SYS_geteuid) ||
	    found.stx_mtime.tv_sec > now - MIO_LIVE_KEPT_SECONDS)
		return;
	if (!(found.stx_mode & S_IWUSR))
		mio_raw3(SYS_unlinkat, place, name, 0);
	else if (mio_raw4(SYS_utimensat, place, name, NULL, AT_SYMLINK_NOFOLLOW) == 0)
		mio_raw3(SYS_fchmodat, place, name, 0400);
}

void mio_live_place_sweep(int place)
{
	enum { BYTES = 2048 };
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	/* The program's stack may be small. */
	char *buffer = mio_memory_take(BYTES);
	struct timespec now;
	long proc = mio_raw4(SYS_openat, AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	long all = mio_raw4(SYS_openat, place, ".", flags, 0);
	int looked_at = 0;
	long bytes = 1;

	mio_clock_read(CLOCK_REALTIME, &now);
	if (!buffer || proc < 0 || all < 0 || is_gone((int)proc, mio_raw0(SYS_getpid)))
		bytes = 0;
	while (bytes > 0 && looked_at < MIO_LIVE_LOOKED_AT_MAX) {
		bytes = mio_raw3(SYS_getdents64, all, buffer, BYTES);
		for (long at = 0; at < bytes && looked_at < MIO_LIVE_LOOKED_AT_MAX;) {
			const struct mio_raw_entry *entry = (const struct mio_raw_entry *)(const void *)(buffer + at);
			long pid = process_of(entry->name);

			at += entry->length;
			looked_at += entry->name[0] != '.';
			if (pid > 0 && is_gone((int)proc, pid))
				sweep_file(place, entry->name, now.tv_sec);
		}
	}
	mio_memory_give(buffer, BYTES);
	if (all >= 0)
		mio_raw1(SYS_close, all);
	if (proc >= 0)
		mio_raw1(SYS_close, proc);
}

int mio_live_place_create(const char *chosen, char path[MIO_LIVE_PATH_BYTES])
{
	static const char *const places[] = {"/dev/shm/mio-", "/tmp/mio-"};
	int fd = -ENOENT;

	if (*chosen)
		return create_in(chosen, path, 0);
	for (int i = 0; i < 2 && fd < 0 && fd != -EMFILE && fd != -ENFILE; i++) {
		struct mio_text directory = {0};

		mio_text_add(&directory, places[i]);
		mio_text_add_number(&directory, mio_raw0(SYS_geteuid));
		fd = directory.failed ? -ENOMEM : create_in(mio_text_string(&directory), path, 1);
		mio_text_clear(&directory);
	}
	return fd;
}

int mio_live_place_rights_are_final(void)
{
	struct __user_cap_header_struct asked = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0}};
	uid_t real, effective, saved;

	return mio_raw3(SYS_getresuid, &real, &effective, &saved) == 0 && real == effective && saved == effective &&
	       mio_raw2(SYS_capget, &asked, held) == 0 && (held[0].permitted | held[1].permitted) == 0;
}

/* line: of /proc/self/stat. The name of the program is in brackets and may have brackets itself. Field 3 comes after the last bracket. */
static void take_fields(const char *line, int64_t *start_time, int64_t *stack_begin)
{
	const char *at = strrchr(line, ')');

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

void mio_live_process(int64_t *start_time, int64_t *stack_begin)
{
	enum { BYTES = 1024 };
	char *line = mio_memory_take(BYTES);
	long fd = mio_raw4(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);

	*start_time = 0;
	*stack_begin = 0;
	/* The memory is all zero, and the last byte stays so. */
	if (line && fd >= 0 && mio_raw3(SYS_read, fd, line, BYTES - 1) > 0)
		take_fields(line, start_time, stack_begin);
	if (fd >= 0)
		mio_raw1(SYS_close, fd);
	mio_memory_give(line, BYTES);
}
