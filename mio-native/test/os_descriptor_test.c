/* Which file a descriptor of MIO's own leads to, and for how long. */
#include "os_files.h"

#include "../src/os/os_own.h"

#include <sys/mman.h>

static int number_of(struct mio_os_own *own)
{
	return mio_os_descriptor_number(own->buffered);
}

/* ---- a number that the program takes */

/* Large enough for a thread of the kernel's each; on one file it does one after the other. */
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

/* Kernels look the number of such a request up when its turn comes. It leads to the file until then, whoever wants it. */
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
			/* With one of them done the ring has them all. */
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

/* It has been there since before exec: nobody tells of it. */
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
	/* As if nothing had been opened there. */
	for (int number = 0; number < 3; number++)
		if (mio_os_is_own_descriptor(number) || dup(fd) != number)
			return 4;
	return 0;
}

/* The first sentence of all, so MIO has not looked for locks yet. */
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

int main(void)
{
	RUN(should_leave_standard_numbers_free);
	RUN(should_write_no_other_file_that_gets_its_number);
	return TEST_RESULT();
}
