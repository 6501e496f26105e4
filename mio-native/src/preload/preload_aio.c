/*
 * Asynchronous requests of the program: they read and write past MIO at any later time. So a file that is the target of such a request,
 * even a read, keeps nothing in pages from then on.
 */
#include "preload.h"

#include <aio.h>

#include "../pf/pf_layer.h"

typedef int aio_function(struct aiocb *request);
typedef int lio_function(int mode, struct aiocb *const *list, int count, struct sigevent *event);

static void before(const struct aiocb *request)
{
	if (request && mio_door_file(request->aio_fildes))
		mio_door_go_past(request->aio_fildes);
}

MIO_WRAPPER int mio_pre_aio_read(struct aiocb *request)
{
	before(request);
	return MIO_REAL_NOW(aio_read, aio_function *)(request);
}
MIO_EXPORT(aio_read, mio_pre_aio_read);
MIO_EXPORT(aio_read64, mio_pre_aio_read);

MIO_WRAPPER int mio_pre_aio_write(struct aiocb *request)
{
	before(request);
	return MIO_REAL_NOW(aio_write, aio_function *)(request);
}
MIO_EXPORT(aio_write, mio_pre_aio_write);
MIO_EXPORT(aio_write64, mio_pre_aio_write);

MIO_WRAPPER int mio_pre_aio_fsync(int operation, struct aiocb *request)
{
	typedef int function(int, struct aiocb *);
	int64_t result = request && mio_door_file(request->aio_fildes) ? mio_door_publish(request->aio_fildes) : 0;

	/* A later result would be about the kernel's bytes alone. */
	if (result < 0 && result != MIO_DOOR_PASS)
		return (int)mio_preload_result(result);
	return MIO_REAL_NOW(aio_fsync, function *)(operation, request);
}
MIO_EXPORT(aio_fsync, mio_pre_aio_fsync);
MIO_EXPORT(aio_fsync64, mio_pre_aio_fsync);

MIO_WRAPPER int mio_pre_lio_listio(int mode, struct aiocb *const *list, int count, struct sigevent *event)
{
	for (int i = 0; list && i < count; i++)
		before(list[i]);
	return MIO_REAL_NOW(lio_listio, lio_function *)(mode, list, count, event);
}
MIO_EXPORT(lio_listio, mio_pre_lio_listio);
MIO_EXPORT(lio_listio64, mio_pre_lio_listio);

/* Of libaio. Its requests are kernel AIO, for which libaio calls the kernel itself. */
struct io_context;

MIO_WRAPPER int mio_pre_io_setup(int events, struct io_context **context)
{
	typedef int function(int, struct io_context **);

	mio_door_foreign();
	if (MIO_REAL_NOW(io_setup, function *))
		return MIO_REAL_NOW(io_setup, function *)(events, context);
	return (int)mio_raw2(SYS_io_setup, events, context);
}
MIO_EXPORT(io_setup, mio_pre_io_setup);
