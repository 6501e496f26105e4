/* Asynchronous requests of the program's own, together with reads and writes of the same file. */
#include "see.h"

#include <aio.h>

static char bytes[8][20000];

static struct aiocb *request(struct aiocb *one, int fd, int index, size_t length, off_t offset)
{
	memset(one, 0, sizeof(*one));
	one->aio_fildes = fd;
	one->aio_buf = bytes[index];
	one->aio_nbytes = length;
	one->aio_offset = offset;
	one->aio_sigevent.sigev_notify = SIGEV_NONE;
	return one;
}

static void finish(const char *what, struct aiocb *one)
{
	const struct aiocb *list[1] = {one};
	int error;

	while ((error = aio_error(one)) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	say("%s: error %d, result %zd", what, error, aio_return(one));
}

int main(int argc, char **argv)
{
	struct aiocb one;
	struct aiocb many[8];
	struct aiocb *list[8];
	int fd;
	int other;

	begin(argc, argv);
	outside_begin();
	make_file("f", 100000, 1);
	fd = open("f", O_RDWR);
	other = open("f", O_RDONLY);
	MUST(fd >= 0 && other >= 0);
	fill(bytes[0], 20000, 2, 10000);
	MUST(pwrite(fd, bytes[0], 20000, 10000) == 20000);
	memset(bytes[1], 0, 20000);
	SEE(aio_read(request(&one, fd, 1, 20000, 5000)));
	finish("read of dirty bytes", &one);
	say("%016llx", (unsigned long long)digest(bytes[1], 20000));
	fill(bytes[2], 15000, 3, 50000);
	SEE(aio_write(request(&one, fd, 2, 15000, 50000)));
	finish("write", &one);
	MUST(is_fill(fd, 15000, 3, 50000));
	MUST(is_fill(other, 15000, 3, 50000));
	/* The other open reads asynchronously what this one has just written. */
	MUST(pwrite(fd, "plain", 5, 52000) == 5);
	SEE(aio_read(request(&one, other, 1, 5, 52000)));
	finish("read", &one);
	say("%.5s", bytes[1]);
	SEE(aio_write(request(&one, fd, 2, 100, 150000)));
	finish("write behind the end", &one);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(lseek(other, 0, SEEK_END));
	SEE(aio_read(request(&one, fd, 1, 100, 160000)));
	finish("read behind the end", &one);
	for (int i = 0; i < 8; i++) {
		if (i % 2)
			memset(bytes[i], 0, 10000);
		else
			fill(bytes[i], 10000, 20 + (unsigned int)i, 0);
		list[i] = request(&many[i], i == 3 ? other : fd, i, 10000, i * 10000);
		many[i].aio_lio_opcode = i % 2 ? LIO_READ : LIO_WRITE;
	}
	SEE(lio_listio(LIO_WAIT, list, 8, NULL));
	for (int i = 0; i < 8; i++) {
		finish("of a list", &many[i]);
		say("%016llx", (unsigned long long)digest(bytes[i], 10000));
	}
	MUST(pwrite(fd, "dirty", 5, 3) == 5);
	memset(&one, 0, sizeof(one));
	one.aio_fildes = fd;
	one.aio_sigevent.sigev_notify = SIGEV_NONE;
	SEE(aio_fsync(O_SYNC, &one));
	finish("fsync", &one);
	outside("f");
	MUST(pwrite(fd, "dirty again", 11, 3) == 11);
	SEE(aio_read(request(&one, -1, 1, 100, 0)));
	if (aio_error(&one) >= 0)
		finish("no descriptor", &one);
	SEE(close(fd));
	SEE(close(other));
	look("f");
	outside("f");
	return 0;
}
