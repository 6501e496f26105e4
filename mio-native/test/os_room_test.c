/* How much of files memory could keep, by files such as the kernel writes, and by those of the kernel itself. */
#include "../src/os/os_room.h"

#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "assert.h"

static char root[64];

/* Writes a file below root, and makes its directories. */
static void put(const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(path, 0700);
		*at = '/';
	}
	file = fopen(path, "w");
	ASSERT(file);
	fputs(text, file);
	fclose(file);
}

static void begin(void)
{
	strcpy(root, "/tmp/mio-room.XXXXXX");
	ASSERT(mkdtemp(root));
	put("/proc/meminfo", "MemTotal:       24633536 kB\nMemFree:        23633536 kB\nMemAvailable:   20480000 kB\n");
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	ASSERT_EQUAL(0, system(command));
}

/* Writes a cgroup of version 1: its limit, its usage, and how much of the usage is files', in bytes. */
static void put_first(const char *directory, long long limit, long long usage, long long files)
{
	char name[256], text[128];

	snprintf(name, sizeof(name), "%s/memory.limit_in_bytes", directory);
	snprintf(text, sizeof(text), "%lld\n", limit);
	put(name, text);
	snprintf(name, sizeof(name), "%s/memory.usage_in_bytes", directory);
	snprintf(text, sizeof(text), "%lld\n", usage);
	put(name, text);
	snprintf(name, sizeof(name), "%s/memory.stat", directory);
	snprintf(text, sizeof(text), "cache 7\nrss 1\ntotal_cache %lld\ntotal_rss 3\n", files);
	put(name, text);
}

static void put_second(const char *directory, const char *limit, const char *high, long long usage, long long files)
{
	char name[256], text[128];

	snprintf(name, sizeof(name), "%s/memory.max", directory);
	put(name, limit);
	snprintf(name, sizeof(name), "%s/memory.high", directory);
	put(name, high);
	snprintf(name, sizeof(name), "%s/memory.current", directory);
	snprintf(text, sizeof(text), "%lld\n", usage);
	put(name, text);
	snprintf(name, sizeof(name), "%s/memory.stat", directory);
	snprintf(text, sizeof(text), "anon 5\nfile %lld\nkernel 3\nfile_mapped 9\n", files);
	put(name, text);
}

#define AVAILABLE (20480000LL * 1024)

static void should_be_what_is_available_without_cgroups(void)
{
	begin();
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	put("/proc/self/cgroup", "3:cpu:/a\n");
	put("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n");
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	end();
}

static void should_be_without_limit_where_nobody_tells(void)
{
	strcpy(root, "/tmp/mio-room.XXXXXX");
	ASSERT(mkdtemp(root));
	ASSERT_EQUAL(INT64_MAX, mio_os_room_below(root));
	end();
}

static void should_find_the_tightest_of_all_levels_of_version_1(void)
{
	begin();
	put("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/batch/job\n0::/\n");
	put("/proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
				    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
				    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n");
	put_first("/sys/fs/cgroup/memory", 9223372036854771712LL, 900 << 20, 100 << 20);
	put_first("/sys/fs/cgroup/memory/batch", 512 << 20, 300 << 20, 280 << 20);
	put_first("/sys/fs/cgroup/memory/batch/job", 1 << 30, 200 << 20, 190 << 20);
	ASSERT_EQUAL((512 - 20) << 20, mio_os_room_below(root));
	/* Memory that is not files' counts as taken. */
	put_first("/sys/fs/cgroup/memory/batch/job", 256 << 20, 200 << 20, 50 << 20);
	ASSERT_EQUAL((256 - 150) << 20, mio_os_room_below(root));
	/* Memory of files that are in memory cannot be reclaimed. */
	put("/sys/fs/cgroup/memory/batch/job/memory.stat", "total_cache 52428800\ntotal_shmem 10485760\n");
	ASSERT_EQUAL((256 - 160) << 20, mio_os_room_below(root));
	put("/sys/fs/cgroup/memory/batch/job/memory.stat", "total_cache 52428800\ntotal_shmem 104857600\n");
	ASSERT_EQUAL((256 - 200) << 20, mio_os_room_below(root));
	put_first("/sys/fs/cgroup/memory/batch/job", 100 << 20, 200 << 20, 50 << 20);
	ASSERT_EQUAL(0, mio_os_room_below(root));
	end();
}

static void should_find_the_limits_of_version_2(void)
{
	begin();
	put("/proc/self/cgroup", "0::/user.slice/run\n");
	put("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
	put_second("/sys/fs/cgroup/user.slice", "max\n", "max\n", 1LL << 30, 1 << 20);
	put_second("/sys/fs/cgroup/user.slice/run", "max\n", "max\n", 1 << 20, 0);
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	put_second("/sys/fs/cgroup/user.slice", "1073741824\n", "max\n", 512 << 20, 500 << 20);
	ASSERT_EQUAL((1024 - 12) << 20, mio_os_room_below(root));
	put_second("/sys/fs/cgroup/user.slice/run", "1073741824\n", "268435456\n", 12 << 20, 2 << 20);
	ASSERT_EQUAL((256 - 10) << 20, mio_os_room_below(root));
	end();
}

/* A container finds its own cgroup at the root of the mount. */
static void should_find_the_limit_of_a_container(void)
{
	begin();
	put("/proc/self/cgroup", "4:memory:/docker/abc\n0::/\n");
	put("/proc/self/mountinfo", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
	put_first("/sys/fs/cgroup/memory", 128 << 20, 64 << 20, 60 << 20);
	ASSERT_EQUAL((128 - 4) << 20, mio_os_room_below(root));
	/* The cgroup's name is not below the mounted directory. */
	put("/proc/self/cgroup", "4:memory:/other\n");
	ASSERT_EQUAL((128 - 4) << 20, mio_os_room_below(root));
	put("/proc/self/cgroup", "0::/\n");
	put("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	put_second("/sys/fs/cgroup", "100000000\n", "max\n", 30000000, 10000000);
	ASSERT_EQUAL(80000000, mio_os_room_below(root));
	end();
}

static void should_do_without_what_makes_no_sense(void)
{
	begin();
	put("/proc/self/cgroup", "\n:\n0:\n4:memory\n4:memory:/x\n99999999999999999999999:memory:\n");
	put("/proc/self/mountinfo", "\n1\n- - -\n35 31 0:32 / /sys/fs/cgroup/memory\n35 31 0:32 / /m rw - cgroup cgroup rw,memory");
	put("/m/x/memory.limit_in_bytes", "a lot\n");
	put("/m/memory.limit_in_bytes", "");
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	put("/m/x/memory.limit_in_bytes", "123456789\n");
	ASSERT_EQUAL(123456789, mio_os_room_below(root));
	put("/m/x/memory.limit_in_bytes", "99999999999999999999999999\n");
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	end();
}

/* Opens no descriptor beyond those that there are, and asks. */
static int64_t room_without_descriptors(const char *below)
{
	struct rlimit before, none;
	int64_t room;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
	room = mio_os_room_below(below);
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
	return room;
}

static void should_not_be_known_where_no_descriptor_is_left(void)
{
	begin();
	ASSERT_EQUAL(AVAILABLE, mio_os_room_below(root));
	ASSERT_EQUAL(-1, room_without_descriptors(root));
	ASSERT_EQUAL(-1, room_without_descriptors(""));
	end();
}

static void should_be_told_by_this_machine(void)
{
	ASSERT(mio_os_room() > 0);
	ASSERT(mio_os_room() < INT64_MAX);
}

int main(void)
{
	RUN(should_be_what_is_available_without_cgroups);
	RUN(should_be_without_limit_where_nobody_tells);
	RUN(should_find_the_tightest_of_all_levels_of_version_1);
	RUN(should_find_the_limits_of_version_2);
	RUN(should_find_the_limit_of_a_container);
	RUN(should_do_without_what_makes_no_sense);
	RUN(should_not_be_known_where_no_descriptor_is_left);
	RUN(should_be_told_by_this_machine);
	return TEST_RESULT();
}
