/*
 * Serves the requests of slowfs on the directory behind it. Files are reached by the descriptors of their nodes
 * (slowfs_nodes.c), so renames and removals need no names. The handle of an open file is a descriptor.
 */
#define _GNU_SOURCE
#include "slowfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define VALID_SECONDS 1

/* An entry of a directory, as getdents64(2) writes it. */
struct entry {
	uint64_t number;
	int64_t next_offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static int result_of(long result)
{
	return result < 0 ? -errno : 0;
}

static void *answer(struct slow_request *request, size_t bytes)
{
	request->answer_bytes = bytes;
	return memset(request->answer, 0, bytes);
}

static struct fuse_attr attributes(const struct stat *found)
{
	return (struct fuse_attr){
		.ino = found->st_ino,
		.size = (uint64_t)found->st_size,
		.blocks = (uint64_t)found->st_blocks,
		.atime = (uint64_t)found->st_atim.tv_sec,
		.mtime = (uint64_t)found->st_mtim.tv_sec,
		.ctime = (uint64_t)found->st_ctim.tv_sec,
		.atimensec = (uint32_t)found->st_atim.tv_nsec,
		.mtimensec = (uint32_t)found->st_mtim.tv_nsec,
		.ctimensec = (uint32_t)found->st_ctim.tv_nsec,
		.mode = found->st_mode,
		.nlink = (uint32_t)found->st_nlink,
		.uid = found->st_uid,
		.gid = found->st_gid,
		.rdev = (uint32_t)found->st_rdev,
		.blksize = (uint32_t)found->st_blksize,
	};
}

static int look_up(uint64_t parent, const char *name, struct fuse_entry_out *out)
{
	int fd = openat(slow_node_fd(parent), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat found;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &found) < 0 || !(out->nodeid = slow_node_get(fd, &found))) {
		int error = errno;

		close(fd);
		return -error;
	}
	out->entry_valid = out->attr_valid = VALID_SECONDS;
	out->attr = attributes(&found);
	return 0;
}

/* Ends each request that made a name: gives the new file to the user who asked, and tells the kernel its node. */
static int made(struct slow_request *request, const char *name, long result)
{
	if (result < 0)
		return -errno;
	if (geteuid() == 0)
		(void)!fchownat(slow_node_fd(request->head.nodeid), name, request->head.uid, request->head.gid, AT_SYMLINK_NOFOLLOW);
	return look_up(request->head.nodeid, name, answer(request, sizeof(struct fuse_entry_out)));
}

static int get_attributes(struct slow_request *request)
{
	struct fuse_attr_out *out = answer(request, sizeof(*out));
	struct stat found;

	if (fstat(slow_node_fd(request->head.nodeid), &found) < 0)
		return -errno;
	out->attr_valid = VALID_SECONDS;
	out->attr = attributes(&found);
	return 0;
}

static struct timespec time_of(uint32_t valid, uint32_t set, uint32_t now, uint64_t seconds, uint32_t nanos)
{
	if (!(valid & set))
		return (struct timespec){.tv_nsec = UTIME_OMIT};
	if (valid & now)
		return (struct timespec){.tv_nsec = UTIME_NOW};
	return (struct timespec){(time_t)seconds, (long)nanos};
}

static int set_attributes(struct slow_request *request, const struct fuse_setattr_in *in)
{
	uint32_t valid = in->valid;
	char path[40];
	int error = 0;

	slow_node_path(request->head.nodeid, path);
	if (valid & FATTR_MODE)
		error = result_of(chmod(path, in->mode));
	if (!error && valid & (FATTR_UID | FATTR_GID))
		error = result_of(fchownat(slow_node_fd(request->head.nodeid), "", valid & FATTR_UID ? in->uid : (uid_t)-1,
					   valid & FATTR_GID ? in->gid : (gid_t)-1, AT_EMPTY_PATH));
	if (!error && valid & FATTR_SIZE)
		error = result_of(valid & FATTR_FH ? ftruncate((int)in->fh, (off_t)in->size) : truncate(path, (off_t)in->size));
	if (!error && valid & (FATTR_ATIME | FATTR_MTIME)) {
		struct timespec times[2] = {time_of(valid, FATTR_ATIME, FATTR_ATIME_NOW, in->atime, in->atimensec),
					    time_of(valid, FATTR_MTIME, FATTR_MTIME_NOW, in->mtime, in->mtimensec)};

		error = result_of(utimensat(AT_FDCWD, path, times, 0));
	}
	return error ? error : get_attributes(request);
}

/*
 * Returns the flags to open the file behind with. The kernel writes pages back after their writer has gone, may have to
 * read them first, and gives an offset with each: so no O_APPEND, and reads are allowed too.
 */
static int flags_behind(uint32_t flags)
{
	int behind = (int)flags & ~(O_APPEND | O_DIRECT | O_NOFOLLOW | O_CREAT | O_EXCL);

	if (flags & O_DIRECT)
		slow_count_direct();
	if ((behind & O_ACCMODE) == O_WRONLY)
		behind = (behind & ~O_ACCMODE) | O_RDWR;
	return behind | O_CLOEXEC;
}

static void opened(struct fuse_open_out *out, int fd)
{
	out->fh = (uint64_t)fd;
	out->open_flags = FOPEN_KEEP_CACHE;
}

static int open_file(struct slow_request *request, uint32_t flags, int more)
{
	char path[40];
	int fd = open(slow_node_path(request->head.nodeid, path), flags_behind(flags) | more);

	/* A user who may write the file behind but not read it gets an open that only writes. */
	if (fd < 0 && errno == EACCES && (flags & O_ACCMODE) == O_WRONLY)
		fd = open(path, (flags_behind(flags) & ~O_ACCMODE) | O_WRONLY | more);
	if (fd < 0)
		return -errno;
	opened(answer(request, sizeof(struct fuse_open_out)), fd);
	return 0;
}

static int create(struct slow_request *request, const struct fuse_create_in *in)
{
	const char *name = (const char *)(in + 1);
	int flags = flags_behind(in->flags) | O_CREAT | O_NOFOLLOW | (int)(in->flags & O_EXCL);
	int fd = openat(slow_node_fd(request->head.nodeid), name, flags, (mode_t)in->mode);
	int error = made(request, name, fd);

	if (error) {
		if (fd >= 0)
			close(fd);
		return error;
	}
	opened(memset(request->answer + request->answer_bytes, 0, sizeof(struct fuse_open_out)), fd);
	request->answer_bytes += sizeof(struct fuse_open_out);
	return 0;
}

static int read_file(struct slow_request *request, const struct fuse_read_in *in)
{
	ssize_t got = pread((int)in->fh, request->answer, in->size < SLOW_BYTES_MAX ? in->size : SLOW_BYTES_MAX, (off_t)in->offset);

	if (got < 0)
		return -errno;
	request->answer_bytes = (size_t)got;
	return 0;
}

static int write_file(struct slow_request *request, const struct fuse_write_in *in)
{
	const char *bytes = (const char *)(in + 1);
	uint32_t done = 0;

	while (done < in->size) {
		ssize_t put = pwrite((int)in->fh, bytes + done, in->size - done, (off_t)(in->offset + done));

		if (put < 0 && done == 0)
			return -errno;
		if (put <= 0)
			break;
		done += (uint32_t)put;
	}
	((struct fuse_write_out *)answer(request, sizeof(struct fuse_write_out)))->size = done;
	return 0;
}

/* Positions in this directory are the positions in the directory behind it. */
static int read_directory(struct slow_request *request, const struct fuse_read_in *in)
{
	char block[8192] __attribute__((aligned(8)));
	long bytes;

	if (lseek((int)in->fh, (off_t)in->offset, SEEK_SET) < 0)
		return -errno;
	request->answer_bytes = 0;
	while ((bytes = syscall(SYS_getdents64, (int)in->fh, block, sizeof(block))) > 0) {
		for (long at = 0; at < bytes;) {
			const struct entry *entry = (const struct entry *)(block + at);
			struct fuse_dirent head = {entry->number, (uint64_t)entry->next_offset, (uint32_t)strlen(entry->name),
						   entry->type};
			size_t needed = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + head.namelen);
			char *place = request->answer + request->answer_bytes;

			if (request->answer_bytes + needed > in->size || request->answer_bytes + needed > SLOW_BYTES_MAX)
				return 0;
			memset(place, 0, needed);
			memcpy(place, &head, FUSE_NAME_OFFSET);
			memcpy(place + FUSE_NAME_OFFSET, entry->name, head.namelen);
			request->answer_bytes += needed;
			at += entry->bytes;
		}
	}
	return result_of(bytes);
}

static int read_link(struct slow_request *request)
{
	ssize_t bytes = readlinkat(slow_node_fd(request->head.nodeid), "", request->answer, SLOW_BYTES_MAX);

	request->answer_bytes = bytes < 0 ? 0 : (size_t)bytes;
	return result_of(bytes);
}

static int space(struct slow_request *request)
{
	struct fuse_statfs_out *out = answer(request, sizeof(*out));
	struct statvfs found;

	if (fstatvfs(slow_node_fd(request->head.nodeid), &found) < 0)
		return -errno;
	out->st = (struct fuse_kstatfs){
		.blocks = found.f_blocks,
		.bfree = found.f_bfree,
		.bavail = found.f_bavail,
		.files = found.f_files,
		.ffree = found.f_ffree,
		.bsize = (uint32_t)found.f_bsize,
		.namelen = (uint32_t)found.f_namemax,
		.frsize = (uint32_t)found.f_frsize,
	};
	return 0;
}

static int make_link(struct slow_request *request, const struct fuse_link_in *in)
{
	char path[40];

	slow_node_path(in->oldnodeid, path);
	return made(request, (const char *)(in + 1),
		    linkat(AT_FDCWD, path, slow_node_fd(request->head.nodeid), (const char *)(in + 1), AT_SYMLINK_FOLLOW));
}

static int rename_file(struct slow_request *request, uint64_t to, uint32_t flags, const char *names)
{
	return result_of(syscall(SYS_renameat2, slow_node_fd(request->head.nodeid), names, slow_node_fd(to), names + strlen(names) + 1, flags));
}

static int forget(struct slow_request *request)
{
	const struct fuse_batch_forget_in *in = (const void *)request->argument;
	const struct fuse_forget_one *each = (const void *)(in + 1);

	request->silent = 1;
	if (request->head.opcode == FUSE_FORGET)
		slow_node_forget(request->head.nodeid, ((const struct fuse_forget_in *)(const void *)request->argument)->nlookup);
	else
		for (uint32_t i = 0; i < in->count; i++)
			slow_node_forget(each[i].nodeid, each[i].nlookup);
	return 0;
}

static int seek(struct slow_request *request, const struct fuse_lseek_in *in)
{
	off_t offset = lseek((int)in->fh, (off_t)in->offset, (int)in->whence);

	if (offset < 0)
		return -errno;
	((struct fuse_lseek_out *)answer(request, sizeof(struct fuse_lseek_out)))->offset = (uint64_t)offset;
	return 0;
}

int slow_files_serve(struct slow_request *request)
{
	const void *in = request->argument;
	const char *name = request->argument;
	int parent;

	request->answer_bytes = 0;
	request->silent = 0;
	if (request->head.opcode == FUSE_FORGET || request->head.opcode == FUSE_BATCH_FORGET)
		return forget(request);
	parent = slow_node_fd(request->head.nodeid ? request->head.nodeid : FUSE_ROOT_ID);
	switch (request->head.opcode) {
	case FUSE_LOOKUP:
		return look_up(request->head.nodeid, name, answer(request, sizeof(struct fuse_entry_out)));
	case FUSE_GETATTR:
		return get_attributes(request);
	case FUSE_SETATTR:
		return set_attributes(request, in);
	case FUSE_READLINK:
		return read_link(request);
	case FUSE_MKNOD:
		name += sizeof(struct fuse_mknod_in);
		return made(request, name, mknodat(parent, name, ((const struct fuse_mknod_in *)in)->mode, ((const struct fuse_mknod_in *)in)->rdev));
	case FUSE_MKDIR:
		name += sizeof(struct fuse_mkdir_in);
		return made(request, name, mkdirat(parent, name, ((const struct fuse_mkdir_in *)in)->mode));
	case FUSE_SYMLINK:
		return made(request, name, symlinkat(name + strlen(name) + 1, parent, name));
	case FUSE_LINK:
		return make_link(request, in);
	case FUSE_UNLINK:
		return result_of(unlinkat(parent, name, 0));
	case FUSE_RMDIR:
		return result_of(unlinkat(parent, name, AT_REMOVEDIR));
	case FUSE_RENAME:
		return rename_file(request, ((const struct fuse_rename_in *)in)->newdir, 0, name + sizeof(struct fuse_rename_in));
	case FUSE_RENAME2:
		return rename_file(request, ((const struct fuse_rename2_in *)in)->newdir, ((const struct fuse_rename2_in *)in)->flags,
				   name + sizeof(struct fuse_rename2_in));
	case FUSE_CREATE:
		return create(request, in);
	case FUSE_OPEN:
		return open_file(request, ((const struct fuse_open_in *)in)->flags, 0);
	case FUSE_OPENDIR:
		return open_file(request, O_RDONLY, O_DIRECTORY);
	case FUSE_READ:
		return read_file(request, in);
	case FUSE_WRITE:
		return write_file(request, in);
	case FUSE_READDIR:
		return read_directory(request, in);
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
		return result_of(close((int)((const struct fuse_release_in *)in)->fh));
	case FUSE_FLUSH:
		return 0;
	case FUSE_FSYNC:
	case FUSE_FSYNCDIR: {
		const struct fuse_fsync_in *sync = in;

		return result_of(sync->fsync_flags & FUSE_FSYNC_FDATASYNC ? fdatasync((int)sync->fh) : fsync((int)sync->fh));
	}
	case FUSE_FALLOCATE: {
		const struct fuse_fallocate_in *range = in;

		return result_of(fallocate((int)range->fh, (int)range->mode, (off_t)range->offset, (off_t)range->length));
	}
	case FUSE_LSEEK:
		return seek(request, in);
	case FUSE_STATFS:
		return space(request);
	default:
		return -ENOSYS;
	}
}
