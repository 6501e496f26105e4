/* The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/jvm/jvm_info.h"
#include "../src/os/os_direct.h"
#include "../src/os/os_file.h"
#include "os_files.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

enum { PAGES = 8 };

static int64_t page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

static void write_pages(int fd)
{
	char page[4096];

	memset(page, 'x', sizeof(page));
	for (int64_t i = 0; i < PAGES * page_bytes() / (int64_t)sizeof(page); i++)
		ASSERT_EQUAL(sizeof(page), write(fd, page, sizeof(page)));
}

static void should_tell_what_the_kernel_keeps_of_a_file(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	char name[4096];
	int fd = test_file(test_build_dir(), name);

	if (mio_os_file_place(fd) == MIO_OS_PLACE_REMOTE) {
		unlink(name);
		close(fd);
		SKIP("the kernel may forget what it has of a file on a server, or of FUSE, as the file is opened");
	}
	write_pages(fd);
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	ASSERT_EQUAL(PAGES * page_bytes(), numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT_EQUAL(0, fsync(fd));
	ASSERT_EQUAL(0, posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	unlink(name);
	close(fd);
	if (numbers[MIO_JVM_INFO_RESIDENT_BYTES] > 0)
		SKIP("the build directory's file system keeps its pages");
	ASSERT_EQUAL(0, numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT(numbers[MIO_JVM_INFO_DIRTY_BYTES] <= 0);
}

/* Mounts an overlay over a directory of the build, as for the files of a container. Returns 0 if it is mounted, for this process alone. */
static int mount_overlay(const char *base, char *place)
{
	static const char *const parts[] = {"lower", "upper", "work", "over"};
	char options[3 * 4096];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		ASSERT(snprintf(place, 4096, "%s/%s", base, parts[i]) < 4096);
		ASSERT_EQUAL(0, mkdir(place, 0700));
	}
	ASSERT(snprintf(options, sizeof(options), "lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work", base, base, base) < (int)sizeof(options));
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -1;
	return mount("overlay", place, "overlay", 0, options);
}

static int tell_of_overlay(const char *base)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	char place[4096], name[4096];
	int fd;

	if (mount_overlay(base, place) < 0)
		return 77;
	fd = test_file(place, name);
	write_pages(fd);
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	ASSERT_EQUAL(PAGES * page_bytes(), numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT(numbers[MIO_JVM_INFO_DIRTY_BYTES] < 0);
	close(fd);
	return umount(place);
}

static void should_tell_what_the_kernel_keeps_of_a_file_on_an_overlay(void)
{
	char base[4096], command[4200];
	int status = 0;
	pid_t child;

	ASSERT(snprintf(base, sizeof(base), "%s/jvm_info_overlay.XXXXXX", test_build_dir()) < (int)sizeof(base));
	ASSERT(mkdtemp(base) != NULL);
	fflush(NULL);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0)
		_exit(tell_of_overlay(base));
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	ASSERT_EQUAL(0, system(command));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		SKIP("no overlay can be mounted");
	ASSERT_EQUAL(0, status);
}

static void should_count_extents(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	char name[4096];
	int fd = test_file(test_build_dir(), name);

	ASSERT_EQUAL(1, pwrite(fd, "a", 1, 0));
	ASSERT_EQUAL(1, pwrite(fd, "b", 1, 16 << 20));
	ASSERT_EQUAL(0, fsync(fd));
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	unlink(name);
	close(fd);
	if (numbers[MIO_JVM_INFO_EXTENTS] == -EOPNOTSUPP)
		SKIP("the build directory's file system tells no extents");
	ASSERT_EQUAL(2, numbers[MIO_JVM_INFO_EXTENTS]);
}

static void should_tell_the_limits_of_a_new_file_in_a_directory(void)
{
	struct mio_os_direct_limits limits;
	int64_t numbers[MIO_JVM_INFO_COUNT];
	char name[4096];
	int fd = test_file(test_build_dir(), name);

	ASSERT_EQUAL(0, mio_jvm_info_file(test_build_dir(), numbers));
	if (mio_os_direct_limits_of(fd, &limits) == MIO_OS_DIRECT_TOLD) {
		ASSERT_EQUAL(limits.mem_align_bytes, numbers[MIO_JVM_INFO_DIRECT_MEMORY_BYTES]);
		ASSERT_EQUAL(limits.offset_align_bytes, numbers[MIO_JVM_INFO_DIRECT_OFFSET_BYTES]);
	} else {
		ASSERT(numbers[MIO_JVM_INFO_DIRECT_OFFSET_BYTES] < 0);
	}
	ASSERT_EQUAL(-ENODATA, numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT_EQUAL(-ENODATA, numbers[MIO_JVM_INFO_EXTENTS]);
	unlink(name);
	close(fd);
}

static void should_know_that_memory_is_no_disk(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];

	if (access("/dev/shm", W_OK) != 0)
		SKIP("no /dev/shm to write to");
	ASSERT_EQUAL(0, mio_jvm_info_file("/dev/shm", numbers));
	ASSERT_EQUAL(MIO_OS_PLACE_MEMORY, numbers[MIO_JVM_INFO_PLACE]);
}

static void should_not_open_what_is_no_file(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	char name[4096];

	snprintf(name, sizeof(name), "%s/jvm_info_test.%d", test_build_dir(), (int)getpid());
	ASSERT_EQUAL(0, mkfifo(name, 0600));
	/* An open of this file would wait for a writer. */
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	unlink(name);
	ASSERT_EQUAL(-ENODATA, numbers[MIO_JVM_INFO_DIRECT_OFFSET_BYTES]);
	ASSERT_EQUAL(-ENODATA, numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT(numbers[MIO_JVM_INFO_PLACE] >= 0);
}

static void should_say_of_each_number_why_it_cannot_be_had(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	struct rlimit before;
	struct rlimit none;
	char name[4096];
	int fd = test_file(test_build_dir(), name);

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = (rlim_t)fd;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
	ASSERT_EQUAL(0, mio_jvm_info_file(name, numbers));
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
	unlink(name);
	close(fd);
	ASSERT_EQUAL(-EMFILE, numbers[MIO_JVM_INFO_PLACE]);
	ASSERT_EQUAL(-EMFILE, numbers[MIO_JVM_INFO_RESIDENT_BYTES]);
	ASSERT_EQUAL(-EMFILE, numbers[MIO_JVM_INFO_EXTENTS]);
}

static void should_return_the_error_of_a_missing_file_and_leave_nothing_open(void)
{
	int64_t numbers[MIO_JVM_INFO_COUNT];
	int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int after;

	close(before);
	errno = ERANGE;
	ASSERT_EQUAL(-ENOENT, mio_jvm_info_file("/no/such/file", numbers));
	ASSERT_EQUAL(-ENODATA, numbers[MIO_JVM_INFO_PLACE]);
	ASSERT_EQUAL(-ENOENT, mio_jvm_info_file("", numbers));
	ASSERT_EQUAL(-ENOTDIR, mio_jvm_info_file("/dev/null/file", numbers));
	ASSERT_EQUAL(-EFAULT, mio_jvm_info_file(NULL, numbers));
	ASSERT_EQUAL(-EFAULT, mio_jvm_info_file("/dev/null", NULL));
	ASSERT_EQUAL(0, mio_jvm_info_file(test_build_dir(), numbers));
	ASSERT_EQUAL(ERANGE, errno);
	after = open("/dev/null", O_RDONLY | O_CLOEXEC);
	close(after);
	ASSERT_EQUAL(before, after);
}

int main(void)
{
	RUN(should_tell_what_the_kernel_keeps_of_a_file);
	RUN(should_tell_what_the_kernel_keeps_of_a_file_on_an_overlay);
	RUN(should_count_extents);
	RUN(should_tell_the_limits_of_a_new_file_in_a_directory);
	RUN(should_know_that_memory_is_no_disk);
	RUN(should_not_open_what_is_no_file);
	RUN(should_say_of_each_number_why_it_cannot_be_had);
	RUN(should_return_the_error_of_a_missing_file_and_leave_nothing_open);
	return TEST_RESULT();
}
