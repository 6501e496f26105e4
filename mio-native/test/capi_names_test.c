/* Calls of the C API that have no plain call of the same shape: ffinfo, and the names with 64. */
#include "capi_api.h"

static void should_tell_what_direct_io_asks_for(void)
{
	struct diocapbuf found = {0};
	char name[512];
	int pipes[2];
	int fd;

	ASSERT_EQUAL(-1, MIO_ffinfo(-1, F_DIOCAP, &found, sizeof(found)));
	ASSERT_EQUAL(EBADF, errno);
	fd = MIO_open64(test_name(name, sizeof(name), "ffinfo"), O_RDWR | O_CREAT, 0600, NULL);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(-1, MIO_ffinfo(fd, F_DIOCAP + 1, &found, sizeof(found)));
	ASSERT_EQUAL(EINVAL, errno);
	ASSERT_EQUAL(-1, MIO_ffinfo(fd, F_DIOCAP, &found, sizeof(found) - 1));
	ASSERT_EQUAL(EINVAL, errno);
	ASSERT_EQUAL(-1, MIO_ffinfo(fd, F_DIOCAP, NULL, sizeof(found)));
	ASSERT_EQUAL(EFAULT, errno);
	ASSERT_EQUAL(0, pipe(pipes));
	ASSERT_EQUAL(-1, MIO_ffinfo(pipes[0], F_DIOCAP, &found, sizeof(found)));
	ASSERT_EQUAL(EINVAL, errno);
	close(pipes[0]);
	close(pipes[1]);
	if (MIO_ffinfo(fd, FI_DIOCAP, &found, sizeof(found)) == 0) {
		/* The values must suffice for a direct request. */
		int direct = open(name, O_RDWR | O_DIRECT);
		void *memory = NULL;

		ASSERT(found.dio_offset > 0 && found.dio_min == found.dio_offset && found.dio_align > 0);
		ASSERT(found.dio_max > 0 && found.dio_max % found.dio_offset == 0);
		ASSERT(direct >= 0);
		ASSERT_EQUAL(0, posix_memalign(&memory, (size_t)(found.dio_align < 16 ? 16 : found.dio_align),
					       (size_t)found.dio_min));
		memset(memory, 7, (size_t)found.dio_min);
		ASSERT_EQUAL(found.dio_min, pwrite(direct, memory, (size_t)found.dio_min, found.dio_offset));
		close(direct);
		free(memory);
	} else {
		ASSERT_EQUAL(EINVAL, errno);
	}
	MIO_close(fd);
	unlink(name);
}

static void should_have_the_64_names_too(void)
{
	char name[512];
	char back[10] = {0};
	struct stat64 found;
	struct aiocb64 request = {0};
	const struct aiocb64 *waited[1] = {&request};
	struct aiocb64 *list[1] = {&request};
	int fd = MIO_open(test_name(name, sizeof(name), "64"), O_RDWR | O_CREAT, 0600, NULL);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(10, MIO_pwrite64(fd, "0123456789", 10, 0));
	ASSERT_EQUAL(5, MIO_pread64(fd, back, 10, 5));
	ASSERT(memcmp(back, "56789", 5) == 0);
	ASSERT_EQUAL(8, MIO_lseek64(fd, -2, SEEK_END));
	ASSERT_EQUAL(0, MIO_ftruncate64(fd, 6));
	ASSERT_EQUAL(0, MIO_fstat64(fd, &found));
	ASSERT_EQUAL(6, found.st_size);
	request.aio_fildes = fd;
	request.aio_buf = back;
	request.aio_nbytes = 10;
	request.aio_sigevent.sigev_notify = SIGEV_NONE;
	ASSERT_EQUAL(0, MIO_aio_read64(&request));
	while (MIO_aio_error64(&request) == EINPROGRESS)
		MIO_aio_suspend64(waited, 1, NULL);
	ASSERT_EQUAL(6, MIO_aio_return64(&request));
	ASSERT_EQUAL(0, MIO_aio_write64(&request));
	while (MIO_aio_error64(&request) == EINPROGRESS)
		MIO_aio_suspend64(waited, 1, NULL);
	ASSERT_EQUAL(10, MIO_aio_return64(&request));
	request.aio_lio_opcode = LIO_READ;
	ASSERT_EQUAL(0, MIO_lio_listio64(LIO_WAIT, list, 1, NULL));
	ASSERT_EQUAL(10, MIO_aio_return64(&request));
	ASSERT_EQUAL(AIO_ALLDONE, MIO_aio_cancel64(fd, &request));
	ASSERT_EQUAL(0, MIO_close(fd));
	unlink(name);
}

static void sentences(void)
{
	RUN(should_tell_what_direct_io_asks_for);
	RUN(should_have_the_64_names_too);
}

int main(void)
{
	test_run_under_all_rules(sentences);
	return 0;
}
