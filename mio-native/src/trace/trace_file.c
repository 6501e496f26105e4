#include "trace_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../stats/stats_process.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define TRIES 100
#define PAUSE_NS 1000000
/* Most pauses that the process which makes the file needs to write its header. */
#define HEADER_TRIES 20
#define ZEROS_BYTES ((size_t)65536)

static void pause_briefly(void)
{
	_Atomic uint32_t never = 0;

	mio_futex_wait(&never, 0, PAUSE_NS);
}

static int look(int fd, const char *path, struct statx *found)
{
	memset(found, 0, sizeof(*found));
	return (int)mio_raw5(SYS_statx, fd, path, *path ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH, STATX_BASIC_STATS, found);
}

static void identify(const struct statx *found, struct mio_trace_place *place)
{
	place->device = makedev(found->stx_dev_major, found->stx_dev_minor);
	place->inode = found->stx_ino;
}

static int is_of(const struct statx *found, const struct mio_trace_place *place)
{
	return found->stx_ino == place->inode && makedev(found->stx_dev_major, found->stx_dev_minor) == place->device;
}

/* Fills blocks of the caller with zeros. bytes: whole blocks, so nothing after them is written. The caller takes care that no fork comes meanwhile. */
static int write_zeros(int fd, int64_t from, int64_t bytes)
{
	char *zeros = mio_memory_take(ZEROS_BYTES);
	size_t written;
	int rc = zeros ? (int)(mio_raw3(SYS_lseek, fd, from, SEEK_SET) < 0 ? -EIO : 0) : -ENOMEM;

	for (; rc == 0 && bytes > 0; bytes -= (int64_t)ZEROS_BYTES)
		rc = mio_stats_write(fd, zeros, ZEROS_BYTES, &written);
	mio_memory_give(zeros, ZEROS_BYTES);
	return rc;
}

static int is_in_memory(int fd)
{
	struct statfs found;

	return mio_raw2(SYS_fstatfs, fd, &found) == 0 && found.f_type == TMPFS_MAGIC;
}

/*
 * Has the file system set space aside. bytes: whole blocks. at_once: the blocks will be used at once, so they are also written. The kernel then has
 * them in memory in large pieces, and touching them costs a tenth of what it costs if each page is made when it is touched. In tmpfs they are in
 * memory already.
 */
static int reserve(int fd, int64_t from, int64_t bytes, int at_once)
{
	uint64_t limit[2] = {UINT64_MAX, UINT64_MAX};
	long rc;

	/* Check the limit first: the kernel would send SIGXFSZ, which the program is to get for its own files only. */
	mio_raw4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, limit);
	if ((uint64_t)(from + bytes) > limit[0])
		return -EFBIG;
	do
		rc = mio_raw4(SYS_fallocate, fd, 0, from, bytes);
	while (rc == -EINTR);
	if (rc == -EOPNOTSUPP || rc == -ENOSYS || (rc == 0 && at_once && !is_in_memory(fd)))
		rc = write_zeros(fd, from, bytes);
	return (int)rc;
}

static int map(int fd, int64_t from, size_t bytes, void **memory)
{
	long mapped = mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, from);

	if (mapped < 0 && mapped > -4096)
		return (int)mapped;
	*memory = (void *)mapped;
	return 0;
}

int mio_trace_file_populate(void *memory, size_t bytes)
{
	long rc;

	do
		rc = mio_raw3(SYS_madvise, memory, bytes, MADV_POPULATE_WRITE);
	while (rc == -EINTR || rc == -EAGAIN);
	/* Kernels before 5.14 do not know this advice. The space that was set aside must be enough there. */
	return rc == -EINVAL ? 0 : (int)rc;
}

void mio_trace_file_unmap(void *memory, size_t bytes)
{
	mio_raw2(SYS_munmap, memory, bytes);
}

static void put_text(char *to, const char *text)
{
	memcpy(to, text, strnlen(text, 255));
}

static int write_header(int fd, const struct mio_trace_facts *facts)
{
	struct mio_trace_header *header = mio_memory_take(sizeof(*header));
	size_t written;
	int rc;

	if (!header)
		return -ENOMEM;
	memcpy(header->magic, MIO_TRACE_FILE_MAGIC, sizeof(header->magic));
	header->byte_order = MIO_TRACE_BYTE_ORDER;
	header->major = MIO_TRACE_MAJOR;
	header->minor = MIO_TRACE_MINOR;
	header->header_bytes = MIO_TRACE_HEADER_BYTES;
	header->block_bytes = MIO_TRACE_BLOCK_BYTES;
	header->block_header_bytes = offsetof(struct mio_trace_block, records);
	header->record_bytes = MIO_TRACE_RECORD_BYTES;
	header->process = facts->process;
	header->door = facts->door;
	header->realtime_ns = facts->realtime_ns;
	header->monotonic_ns = facts->monotonic_ns;
	header->tree = facts->tree;
	header->limit_bytes = facts->limit_bytes;
	put_text(header->program, facts->program);
	put_text(header->host, facts->host);
	put_text(header->library, facts->library);
	rc = reserve(fd, 0, MIO_TRACE_HEADER_BYTES, 0);
	if (rc == 0)
		rc = (int)(mio_raw3(SYS_lseek, fd, 0, SEEK_SET) < 0 ? -EIO : 0);
	if (rc == 0)
		rc = mio_stats_write(fd, (const char *)header, sizeof(*header), &written);
	mio_memory_give(header, sizeof(*header));
	return rc;
}

static int create(const struct mio_trace_facts *facts)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = (int)mio_raw4(SYS_openat, AT_FDCWD, facts->path, flags, 0600);
	int rc = fd < 0 ? fd : write_header(fd, facts);

	if (fd >= 0 && rc < 0) {
		mio_raw3(SYS_unlinkat, AT_FDCWD, facts->path, 0);
		mio_raw1(SYS_close, fd);
	}
	return rc < 0 ? rc : fd;
}

enum found { OURS, OLD, FOREIGN, UNFINISHED };

/* 1 if the file has only zeros, and at most as many as a header: the space of the header is set aside before it is written. */
static int is_unfinished(int fd, struct mio_trace_header *piece)
{
	const char *byte = (const char *)piece;
	int64_t at = 0;
	long bytes;

	while ((bytes = mio_raw4(SYS_pread64, fd, piece, sizeof(*piece), at)) > 0) {
		for (long i = 0; i < bytes; i++)
			if (byte[i])
				return 0;
		at += bytes;
		if (at > MIO_TRACE_HEADER_BYTES)
			return 0;
	}
	return bytes == 0;
}

/* Reads the beginning of the file; 1 if it is that of an events file. */
static int has_magic(int fd, struct mio_trace_header *head)
{
	const long bytes = offsetof(struct mio_trace_header, claimed);

	return mio_raw4(SYS_pread64, fd, head, bytes, 0) == bytes &&
	       memcmp(head->magic, MIO_TRACE_FILE_MAGIC, sizeof(head->magic)) == 0;
}

/* head: memory for what is read. */
static enum found judge(int fd, const struct mio_trace_facts *facts, struct mio_trace_header *head)
{
	if (!has_magic(fd, head)) {
		if (is_unfinished(fd, head))
			return UNFINISHED;
		/* Another process may have written the header meanwhile. */
		if (!has_magic(fd, head))
			return FOREIGN;
	}
	return head->tree == facts->tree && head->byte_order == MIO_TRACE_BYTE_ORDER && head->major == MIO_TRACE_MAJOR &&
			       head->header_bytes == MIO_TRACE_HEADER_BYTES && head->block_bytes == MIO_TRACE_BLOCK_BYTES &&
			       head->record_bytes == MIO_TRACE_RECORD_BYTES
		       ? OURS
		       : OLD;
}

/* Unlinks the file, to be made anew. Of two processes only one gets the lock; the other then finds the new file there. Closing fd ends the lock. */
static void replace(int fd, const char *path)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct mio_trace_place place;
	struct statx found;

	for (int i = 0; i < TRIES && mio_raw3(SYS_fcntl, fd, F_OFD_SETLK, &whole) == -EAGAIN; i++)
		pause_briefly();
	if (look(fd, "", &found) < 0)
		return;
	identify(&found, &place);
	if (look(AT_FDCWD, path, &found) == 0 && is_of(&found, &place))
		mio_raw3(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* A descriptor of the existing file, if it is a regular file of this user; or -errno. */
static int open_there(const char *path)
{
	struct statx found;
	int fd = (int)mio_raw4(SYS_openat, AT_FDCWD, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	int rc = fd < 0 ? fd : look(fd, "", &found);

	if (rc >= 0 && (!S_ISREG(found.stx_mode) || found.stx_uid != (uint32_t)mio_raw0(SYS_geteuid)))
		rc = -EEXIST;
	if (rc < 0 && fd >= 0)
		mio_raw1(SYS_close, fd);
	return rc < 0 ? rc : fd;
}

/* A descriptor of the events file, made or joined, with its header written; or -errno. head: memory for what is read. */
static int make_or_join(const struct mio_trace_facts *facts, struct mio_trace_header *head)
{
	int unfinished = 0;

	for (int i = 0; i < TRIES; i++) {
		enum found what;
		int fd = create(facts);

		if (fd != -EEXIST)
			return fd;
		fd = open_there(facts->path);
		if (fd == -ENOENT)
			continue;
		if (fd < 0)
			return fd;
		what = judge(fd, facts, head);
		if (what == OURS)
			return fd;
		if (what == UNFINISHED && ++unfinished < HEADER_TRIES)
			pause_briefly();
		else if (what != FOREIGN)
			replace(fd, facts->path);
		mio_raw1(SYS_close, fd);
		if (what == FOREIGN)
			return -EEXIST;
	}
	return -EBUSY;
}

int mio_trace_file_open(const struct mio_trace_facts *facts, struct mio_trace_place *place)
{
	struct statx found;
	void *header = NULL;
	/* The program's stack may be small. */
	struct mio_trace_header *head = mio_memory_take(sizeof(*head));
	int fd = head ? make_or_join(facts, head) : -ENOMEM;
	int rc = fd < 0 ? fd : look(fd, "", &found);

	mio_memory_give(head, sizeof(*head));
	if (rc == 0)
		rc = map(fd, 0, sizeof(struct mio_trace_header), &header);
	if (rc == 0) {
		identify(&found, place);
		place->header = header;
		rc = mio_trace_file_populate(header, sizeof(struct mio_trace_header));
	}
	if (rc == 0)
		mio_os_kept_put(&place->kept, fd);
	else if (fd >= 0)
		mio_raw1(SYS_close, fd);
	return rc;
}

/* Opens the file again by its path. A descriptor, or -errno; -ESTALE: another file is there. */
static int open_again(const struct mio_trace_facts *facts, const struct mio_trace_place *place)
{
	struct statx found;
	int fd = open_there(facts->path);
	int rc = fd < 0 ? fd : look(fd, "", &found);

	if (rc == 0 && !is_of(&found, place))
		rc = -ESTALE;
	if (rc < 0 && fd >= 0)
		mio_raw1(SYS_close, fd);
	return rc < 0 ? rc : fd;
}

/* 0 if the path still leads to the file; else -errno, -ESTALE if it leads to another one. */
static int has_its_name(const struct mio_trace_facts *facts, const struct mio_trace_place *place)
{
	struct statx found;
	int rc = look(AT_FDCWD, facts->path, &found);

	return rc == 0 && !is_of(&found, place) ? -ESTALE : rc;
}

/* The kept descriptor, held; -EBADF if none is kept. -ESTALE: the file has lost its name, and is no longer written to. */
static int hold(const struct mio_trace_facts *facts, struct mio_trace_place *place)
{
	uint64_t links;
	int fd = mio_os_kept_hold(&place->kept, &links);
	int rc;

	if (fd < 0)
		return fd;
	if (place->kept.inherited)
		rc = links > 0 ? 0 : -ESTALE;
	else
		rc = has_its_name(facts, place);
	if (rc < 0)
		mio_os_kept_let_go(&place->kept);
	return rc < 0 ? rc : fd;
}

int mio_trace_file_blocks(const struct mio_trace_facts *facts, struct mio_trace_place *place, uint64_t first, uint64_t count,
			  struct mio_trace_block **blocks)
{
	int64_t from = MIO_TRACE_HEADER_BYTES + (int64_t)first * MIO_TRACE_BLOCK_BYTES;
	int64_t bytes = (int64_t)count * MIO_TRACE_BLOCK_BYTES;
	void *memory = NULL;
	int fd = hold(facts, place);
	int is_kept = fd != -EBADF;
	int rc;

	if (!is_kept)
		fd = open_again(facts, place);
	rc = fd < 0 ? fd : reserve(fd, from, bytes, 1);
	if (rc == 0)
		rc = map(fd, from, (size_t)bytes, &memory);
	if (fd >= 0 && is_kept)
		mio_os_kept_let_go(&place->kept);
	else if (fd >= 0)
		mio_os_kept_put(&place->kept, fd);
	if (rc == 0)
		*blocks = memory;
	return rc;
}

void mio_trace_file_stay(struct mio_trace_place *place)
{
	place->kept.inherited = 1;
}

void mio_trace_file_forked(const struct mio_trace_facts *facts, struct mio_trace_place *place)
{
	int fd = place->kept.inherited ? -EBADF : open_again(facts, place);

	if (fd >= 0)
		mio_os_kept_put(&place->kept, fd);
}
