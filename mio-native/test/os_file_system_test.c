/* What kind of place a file system is, by the number that statfs gives. */
#include "../src/os/os_file_system.h"
#include "assert.h"

#include <linux/magic.h>

static void should_know_those_of_other_machines(void)
{
	static const uint32_t remote[] = {
		NFS_SUPER_MAGIC, FUSE_SUPER_MAGIC, 0xff534d42, 0xfe534d42, SMB_SUPER_MAGIC, V9FS_MAGIC, CEPH_SUPER_MAGIC,
		AFS_SUPER_MAGIC, AFS_FS_MAGIC,	   CODA_SUPER_MAGIC, /* BeeGFS, OrangeFS */ 0x19830326, 0x20030528,
	};

	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		ASSERT_EQUAL(MIO_OS_PLACE_REMOTE, mio_os_file_system_place(remote[i]));
}

static void should_know_those_that_machines_share_by_locks(void)
{
	/* Lustre, GPFS, GFS2 */
	static const uint32_t shared[] = {0x0bd00bd0, 0x47504653, 0x01161970, OCFS2_SUPER_MAGIC};

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		ASSERT_EQUAL(MIO_OS_PLACE_SHARED, mio_os_file_system_place(shared[i]));
}

static void should_take_all_others_for_disks_of_this_machine(void)
{
	static const uint32_t disks[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, 0, 1};

	ASSERT_EQUAL(MIO_OS_PLACE_MEMORY, mio_os_file_system_place(TMPFS_MAGIC));
	ASSERT_EQUAL(MIO_OS_PLACE_MEMORY, mio_os_file_system_place(RAMFS_MAGIC));
	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++)
		ASSERT_EQUAL(MIO_OS_PLACE_DISK, mio_os_file_system_place(disks[i]));
}

static void should_say_of_each_number_what_its_row_says(void)
{
	for (int i = 0; mio_os_file_system(i); i++)
		for (int k = 0; k < 3 && mio_os_file_system(i)->magic[k]; k++)
			ASSERT_EQUAL(mio_os_file_system(i)->place, mio_os_file_system_place(mio_os_file_system(i)->magic[k]));
	ASSERT(!mio_os_file_system(-1));
}

int main(void)
{
	RUN(should_know_those_of_other_machines);
	RUN(should_know_those_that_machines_share_by_locks);
	RUN(should_take_all_others_for_disks_of_this_machine);
	RUN(should_say_of_each_number_what_its_row_says);
	return TEST_RESULT();
}
