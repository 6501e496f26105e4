#include "os_file_system.h"

#include <stddef.h>

/*
 * The numbers are those of linux/magic.h. Where that has none, they are from the file system's own sources: Lustre lustre_user.h, BeeGFS
 * FhgfsOpsSuper.h, OrangeFS fs/orangefs/protocol.h, GFS2 linux/gfs2_ondisk.h; for GPFS from statfs(2) and ROMIO.
 */
static const struct mio_os_file_system table[] = {
	{"tmpfs", MIO_OS_PLACE_MEMORY, {0x01021994}},
	{"ramfs", MIO_OS_PLACE_MEMORY, {0x858458f6}},
	{"nfs*", MIO_OS_PLACE_REMOTE, {0x00006969}},
	{"fuse*", MIO_OS_PLACE_REMOTE, {0x65735546}},
	{"cifs", MIO_OS_PLACE_REMOTE, {0xff534d42}},
	{"smb*", MIO_OS_PLACE_REMOTE, {0xfe534d42, 0x0000517b}},
	{"9p", MIO_OS_PLACE_REMOTE, {0x01021997}},
	{"ceph", MIO_OS_PLACE_REMOTE, {0x00c36400}},
	/* OpenAFS, and the kernel's own AFS. */
	{"afs", MIO_OS_PLACE_REMOTE, {0x5346414f, 0x6b414653}},
	{"coda", MIO_OS_PLACE_REMOTE, {0x73757245}},
	{"beegfs", MIO_OS_PLACE_REMOTE, {0x19830326}},
	{"pvfs2", MIO_OS_PLACE_REMOTE, {0x20030528}},
	{"lustre", MIO_OS_PLACE_SHARED, {0x0bd00bd0}},
	{"gpfs", MIO_OS_PLACE_SHARED, {0x47504653}},
	{"gfs2", MIO_OS_PLACE_SHARED, {0x01161970}},
	{"ocfs2", MIO_OS_PLACE_SHARED, {0x7461636f}},
};

enum { ROWS = sizeof(table) / sizeof(table[0]) };

enum mio_os_place mio_os_file_system_place(uint32_t magic)
{
	for (int row = 0; row < ROWS && magic; row++)
		for (int i = 0; i < 3; i++)
			if (table[row].magic[i] == magic)
				return table[row].place;
	return MIO_OS_PLACE_DISK;
}

const struct mio_os_file_system *mio_os_file_system(int row)
{
	return row >= 0 && row < ROWS ? &table[row] : NULL;
}
