/* The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/jvm/jvm_descriptor.h"
#include "../src/jvm/jvm_file.h"
#include "../src/os/os_file.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char file[4096];

static int make_file(const char *dir)
{
	int fd;

	ASSERT(snprintf(file, sizeof(file), "%s/os_file_test.XXXXXX", dir) < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	return fd;
}

static const char *build_dir(void)
{
	const char *dir = getenv("MIO_TEST_DIR");

	return dir ? dir : ".";
}

static void should_open_the_same_file_when_its_name_is_gone(void)
{
	struct mio_os_identity one;
	struct mio_os_identity other;
	int fd = make_file(build_dir());
	int again;

	ASSERT_EQUAL(5, write(fd, "bytes", 5));
	unlink(file);
	errno = ERANGE;
	again = mio_os_file_reopen(fd, MIO_OS_READ_WRITE, 0);
	ASSERT(again >= 0);
	ASSERT(again != fd);
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(FD_CLOEXEC, fcntl(again, F_GETFD));
	ASSERT_EQUAL(0, mio_os_file_identity(fd, &one));
	ASSERT_EQUAL(0, mio_os_file_identity(again, &other));
	ASSERT_EQUAL(one.device, other.device);
	ASSERT_EQUAL(one.inode, other.inode);
	ASSERT_EQUAL(1, one.has_blocks);
	ASSERT_EQUAL(5, mio_os_file_size(again));
	ASSERT_EQUAL(0, mio_os_file_close(again));
	ASSERT_EQUAL(-EBADF, mio_os_file_close(again));
	ASSERT_EQUAL(-EBADF, mio_os_file_identity(again, &other));
	close(fd);
}

static void should_leave_append_mode_to_the_program(void)
{
	int fd = make_file(build_dir());
	int append = open(file, O_WRONLY | O_APPEND);
	int again = mio_os_file_reopen(append, MIO_OS_READ_WRITE, 0);
	char seen[8];

	ASSERT(append >= 0 && again >= 0);
	unlink(file);
	ASSERT_EQUAL(4, mio_os_file_write(again, "aaaa", 4, 0, 1, 0));
	ASSERT_EQUAL(2, mio_os_file_write(again, "bb", 2, 1, 1, 0));
	ASSERT_EQUAL(4, mio_os_file_read(again, seen, sizeof(seen), 0, 1, 0));
	ASSERT_EQUAL(0, memcmp(seen, "abba", 4));
	close(mio_os_file_duplicate(again));
	close(again);
	close(append);
	close(fd);
}

static void should_read_to_the_end_and_no_further(void)
{
	int fd = make_file(build_dir());
	char seen[100];

	unlink(file);
	ASSERT_EQUAL(5, mio_os_file_write(fd, "bytes", 5, 3, 1, 0));
	ASSERT_EQUAL(8, mio_os_file_read(fd, seen, sizeof(seen), 0, 1, 0));
	ASSERT_EQUAL(0, memcmp(seen, "\0\0\0bytes", 8));
	ASSERT_EQUAL(0, mio_os_file_read(fd, seen, sizeof(seen), 8, 1, 0));
	ASSERT_EQUAL(0, mio_os_file_read(fd, seen, sizeof(seen), 1 << 20, 1, 0));
	ASSERT_EQUAL(-EINVAL, mio_os_file_read(fd, seen, sizeof(seen), -1, 1, 0));
	ASSERT_EQUAL(-EBADF, mio_os_file_read(1000000, seen, 1, 0, 1, 0));
	close(fd);
}

static void should_stop_where_a_direct_descriptor_would_refuse(void)
{
	int fd = make_file(build_dir());
	int direct;
	void *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign(&memory, 4096, 16384));
	memset(memory, 'x', 10000);
	ASSERT_EQUAL(10000, mio_os_file_write(fd, memory, 10000, 0, 1, 0));
	direct = mio_os_file_reopen(fd, MIO_OS_READ, 1);
	unlink(file);
	if (direct == -EINVAL) {
		free(memory);
		close(fd);
		SKIP("the build directory's file system takes no direct I/O");
	}
	ASSERT(direct >= 0);
	memset(memory, 0, 16384);
	ASSERT_EQUAL(10000, mio_os_file_read(direct, memory, 16384, 0, 4096, 0));
	ASSERT_EQUAL('x', ((char *)memory)[9999]);
	ASSERT_EQUAL(0, ((char *)memory)[10000]);
	close(direct);
	close(fd);
	free(memory);
}

static void should_leave_nothing_in_the_page_cache_or_say_that_it_cannot(void)
{
	int fd = make_file(build_dir());
	char seen[8];
	int64_t rc;

	unlink(file);
	rc = mio_os_file_write(fd, "bytes", 5, 1, 1, MIO_OS_DONTCACHE);
	if (rc == -EOPNOTSUPP) {
		close(fd);
		SKIP("no RWF_DONTCACHE here");
	}
	ASSERT_EQUAL(5, rc);
	ASSERT_EQUAL(6, mio_os_file_read(fd, seen, sizeof(seen), 0, 1, MIO_OS_DONTCACHE));
	ASSERT_EQUAL(0, memcmp(seen, "\0bytes", 6));
	/* A flag that no kernel knows. */
	ASSERT_EQUAL(-EOPNOTSUPP, mio_os_file_read(fd, seen, sizeof(seen), 0, 1, 0x40000000));
	close(fd);
}

static void should_reserve_without_changing_the_size(void)
{
	int fd = make_file(build_dir());
	struct stat found;
	int rc;

	unlink(file);
	ASSERT_EQUAL(5, write(fd, "bytes", 5));
	rc = mio_os_file_reserve(fd, 0, 1 << 20);
	if (rc == -EOPNOTSUPP) {
		close(fd);
		SKIP("the build directory's file system cannot reserve");
	}
	ASSERT_EQUAL(0, rc);
	ASSERT_EQUAL(0, fstat(fd, &found));
	ASSERT_EQUAL(5, found.st_size);
	ASSERT(found.st_blocks * 512 >= 1 << 20);
	ASSERT_EQUAL(-EINVAL, mio_os_file_reserve(fd, 0, 0));
	ASSERT_EQUAL(-EFBIG, mio_os_file_reserve(fd, INT64_MAX, 1));
	/* The file system decides how large a file may be. */
	rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, INT64_MAX - 4096, 4096) < 0 ? -errno : 0;
	ASSERT_EQUAL(rc, mio_os_file_reserve(fd, INT64_MAX - 4096, 4096));
	close(fd);
}

static void should_heed_the_limit_on_the_size_of_files(void)
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		struct rlimit limit = {4096, 4096};
		int fd = make_file(build_dir());
		int rc = 0;

		unlink(file);
		signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
			_exit(1);
		if (mio_os_file_reserve(fd, 1, 4096) != -EFBIG)
			_exit(2);
		rc = mio_os_file_reserve(fd, 0, 4096);
		if (rc != 0 && rc != -EOPNOTSUPP)
			_exit(3);
		if (mio_os_file_write(fd, "byte", 4, 4094, 1, 0) != 2)
			_exit(4);
		if (mio_os_file_write(fd, "byte", 4, 4096, 1, 0) != -EFBIG)
			_exit(5);
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(0, WEXITSTATUS(status));
}

/* Runs in a process of its own, because it changes the user. */
static int reopen_without_the_right(int fd)
{
	int again = mio_os_file_reopen_with(fd, O_RDONLY | O_NOATIME);

	if (again < 0 || !(fcntl(again, F_GETFL) & O_NOATIME))
		return 1;
	if (seteuid(1) < 0)
		return 77;
	again = mio_os_file_reopen_with(fd, O_RDONLY | O_NOATIME);
	if (again < 0)
		return 2;
	return fcntl(again, F_GETFL) & O_NOATIME ? 3 : 0;
}

static void should_leave_the_time_of_access_alone_only_where_that_is_allowed(void)
{
	int fd = make_file(build_dir());
	int status = 0;
	pid_t child;

	unlink(file);
	ASSERT_EQUAL(0, fchmod(fd, 0644));
	child = fork();
	ASSERT(child >= 0);
	if (child == 0)
		_exit(reopen_without_the_right(fd));
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	close(fd);
	if (WEXITSTATUS(status) == 77)
		SKIP("to change the user takes root");
	ASSERT_EQUAL(0, WEXITSTATUS(status));
}

static void should_cut_lengthen_and_sync(void)
{
	int fd = make_file(build_dir());

	unlink(file);
	ASSERT_EQUAL(0, mio_os_file_truncate(fd, 1000));
	ASSERT_EQUAL(1000, mio_os_file_size(fd));
	ASSERT_EQUAL(0, mio_os_file_truncate(fd, 10));
	ASSERT_EQUAL(10, mio_os_file_size(fd));
	ASSERT_EQUAL(-EINVAL, mio_os_file_truncate(fd, -1));
	ASSERT_EQUAL(0, mio_os_file_sync(fd, 0));
	ASSERT_EQUAL(0, mio_os_file_sync(fd, 1));
	close(fd);
	ASSERT_EQUAL(-EBADF, mio_os_file_sync(fd, 1));
	ASSERT_EQUAL(-EBADF, mio_os_file_size(fd));
	ASSERT_EQUAL(-EBADF, mio_os_file_reserve(fd, 0, 1));
	ASSERT_EQUAL(-EBADF, mio_os_file_duplicate(fd));
	ASSERT_EQUAL(-ENOENT, mio_os_file_reopen(fd, MIO_OS_READ, 0));
}

static void should_know_files_without_blocks_and_files_in_memory(void)
{
	int64_t numbers[MIO_JVM_IDENTITY_NUMBERS];
	int ends[2];
	int fd;

	ASSERT_EQUAL(0, pipe(ends));
	ASSERT_EQUAL(0, mio_jvm_file_identity(ends[0], numbers));
	ASSERT_EQUAL(0, numbers[MIO_JVM_HAS_BLOCKS]);
	close(ends[0]);
	close(ends[1]);
	if (access("/dev/shm", W_OK) != 0)
		SKIP("no /dev/shm to write to");
	fd = make_file("/dev/shm");
	unlink(file);
	ASSERT_EQUAL(0, mio_jvm_file_identity(fd, numbers));
	ASSERT_EQUAL(1, numbers[MIO_JVM_HAS_BLOCKS]);
	ASSERT_EQUAL(MIO_OS_PLACE_MEMORY, numbers[MIO_JVM_PLACE]);
	close(fd);
}

/* The part of a JVM that mio_jvm_channel_descriptor looks at. An object is its own class. */
struct object {
	const char *type;
	struct object *field;
	int32_t number;
};

static struct object *thrown_at;
static int references;

static void *get_object_class(void *env, void *object)
{
	(void)env;
	references++;
	return object;
}

static void delete_local_ref(void *env, void *object)
{
	(void)env;
	(void)object;
	references--;
}

static void *get_field_id(void *env, void *type, const char *name, const char *signature)
{
	struct object *object = type;

	(void)env;
	if (strcmp(name, "fd") != 0 || strcmp(signature, object->type) != 0) {
		thrown_at = object;
		return NULL;
	}
	return object;
}

static void *get_object_field(void *env, void *object, void *id)
{
	(void)env;
	(void)id;
	if (((struct object *)object)->field)
		references++;
	return ((struct object *)object)->field;
}

static int32_t get_int_field(void *env, void *object, void *id)
{
	(void)env;
	(void)id;
	return ((struct object *)object)->number;
}

static unsigned char exception_check(void *env)
{
	(void)env;
	return thrown_at != NULL;
}

static void exception_clear(void *env)
{
	(void)env;
	thrown_at = NULL;
}

typedef void (*any_function)(void);

static void should_find_a_channels_descriptor_or_say_that_it_cannot(void)
{
	static any_function functions[232];
	any_function *env = functions;
	struct object descriptor = {"I", NULL, 17};
	struct object channel = {"Ljava/io/FileDescriptor;", &descriptor, 0};
	struct object other = {"J", NULL, 3};

	functions[17] = (any_function)exception_clear;
	functions[23] = (any_function)delete_local_ref;
	functions[31] = (any_function)get_object_class;
	functions[94] = (any_function)get_field_id;
	functions[95] = (any_function)get_object_field;
	functions[100] = (any_function)get_int_field;
	functions[228] = (any_function)exception_check;
	ASSERT_EQUAL(17, mio_jvm_channel_descriptor(&env, &channel, "fd"));
	ASSERT_EQUAL(-1, mio_jvm_channel_descriptor(&env, &channel, "fdObj"));
	ASSERT_EQUAL(-1, mio_jvm_channel_descriptor(&env, &other, "fd"));
	channel.field = &other;
	ASSERT_EQUAL(-1, mio_jvm_channel_descriptor(&env, &channel, "fd"));
	channel.field = NULL;
	ASSERT_EQUAL(-1, mio_jvm_channel_descriptor(&env, &channel, "fd"));
	ASSERT_EQUAL(-1, mio_jvm_channel_descriptor(&env, NULL, "fd"));
	ASSERT_EQUAL(0, references);
	ASSERT(thrown_at == NULL);
}

int main(void)
{
	RUN(should_open_the_same_file_when_its_name_is_gone);
	RUN(should_leave_append_mode_to_the_program);
	RUN(should_read_to_the_end_and_no_further);
	RUN(should_stop_where_a_direct_descriptor_would_refuse);
	RUN(should_leave_nothing_in_the_page_cache_or_say_that_it_cannot);
	RUN(should_reserve_without_changing_the_size);
	RUN(should_heed_the_limit_on_the_size_of_files);
	RUN(should_leave_the_time_of_access_alone_only_where_that_is_allowed);
	RUN(should_cut_lengthen_and_sync);
	RUN(should_know_files_without_blocks_and_files_in_memory);
	RUN(should_find_a_channels_descriptor_or_say_that_it_cannot);
	return TEST_RESULT();
}
