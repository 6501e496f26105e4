/* Which file a descriptor of MIO's own refers to, and for how long. */
#include "os_files.h"

#include "../src/os/os_own.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static int number_of(struct mio_os_own *own)
{
	return mio_os_descriptor_number(own->buffered);
}

/* ---- the program takes the number of a descriptor */

/* Each write is large enough for a thread of the kernel; the writes to one file are done one after the other. */
enum { LATE = 48, LATE_BYTES = 512 << 10 };

static void write_late(struct mio_layer *layer, char *memory, struct mio_io *requests)
{
	struct mio_io *list[LATE];

	for (int i = 0; i < LATE; i++) {
		mio_io_init(&requests[i], 1, memory, LATE_BYTES, (int64_t)i * LATE_BYTES, NULL, NULL);
		list[i] = &requests[i];
	}
	layer->ops->submit_all(layer, list, LATE);
}

/*
 * The kernel looks up the descriptor of such a request only when its turn comes. Until then the number must stay with the file,
 * even if the program wants it.
 */
static void should_write_no_other_file_that_gets_its_number(void)
{
	char *memory = mmap(NULL, LATE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT(memory != MAP_FAILED);
	memset(memory, 'm', LATE_BYTES);
	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		if (!test_has_backend(test_backends[backend]))
			continue;
		for (int round = 0; round < 10; round++) {
			static struct mio_io requests[LATE];
			int fd = test_file(test_build_dir(), NULL);
			int other = test_file(test_build_dir(), NULL);
			struct mio_os_own *own;
			struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, test_backends[backend], &own);
			int number = number_of(own);

			write_late(layer, memory, requests);
			/* Once one of the requests is complete, the ring has taken all of them. */
			mio_io_wait(&requests[0]);
			ASSERT_EQUAL(0, mio_os_own_descriptor_moved(number));
			ASSERT_EQUAL(number, dup2(other, number));
			for (int i = 0; i < LATE; i++) {
				mio_io_wait(&requests[i]);
				ASSERT_EQUAL(LATE_BYTES, requests[i].result);
			}
			ASSERT_EQUAL(0, lseek(other, 0, SEEK_END));
			ASSERT_EQUAL((int64_t)LATE * LATE_BYTES, lseek(fd, 0, SEEK_END));
			test_close(layer);
			close(number);
			close(other);
			close(fd);
		}
	}
	mio_os_drain();
	munmap(memory, LATE_BYTES);
}

/* ---- standard numbers */

/* The lock was there before exec, so that no call announces it. */
static int open_without_standard_numbers(void)
{
	struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_own *own;

	if (fcntl(fd, F_SETLK, &range) < 0)
		return 2;
	for (int number = 0; number < 3; number++)
		close(number);
	test_own_layer(fd, O_RDWR, 1, "sync", &own);
	if (number_of(own) < 3 || number_of(own) >= 48)
		return 3;
	/* The standard numbers are still free. */
	for (int number = 0; number < 3; number++)
		if (mio_os_is_own_descriptor(number) || dup(fd) != number)
			return 4;
	return 0;
}

/* The first sentence of all, so that MIO has not looked for locks yet. */
static void should_leave_standard_numbers_free(void)
{
	int status = 0;
	pid_t child;

	if (access("/proc/locks", R_OK) != 0)
		SKIP("no /proc/locks");
	child = fork();
	ASSERT(child >= 0);
	if (child == 0)
		_exit(open_without_standard_numbers());
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(0, WEXITSTATUS(status));
}

/* ---- writers */

/* The number of MIO's descriptors on the file of fd that can write. */
static int own_writers(int fd)
{
	struct stat wanted;
	struct stat found;
	int count = 0;

	if (fstat(fd, &wanted) < 0)
		return -1;
	for (int number = mio_os_own_descriptor_from(0); number >= 0; number = mio_os_own_descriptor_from(number + 1))
		if (fstat(number, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev)
			count += (fcntl(number, F_GETFL) & O_ACCMODE) != O_RDONLY;
	return count;
}

/* Descriptors that can write are closed with the last open that can write; opening and reading go on. locks: they stay. */
static int close_the_writers(int locks)
{
	char path[4096];
	char bytes[4];
	int fd = test_file(test_build_dir(), path);
	int other = open(path, O_RDONLY);
	struct mio_layer *first = test_own_layer(fd, O_RDWR, 1, "threads", NULL);
	struct mio_layer *reader = test_own_layer(other, O_RDONLY, 1, "threads", NULL);
	struct mio_layer *second = test_own_layer(fd, O_WRONLY, 0, "threads", NULL);
	int writers = own_writers(fd);

	unlink(path);
	if (locks)
		mio_os_posix_lock_coming();
	if (writers < 1 || second->ops->write(second, "ab", 2, 0) != 2)
		return 1;
	test_close(first);
	if (own_writers(fd) != writers || second->ops->write(second, "cd", 2, 2) != 2)
		return 2;
	test_close(second);
	if (own_writers(fd) != (locks ? writers : 0))
		return 3;
	if (reader->ops->read(reader, bytes, 4, 0) != 4 || memcmp(bytes, "abcd", 4) != 0)
		return 4;
	first = test_own_layer(fd, O_RDWR, 1, "threads", NULL);
	if (own_writers(fd) != writers || first->ops->write(first, "xy", 2, 0) != 2)
		return 5;
	if (reader->ops->read(reader, bytes, 4, 0) != 4 || memcmp(bytes, "xycd", 4) != 0)
		return 6;
	test_close(reader);
	/* Closing a reader closes none of them. */
	if (own_writers(fd) != writers || first->ops->write(first, "z", 1, 0) != 1)
		return 7;
	test_close(first);
	return own_writers(fd) != 0;
}

static int without_locks(void)
{
	return close_the_writers(0);
}

static int with_locks(void)
{
	return close_the_writers(1);
}

static void should_close_what_can_write_with_the_last_writer(void)
{
	ASSERT_EQUAL(0, test_in_child(without_locks));
}

static void should_keep_what_can_write_where_that_would_drop_a_lock(void)
{
	ASSERT_EQUAL(0, test_in_child(with_locks));
}

static void *write_now_and_then(void *name)
{
	struct iovec vector = {(char *)(uintptr_t)"abc", 3};

	for (int i = 0; i < 300; i++) {
		struct mio_os_wish wish = {.direct = i % 2, .asynchronous = 1};
		int fd = open(name, O_RDWR | O_CLOEXEC);
		struct mio_os_own *own;

		ASSERT_EQUAL(0, mio_os_own_open(fd, O_RDWR, "test", &wish, NULL, NULL, &own));
		ASSERT_EQUAL(3, mio_os_own_append(own, &vector, 1));
		mio_os_own_close(own);
		close(fd);
	}
	return NULL;
}

/* Opens that come while the last writer is closed. */
static void should_let_writers_come_and_go(void)
{
	char path[4096];
	int fd = test_file(test_build_dir(), path);
	int other = open(path, O_RDONLY);
	struct mio_layer *reader = test_own_layer(other, O_RDONLY, 0, "threads", NULL);
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, write_now_and_then, path));
	for (int i = 0; i < 3; i++)
		ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
	ASSERT_EQUAL(0, own_writers(fd));
	ASSERT_EQUAL(3 * 300 * 3, lseek(fd, 0, SEEK_END));
	test_close(reader);
	unlink(path);
	close(other);
	close(fd);
}

/* ---- a kernel that appends only by append mode */

/* Two processes append, each with a descriptor of its own; both are alive and write until the end. */
static int append_without_flags(void)
{
	enum { RECORDS = 4000 };
	char path[4096];
	int fd = test_file(test_build_dir(), path);
	struct mio_os_wish wish = {.asynchronous = 1};
	char letters[] = "abc";
	struct iovec vector = {letters, 3};
	int rc = test_refuse(SYS_pwritev2, ENOSYS) ? 77 : 0;
	pid_t child = rc ? 0 : fork();

	if (!rc) {
		int own_fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
		struct mio_os_own *own;
		int status = 0;

		mio_os_own_open(own_fd, O_RDWR | O_APPEND, "test", &wish, NULL, NULL, &own);
		for (int i = 0; i < RECORDS; i++)
			rc |= mio_os_own_append(own, &vector, 1) != 3;
		mio_os_own_close(own);
		if (child == 0)
			_exit(rc);
		rc |= waitpid(child, &status, 0) != child || status != 0 || lseek(fd, 0, SEEK_END) != 2 * RECORDS * 3;
	}
	unlink(path);
	close(fd);
	return rc;
}

static void should_append_where_the_kernel_takes_no_flags(void)
{
	int status = test_in_child(append_without_flags);

	if (status == 77)
		SKIP("no seccomp here");
	ASSERT_EQUAL(0, status);
}

int main(void)
{
	RUN(should_leave_standard_numbers_free);
	RUN(should_write_no_other_file_that_gets_its_number);
	RUN(should_close_what_can_write_with_the_last_writer);
	RUN(should_keep_what_can_write_where_that_would_drop_a_lock);
	RUN(should_let_writers_come_and_go);
	RUN(should_append_where_the_kernel_takes_no_flags);
	return TEST_RESULT();
}
