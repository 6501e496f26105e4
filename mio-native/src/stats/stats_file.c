#include "stats_file.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../common/clock.h"
#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_error.h"
#include "stats.h"
#include "stats_process.h"
#include "stats_text.h"

#define NS 1000000000
#define KEPT_BYTES ((size_t)64 << 10)
#define LOCK_TRIES 100
#define LOCK_WAIT_NS 1000000

const char mio_stats_separator[] =
	"============================================================================\n";

static int look(int fd, const char *path, struct statx *found)
{
	memset(found, 0, sizeof(*found));
	return (int)mio_raw5(SYS_statx, fd, path, *path ? 0 : AT_EMPTY_PATH, STATX_BASIC_STATS, found);
}

static int64_t changed_ns(const struct statx *found)
{
	return found->stx_mtime.tv_sec * NS + found->stx_mtime.tv_nsec;
}

void mio_stats_tree_begin(struct mio_stats_tree *tree, const char *path)
{
	struct timespec now;
	struct statx found;

	memset(tree, 0, sizeof(*tree));
	/* File times come from this clock, so a file that changes from now on has no earlier time. */
	mio_clock_read(CLOCK_REALTIME_COARSE, &now);
	tree->began_ns = (int64_t)now.tv_sec * NS + now.tv_nsec;
	if (!path || look(AT_FDCWD, path, &found) < 0)
		return;
	tree->device = makedev(found.stx_dev_major, found.stx_dev_minor);
	tree->inode = found.stx_ino;
	tree->bytes = (int64_t)found.stx_size;
	tree->changed_ns = changed_ns(&found);
}

void mio_stats_tree_write(const struct mio_stats_tree *tree, struct mio_text *text)
{
	mio_text_add_unsigned(text, (uint64_t)tree->began_ns);
	mio_text_add_char(text, ':');
	mio_text_add_unsigned(text, tree->device);
	mio_text_add_char(text, ':');
	mio_text_add_unsigned(text, tree->inode);
	mio_text_add_char(text, ':');
	mio_text_add_unsigned(text, (uint64_t)tree->bytes);
	mio_text_add_char(text, ':');
	mio_text_add_unsigned(text, (uint64_t)tree->changed_ns);
}

int mio_stats_tree_read(struct mio_stats_tree *tree, const char *text)
{
	uint64_t numbers[5] = {0};

	for (int i = 0; i < 5; i++) {
		if (*text < '0' || *text > '9')
			return 0;
		while (*text >= '0' && *text <= '9')
			numbers[i] = numbers[i] * 10 + (uint64_t)(*text++ - '0');
		if (*text++ != (i < 4 ? ':' : 0))
			return 0;
	}
	tree->shared = 1;
	tree->began_ns = (int64_t)numbers[0];
	tree->device = numbers[1];
	tree->inode = numbers[2];
	tree->bytes = (int64_t)numbers[3];
	tree->changed_ns = (int64_t)numbers[4];
	return 1;
}

static int is_old(const struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct statx *found)
{
	if (tree->inode != 0 && found->stx_ino == tree->inode &&
	    makedev(found->stx_dev_major, found->stx_dev_minor) == tree->device)
		return (int64_t)found->stx_size == tree->bytes && changed_ns(found) == tree->changed_ns;
	if (!file->common && !tree->shared)
		return 1;
	return changed_ns(found) < tree->began_ns;
}

static int ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);
	size_t of_end = strlen(end);

	return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

struct mio_stats_file *mio_stats_file_make(const char *directory, const char *name, size_t length)
{
	struct mio_stats_file *file = mio_memory_take(sizeof(*file));
	struct mio_text expanded = {0};
	struct mio_text path = {0};
	int append = name[0] == '+';

	mio_stats_add_expanded(&expanded, name + append, length - (size_t)append);
	if (file) {
		const char *plain = mio_text_string(&expanded);

		file->append = append;
		file->stream = strcmp(plain, "stdout") == 0 ? 1 : strcmp(plain, "stderr") == 0 ? 2 : 0;
		if (file->stream)
			mio_text_add(&path, plain);
		else
			mio_stats_add_absolute(&path, directory, plain);
		file->json = ends_with(mio_text_string(&path), ".jsonl");
		file->path_bytes = path.length + 1;
		file->path = path.failed || expanded.failed ? NULL : mio_memory_take(file->path_bytes);
		if (file->path) {
			memcpy(file->path, path.bytes, path.length);
		} else {
			mio_memory_give(file, sizeof(*file));
			file = NULL;
		}
	}
	mio_text_clear(&expanded);
	mio_text_clear(&path);
	return file;
}

/* The mode of the directory of a file, which says who may put a file there. If that is not known, group and others may. */
static unsigned directory_mode(const char *path, struct statx *found)
{
	struct mio_text directory = {0};
	const char *slash = strrchr(path, '/');
	int rc;

	mio_text_add_bytes(&directory, path, slash == path ? 1 : (size_t)(slash - path));
	rc = directory.failed ? -ENOMEM : look(AT_FDCWD, mio_text_string(&directory), found);
	mio_text_clear(&directory);
	return rc < 0 ? S_IWGRP | S_IWOTH : found->stx_mode;
}

/* 1 for a file of another user in a directory where everybody may put a file: its owner could read what is written. */
static int is_strangers(int fd, unsigned directory)
{
	struct statx found;

	return (directory & S_IWOTH) && look(fd, "", &found) == 0 && S_ISREG(found.stx_mode) &&
	       found.stx_uid != (uint32_t)mio_raw0(SYS_geteuid);
}

/* Keeps two processes from beginning the file anew at the same time. Ends with the descriptor. The wait is limited, because the holder may be stopped. */
static void lock(int fd)
{
	_Atomic uint32_t never = 0;

	for (int i = 0; i < LOCK_TRIES && mio_raw2(SYS_flock, fd, LOCK_EX | LOCK_NB) == -EWOULDBLOCK; i++)
		mio_futex_wait(&never, 0, LOCK_WAIT_NS);
}

static int open_once(const struct mio_stats_file *file, const struct mio_stats_tree *tree, int *created)
{
	int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY;
	struct statx found;
	unsigned directory;
	int fd;

	*created = 0;
	if (file->stream)
		return mio_stats_is_standard(file->stream) ? file->stream : -EBADF;
	fd = (int)mio_raw4(SYS_openat, AT_FDCWD, file->path, flags | O_CREAT | O_EXCL, 0600);
	if (fd >= 0) {
		*created = 1;
		if (!file->append && tree->shared)
			lock(fd);
		return fd;
	}
	if (fd != -EEXIST)
		return fd;
	directory = directory_mode(file->path, &found);
	/* Others may put a symbolic link there, which must not lead to a file of this user. */
	flags |= directory & (S_IWGRP | S_IWOTH) ? O_NOFOLLOW : 0;
	/* O_NONBLOCK: for a pipe without a reader the open fails instead of waiting. */
	fd = (int)mio_raw4(SYS_openat, AT_FDCWD, file->path, flags | O_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	if (is_strangers(fd, directory)) {
		mio_raw1(SYS_close, fd);
		return -EACCES;
	}
	mio_raw3(SYS_fcntl, fd, F_SETFL, O_APPEND);
	if (file->begun || file->append)
		return fd;
	if (tree->shared)
		lock(fd);
	if (look(fd, "", &found) == 0 && S_ISREG(found.stx_mode) && is_old(file, tree, &found))
		mio_raw2(SYS_ftruncate, fd, 0);
	return fd;
}

/* The descriptor to write to, or -errno. *created: 1 if the file did not exist before. */
static int open_file(const struct mio_stats_file *file, const struct mio_stats_tree *tree, int *created)
{
	int fd = open_once(file, tree, created);
	struct statx found;

	/* Another process had made this file, and has removed it meanwhile. */
	if (fd >= 0 && !file->stream && look(fd, "", &found) == 0 && found.stx_nlink == 0) {
		mio_raw1(SYS_close, fd);
		fd = open_once(file, tree, created);
	}
	return fd;
}

/* Removes a file that was made here and that nothing could be written to. */
static void take_back_if_empty(int fd, const char *path)
{
	struct statx made, found;

	if (look(fd, "", &made) == 0 && made.stx_size == 0 && look(AT_FDCWD, path, &found) == 0 &&
	    found.stx_ino == made.stx_ino && found.stx_dev_major == made.stx_dev_major &&
	    found.stx_dev_minor == made.stx_dev_minor)
		mio_raw3(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mio_stats_others_make(const char *path)
{
	struct statx found;

	return look(AT_FDCWD, path, &found) < 0 && ((directory_mode(path, &found) & (S_IWGRP | S_IWOTH)) ||
						    found.stx_uid != (uint32_t)mio_raw0(SYS_geteuid));
}

/* The kept descriptor, held; -EBADF if there is none, or if the file has been removed. */
static int hold(struct mio_os_kept *kept)
{
	uint64_t links;
	int fd = kept ? mio_os_kept_hold(kept, &links) : -EBADF;

	if (fd < 0 || links > 0)
		return fd;
	mio_os_kept_let_go(kept);
	return -EBADF;
}

void mio_stats_file_stay(struct mio_stats_file *file, const struct mio_stats_tree *tree)
{
	struct statx found;
	int created, fd;

	if (file->stream || file->failed)
		return;
	if (hold(file->stay) >= 0) {
		mio_os_kept_let_go(file->stay);
		return;
	}
	/* A pipe is opened only to write to it: if it were closed without that, its reader would take that for the end of the reports. */
	if (mio_stats_others_make(file->path) || (look(AT_FDCWD, file->path, &found) == 0 && !S_ISREG(found.stx_mode)))
		return;
	fd = open_file(file, tree, &created);
	if (fd < 0)
		return;
	/* Unlock it: other processes that share the file would wait as long as it is kept. */
	mio_raw2(SYS_flock, fd, LOCK_UN);
	/* What was kept so far is a file that has been removed. */
	mio_os_kept_close(file->stay);
	file->stay->inherited = 1;
	mio_os_kept_put(file->stay, fd);
}

int mio_stats_file_is_written(const struct mio_stats_file *file, const struct mio_stats_tree *tree)
{
	struct statx found;

	if (file->stream || file->failed)
		return 0;
	if (file->begun)
		return 1;
	return file->common && tree->shared && look(AT_FDCWD, file->path, &found) == 0 && S_ISREG(found.stx_mode) &&
	       found.stx_size > 0 && !is_old(file, tree, &found);
}

static void fail(struct mio_stats_file *file, int error)
{
	struct mio_text line = {0};

	file->failed = 1;
	mio_text_clear(&file->kept);
	mio_text_add(&line, "cannot write statistics to ");
	mio_stats_add_name(&line, file->path);
	mio_text_add(&line, ": ");
	mio_text_add(&line, mio_error_words(error));
	mio_text_add(&line, "; the program runs on without them (set MIO_STATS to a file that can be written, or to stderr)");
	mio_stats_host_line(mio_text_string(&line));
	mio_text_clear(&line);
}

static void keep(struct mio_stats_file *file, const char *bytes, size_t count)
{
	if (file->kept.length + count <= KEPT_BYTES)
		mio_text_add_bytes(&file->kept, bytes, count);
}

/* Writes what is kept and one entry; 0 or -errno. left: after a partial write, the text that was not written. */
static int put(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header, int opening,
	       const struct mio_text *entry, struct mio_text *left)
{
	struct mio_text text = {0};
	size_t written = 0;
	int created = 0;
	int held;
	int fd;
	int rc;

	fd = hold(file->stay);
	held = fd >= 0;
	if (!held)
		fd = open_file(file, tree, &created);
	if (!file->begun || created) {
		mio_text_add_bytes(&text, mio_text_string(header), header->length);
		if (!file->json && !opening)
			mio_text_add(&text, mio_stats_separator);
	}
	mio_text_add_bytes(&text, mio_text_string(&file->kept), file->kept.length);
	mio_text_add_bytes(&text, mio_text_string(entry), entry->length);
	rc = text.failed ? -ENOMEM : fd < 0 ? fd : mio_stats_write(fd, text.bytes, text.length, &written);
	if (created && rc < 0)
		take_back_if_empty(fd, file->path);
	if (held)
		mio_os_kept_let_go(file->stay);
	else if (fd >= 0 && !file->stream)
		mio_raw1(SYS_close, fd);
	file->begun |= rc == 0 || written > 0;
	if (written > 0 && rc < 0)
		mio_text_add_bytes(left, text.bytes + written, text.length - written);
	mio_text_clear(&text);
	return rc;
}

void mio_stats_file_write(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header,
			  int opening, int later, const struct mio_text *entry)
{
	struct mio_text left = {0};
	int rc;

	if (file->failed || entry->failed)
		return;
	rc = put(file, tree, header, opening, entry, &left);
	/* If the program has opened all files it may, it will close some later. */
	later |= rc == -EMFILE || rc == -ENFILE || rc == -ENOMEM;
	if (rc == 0) {
		mio_text_clear(&file->kept);
	} else if (!later) {
		fail(file, rc);
	} else if (left.length == 0) {
		keep(file, mio_text_string(entry), entry->length);
	} else {
		mio_text_cut(&file->kept, 0);
		keep(file, left.bytes, left.length);
	}
	mio_text_clear(&left);
}

void mio_stats_file_write_kept(struct mio_stats_file *file, const struct mio_stats_tree *tree, const struct mio_text *header)
{
	const struct mio_text nothing = {0};
	struct mio_text left = {0};
	int rc = put(file, tree, header, 0, &nothing, &left);

	if (rc < 0)
		fail(file, rc);
	mio_text_clear(&file->kept);
	mio_text_clear(&left);
}
