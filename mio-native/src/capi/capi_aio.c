/*
 * Asynchronous requests of POSIX: the C library's threads read and write past the layers at any later time. So a file that is
 * the target of such a request, even a read, keeps nothing in pages from then on.
 */
#include "capi.h"

#include <aio.h>

#include "../pf/pf_layer.h"

/* On every 64-bit machine the two structures are the same. */
_Static_assert(sizeof(struct aiocb) == sizeof(struct aiocb64), "aiocb64 is aiocb");

#define PLAIN(request) ((struct aiocb *)(uintptr_t)(request))
#define PLAIN_LIST(list) ((struct aiocb **)(uintptr_t)(list))

static void before(const struct aiocb *request)
{
	if (request && mio_door_file(request->aio_fildes))
		mio_door_go_past(request->aio_fildes);
}

int MIO_aio_read(struct aiocb *request)
{
	before(request);
	return aio_read(request);
}

int MIO_aio_read64(struct aiocb64 *request)
{
	return MIO_aio_read(PLAIN(request));
}

int MIO_aio_write(struct aiocb *request)
{
	before(request);
	return aio_write(request);
}

int MIO_aio_write64(struct aiocb64 *request)
{
	return MIO_aio_write(PLAIN(request));
}

int MIO_aio_suspend(const struct aiocb *const list[], int count, const struct timespec *timeout)
{
	return aio_suspend(list, count, timeout);
}

int MIO_aio_suspend64(const struct aiocb64 *const list[], int count, const struct timespec *timeout)
{
	return aio_suspend((const struct aiocb *const *)PLAIN_LIST(list), count, timeout);
}

int MIO_aio_cancel(int fd, struct aiocb *request)
{
	return aio_cancel(fd, request);
}

int MIO_aio_cancel64(int fd, struct aiocb64 *request)
{
	return aio_cancel(fd, PLAIN(request));
}

int MIO_aio_error(const struct aiocb *request)
{
	return aio_error(request);
}

int MIO_aio_error64(const struct aiocb64 *request)
{
	return aio_error(PLAIN(request));
}

ssize_t MIO_aio_return(struct aiocb *request)
{
	return aio_return(request);
}

ssize_t MIO_aio_return64(struct aiocb64 *request)
{
	return aio_return(PLAIN(request));
}

int MIO_lio_listio(int mode, struct aiocb *const list[], int count, struct sigevent *event)
{
	for (int i = 0; list && i < count; i++)
		before(list[i]);
	return lio_listio(mode, list, count, event);
}

int MIO_lio_listio64(int mode, struct aiocb64 *const list[], int count, struct sigevent *event)
{
	return MIO_lio_listio(mode, PLAIN_LIST(list), count, event);
}
