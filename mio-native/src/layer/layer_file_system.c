/*
 * A table keeps what is known of each device for the life of the process; it is read without a lock. The name of a
 * file system type comes from the table of mounts, as in a JVM, because the number that statfs returns is the same for ext3
 * and ext4, and for everything under fuse. That number names only a device without a mount of its own (a part of btrfs).
 */
#include "layer_file_system.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../common/text.h"

#define KNOWN_MAX 64
#define TYPE_BYTES 48
#define MOUNTS_BYTES_MAX ((size_t)4 << 20)
#define PIECE_BYTES ((size_t)4096)

struct file_system {
	uint64_t device;
	uint32_t magic;
	int64_t block_bytes;
	_Atomic int named;
	char type[TYPE_BYTES];
};

static struct mio_lock lock;
static struct file_system known[KNOWN_MAX];
static _Atomic int count;

static const struct {
	uint32_t magic;
	const char *type;
} types[] = {
	{0x0000ef53, "ext4"},	  {0x01021994, "tmpfs"},   {0x58465342, "xfs"},	     {0x9123683e, "btrfs"},
	{0x794c7630, "overlay"},  {0x00006969, "nfs"},	   {0x65735546, "fuse"},     {0xff534d42, "cifs"},
	{0xfe534d42, "smb3"},	  {0x01021997, "9p"},	   {0x00c36400, "ceph"},     {0x2fc12fc1, "zfs"},
	{0xf2f52010, "f2fs"},	  {0x858458f6, "ramfs"},   {0x00004d44, "vfat"},     {0x2011bab0, "exfat"},
	{0x7366746e, "ntfs3"},	  {0x0bd00bd0, "lustre"},  {0x47504653, "gpfs"},     {0xca451a4e, "bcachefs"},
	{0x73717368, "squashfs"}, {0x00009660, "iso9660"}, {0x5346414f, "afs"},     {0x6b414653, "afs"},
	{0x73757245, "coda"},
	{0x19830326, "beegfs"},	  {0x20030528, "pvfs2"},   {0x01161970, "gfs2"},     {0x7461636f, "ocfs2"},
};

static struct file_system *find(uint64_t device)
{
	int all = atomic_load_explicit(&count, memory_order_acquire);

	for (int i = 0; i < all; i++)
		if (known[i].device == device)
			return &known[i];
	return NULL;
}

void mio_file_system_see(const struct mio_open_request *request)
{
	struct statfs found;
	int at;

	if (find(request->device) || mio_raw2(SYS_fstatfs, request->fd, &found) < 0)
		return;
	mio_lock_acquire(&lock);
	at = atomic_load_explicit(&count, memory_order_relaxed);
	if (!find(request->device) && at < KNOWN_MAX) {
		known[at].device = request->device;
		known[at].magic = (uint32_t)found.f_type;
		known[at].block_bytes = (int64_t)(found.f_frsize ? found.f_frsize : found.f_bsize);
		atomic_store_explicit(&count, at + 1, memory_order_release);
	}
	mio_lock_release(&lock);
}

int64_t mio_open_sector_bytes(const struct mio_open_request *request)
{
	const struct file_system *found;

	if (request->sector_bytes > 0)
		return request->sector_bytes;
	mio_file_system_see(request);
	found = find(request->device);
	return found ? found->block_bytes : 0;
}

static void read_mounts(struct mio_text *mounts)
{
	long fd = mio_raw4(SYS_openat, AT_FDCWD, "/proc/self/mountinfo", O_RDONLY | O_CLOEXEC, 0);
	char *piece;
	long got;

	if (fd < 0)
		return;
	/* The program's stack may be small. */
	piece = mio_memory_take(PIECE_BYTES);
	while (piece && mounts->length < MOUNTS_BYTES_MAX) {
		got = mio_raw3(SYS_read, fd, piece, PIECE_BYTES);
		if (got > 0)
			mio_text_add_bytes(mounts, piece, (size_t)got);
		else if (got != -EINTR)
			break;
	}
	mio_memory_give(piece, PIECE_BYTES);
	mio_raw1(SYS_close, fd);
}

static uint64_t number(const char **at)
{
	uint64_t value = 0;

	while (**at >= '0' && **at <= '9')
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	return value;
}

/* The type in a line "id parent major:minor root directory options [tag...] - TYPE source options"; NULL if the line is of another device. */
static const char *type_in(const char *line, const char *end, uint64_t device)
{
	const char *at = line;
	uint64_t major_number;

	for (int blanks = 0; blanks < 2 && at < end; at++)
		blanks += *at == ' ';
	major_number = number(&at);
	if (*at++ != ':' || makedev((unsigned int)major_number, (unsigned int)number(&at)) != device)
		return NULL;
	for (; at + 3 < end; at++)
		if (memcmp(at, " - ", 3) == 0)
			return at + 3;
	return NULL;
}

static void name(struct file_system *found, const struct mio_text *mounts)
{
	const char *line = mio_text_string(mounts);
	const char *last = line + mounts->length;

	while (line < last) {
		const char *end = memchr(line, '\n', (size_t)(last - line));
		const char *type;

		if (!end)
			end = last;
		type = type_in(line, end, found->device);
		if (type) {
			size_t bytes = 0;

			while (bytes + 1 < TYPE_BYTES && type + bytes < end && type[bytes] != ' ')
				bytes++;
			memcpy(found->type, type, bytes);
			return;
		}
		line = end + 1;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].magic == found->magic)
			memcpy(found->type, types[i].type, strlen(types[i].type));
	if (!found->type[0])
		memcpy(found->type, "unknown", sizeof("unknown"));
}

const char *mio_file_system_type(uint64_t device)
{
	struct file_system *found = find(device);
	struct mio_text mounts = {0};

	if (!found)
		return "unknown";
	if (!atomic_load_explicit(&found->named, memory_order_acquire)) {
		read_mounts(&mounts);
		mio_lock_acquire(&lock);
		if (!atomic_load_explicit(&found->named, memory_order_relaxed)) {
			name(found, &mounts);
			atomic_store_explicit(&found->named, 1, memory_order_release);
		}
		mio_lock_release(&lock);
		mio_text_clear(&mounts);
	}
	return found->type;
}

void mio_file_system_forked(void)
{
	memset(&lock, 0, sizeof(lock));
}
