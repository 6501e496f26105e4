/* The files are made in MIO_TEST_DIR, on the file system of the build. */
#include "../src/jvm/jvm_descriptor.h"
#include "../src/os/os_descriptors.h"
#include "assert.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char file[4096];
static char link_name[4200];

static int make_file(void)
{
	const char *dir = getenv("MIO_TEST_DIR");
	int fd;

	ASSERT(snprintf(file, sizeof(file), "%s/os_descriptors_test.XXXXXX", dir ? dir : ".") < (int)sizeof(file));
	fd = mkstemp(file);
	ASSERT(fd >= 0);
	return fd;
}

static void check(int fd, int readers, int writers)
{
	struct mio_os_descriptors found = {.readers = -1, .writers = -1};
	struct stat file_of;

	ASSERT_EQUAL(0, fstat(fd, &file_of));
	errno = ERANGE;
	ASSERT_EQUAL(0, mio_os_descriptors_count((uint64_t)file_of.st_dev, (uint64_t)file_of.st_ino, NULL, NULL, &found));
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(readers, found.readers);
	ASSERT_EQUAL(writers, found.writers);
}

static void should_count_by_access_under_any_name(void)
{
	int fd = make_file();
	int reader = open(file, O_RDONLY);
	int appends;
	int path;
	int copy;

	check(fd, 1, 1);
	snprintf(link_name, sizeof(link_name), "%s.link", file);
	ASSERT_EQUAL(0, link(file, link_name));
	appends = open(link_name, O_WRONLY | O_APPEND);
	copy = dup(reader);
	path = open(file, O_PATH);
	ASSERT(appends >= 0 && copy >= 0 && path >= 0);
	check(fd, 2, 2);
	unlink(file);
	unlink(link_name);
	check(fd, 2, 2);
	close(reader);
	close(appends);
	check(fd, 1, 1);
	close(copy);
	close(path);
	check(fd, 0, 1);
	close(fd);
}

static void should_leave_other_files_out(void)
{
	int fd = make_file();
	int other;

	unlink(file);
	other = make_file();
	unlink(file);
	check(fd, 0, 1);
	close(fd);
	check(other, 0, 1);
	close(other);
}

static int is_the_known_one(const void *of, int fd)
{
	return fd == *(const int *)of;
}

static int writers_but_for(int number, int fd)
{
	struct mio_os_descriptors found = {.readers = -1, .writers = -1};
	struct stat file_of;

	ASSERT_EQUAL(0, fstat(fd, &file_of));
	ASSERT_EQUAL(0, mio_os_descriptors_count((uint64_t)file_of.st_dev, (uint64_t)file_of.st_ino, is_the_known_one, &number, &found));
	ASSERT_EQUAL(0, found.readers);
	return found.writers;
}

/* Among descriptors with large numbers, up to the last one, and with gaps. */
static void should_find_it_among_many(void)
{
	struct rlimit limit;
	int many[1000];
	int fd = make_file();
	int far;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &limit));
	if (limit.rlim_cur < 4096) {
		close(fd);
		unlink(file);
		SKIP("too few descriptors may be opened");
	}
	for (int i = 0; i < 1000; i++) {
		many[i] = open("/dev/null", O_RDWR);
		ASSERT(many[i] >= 0);
	}
	far = fcntl(fd, F_DUPFD, 4095);
	ASSERT_EQUAL(4095, far);
	check(fd, 0, 2);
	ASSERT_EQUAL(1, writers_but_for(far, fd));
	ASSERT_EQUAL(1, writers_but_for(fd, fd));
	for (int i = 0; i < 1000; i++)
		close(many[i]);
	check(fd, 0, 2);
	close(far);
	check(fd, 0, 1);
	close(fd);
	unlink(file);
}

/* With one number left only the directory can be listed, and it takes more than one read to return all its entries. */
static void should_find_it_among_many_with_no_number_to_spare(void)
{
	int many[2000];
	int fd = make_file();
	struct rlimit before;
	struct rlimit full;
	int count = 0;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
	if (before.rlim_max < 1500) {
		close(fd);
		unlink(file);
		SKIP("too few descriptors may be opened");
	}
	full = before;
	full.rlim_cur = 1500;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &full));
	while ((many[count] = dup(count % 2 ? fd : 0)) >= 0)
		count++;
	ASSERT_EQUAL(EMFILE, errno);
	ASSERT(count > 1000);
	close(many[--count]);
	check(fd, 0, 1 + count / 2);
	ASSERT_EQUAL(count / 2, writers_but_for(many[1], fd));
	while (count > 0)
		close(many[--count]);
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
	check(fd, 0, 1);
	close(fd);
	unlink(file);
}

static void should_say_that_it_cannot_look(void)
{
	struct mio_os_descriptors found;
	struct rlimit before;
	struct rlimit none;

	ASSERT_EQUAL(-EFAULT, mio_os_descriptors_count(1, 1, NULL, NULL, NULL));
	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &none));
	errno = ERANGE;
	ASSERT_EQUAL(-EMFILE, mio_os_descriptors_count(1, 1, NULL, NULL, &found));
	ASSERT_EQUAL(ERANGE, errno);
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
}

static struct stat of_file;

static void *look_when_it_has_ended(void *unused)
{
	struct mio_os_descriptors found;
	int rc;

	(void)unused;
	while (access("/proc/self/fd/0", F_OK) == 0)
		sched_yield();
	rc = mio_os_descriptors_count((uint64_t)of_file.st_dev, (uint64_t)of_file.st_ino, NULL, NULL, &found);
	_exit(rc == 0 && found.writers == 1 && found.readers == 0 ? 0 : 1);
}

static void should_find_them_when_the_main_thread_has_ended(void)
{
	int fd = make_file();
	int status;
	pid_t child;

	ASSERT_EQUAL(0, fstat(fd, &of_file));
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		pthread_t thread;

		dup2(fd, 0);
		close(fd);
		if (pthread_create(&thread, NULL, look_when_it_has_ended, NULL) != 0)
			_exit(2);
		pthread_exit(NULL);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	close(fd);
	unlink(file);
}

static void should_tell_java_both_numbers(void)
{
	struct stat file_of;
	int32_t numbers[2] = {-1, -1};
	int fd = make_file();
	int reader = open(file, O_RDONLY);

	unlink(file);
	ASSERT_EQUAL(0, fstat(fd, &file_of));
	ASSERT_EQUAL(0, mio_jvm_descriptors_count((int64_t)file_of.st_dev, (int64_t)file_of.st_ino, NULL, 0, numbers));
	ASSERT_EQUAL(1, numbers[0]);
	ASSERT_EQUAL(1, numbers[1]);
	ASSERT_EQUAL(-EFAULT, mio_jvm_descriptors_count(1, 1, NULL, 0, NULL));
	close(fd);
	close(reader);
}

static void should_pass_over_what_java_knows(void)
{
	/* The last number of a word of the bit set, the first of the next one, and numbers past all words. */
	static const int places[] = {63, 64, 127, 128};
	int64_t known[2] = {INT64_MIN, 1};
	struct stat file_of;
	int32_t numbers[2] = {-1, -1};
	int fd = make_file();

	unlink(file);
	ASSERT_EQUAL(0, fstat(fd, &file_of));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		ASSERT_EQUAL(places[i], dup2(fd, places[i]));
	ASSERT_EQUAL(0, mio_jvm_descriptors_count((int64_t)file_of.st_dev, (int64_t)file_of.st_ino, known, 2, numbers));
	ASSERT_EQUAL(0, numbers[0]);
	/* The file's own descriptor, and two that are not known. */
	ASSERT_EQUAL(3, numbers[1]);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		close(places[i]);
	close(fd);
}

int main(void)
{
	RUN(should_count_by_access_under_any_name);
	RUN(should_leave_other_files_out);
	RUN(should_find_it_among_many);
	RUN(should_find_it_among_many_with_no_number_to_spare);
	RUN(should_say_that_it_cannot_look);
	RUN(should_find_them_when_the_main_thread_has_ended);
	RUN(should_tell_java_both_numbers);
	RUN(should_pass_over_what_java_knows);
	return TEST_RESULT();
}
