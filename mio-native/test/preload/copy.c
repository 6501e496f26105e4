/* Copies inside the kernel, at positions and at offsets, from and to files with bytes that are only in pages. */
#include "see.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

static char bytes[200000];
static unsigned int seed = 100;

/* Opens both files, each with bytes that the kernel does not have yet and with a position of its own. */
static void prepare(int *from, int *to)
{
	*from = open("from", O_RDWR);
	*to = open("to", O_RDWR);
	MUST(*from >= 0 && *to >= 0);
	fill(bytes, 50000, ++seed, 0);
	MUST(pwrite(*from, bytes, 50000, 1000) == 50000);
	fill(bytes, 50000, ++seed, 0);
	MUST(pwrite(*to, bytes, 50000, 2000) == 50000);
	MUST(pread(*to, bytes, 100000, 0) == 100000);
	MUST(lseek(*from, 700, SEEK_SET) == 700);
	MUST(lseek(*to, 900, SEEK_SET) == 900);
}

static void finish(const char *what, int from, int to)
{
	uint64_t sum = DIGEST_BEGIN;
	ssize_t got;

	say("%s: positions %lld %lld", what, (long long)lseek(from, 0, SEEK_CUR), (long long)lseek(to, 0, SEEK_CUR));
	got = read(from, bytes, 1000);
	sum = digest_more(sum, bytes, (size_t)got);
	got = pread(to, bytes, sizeof(bytes), 0);
	sum = digest_more(sum, bytes, (size_t)got);
	say("%s: %zd bytes, %016llx", what, got, (unsigned long long)sum);
	MUST(write(to, "behind the copy", 15) == 15);
	MUST(close(from) == 0 && close(to) == 0);
	look("to");
	outside("to");
}

static void ranges(void)
{
	off_t from_at = 3000;
	off_t to_at = 110000;
	int from;
	int to;

	prepare(&from, &to);
	SEE(copy_file_range(from, NULL, to, NULL, 30000, 0));
	finish("copy_file_range", from, to);
	prepare(&from, &to);
	SEE(copy_file_range(from, &from_at, to, &to_at, 20000, 0));
	say("%lld %lld", (long long)from_at, (long long)to_at);
	SEE(copy_file_range(from, &from_at, to, NULL, 5000, 0));
	SEE(copy_file_range(from, NULL, to, &to_at, 5000, 0));
	say("%lld %lld", (long long)from_at, (long long)to_at);
	from_at = 99000;
	SEE(copy_file_range(from, &from_at, to, NULL, 5000, 0));
	SEE(copy_file_range(from, &from_at, to, NULL, 5000, 0));
	SEE(copy_file_range(from, NULL, to, NULL, 0, 0));
	SEE(copy_file_range(from, NULL, to, NULL, 10, 77));
	SEE(copy_file_range(from, NULL, -1, NULL, 10, 0));
	finish("copy_file_range by offsets", from, to);
	/* Within one file. */
	prepare(&from, &to);
	from_at = 0;
	to_at = 60000;
	SEE(copy_file_range(to, &from_at, to, &to_at, 30000, 0));
	to_at = 10000;
	from_at = 0;
	SEE(copy_file_range(to, &from_at, to, &to_at, 30000, 0));
	finish("copy_file_range in itself", from, to);
}

static void sends(void)
{
	off_t at = 4000;
	int ends[2];
	int from;
	int to;

	prepare(&from, &to);
	SEE(sendfile(to, from, NULL, 40000));
	finish("sendfile", from, to);
	prepare(&from, &to);
	SEE(sendfile(to, from, &at, 10000));
	say("%lld", (long long)at);
	at = -1;
	SEE(sendfile(to, from, &at, 10));
	finish("sendfile at an offset", from, to);
	prepare(&from, &to);
	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	SEE(sendfile(ends[0], from, NULL, 5000));
	SEE(read(ends[1], bytes, 10000));
	say("%016llx", (unsigned long long)digest(bytes, 5000));
	close(ends[0]);
	close(ends[1]);
	finish("sendfile to a socket", from, to);
}

static void splices(void)
{
	loff_t from_at = 2500;
	loff_t to_at = 120000;
	int ends[2];
	int from;
	int to;

	MUST(pipe(ends) == 0);
	prepare(&from, &to);
	SEE(splice(from, NULL, ends[1], NULL, 4000, 0));
	SEE(splice(ends[0], NULL, to, NULL, 4000, 0));
	SEE(splice(from, &from_at, ends[1], NULL, 3000, 0));
	SEE(splice(ends[0], NULL, to, &to_at, 3000, 0));
	say("%lld %lld", (long long)from_at, (long long)to_at);
	SEE(splice(from, NULL, to, NULL, 10, 0));
	SEE(splice(-1, NULL, to, NULL, 10, 0));
	SEE(splice(-1, NULL, to, NULL, 0, 0));
	SEE(splice(ends[0], NULL, to, NULL, 10, SPLICE_F_NONBLOCK));
	SEE(splice(ends[0], &from_at, to, NULL, 10, 0));
	SEE(splice(ends[0], NULL, to, NULL, 10, 0x1000));
	finish("splice", from, to);
	close(ends[0]);
	close(ends[1]);
}

/* Not every file system can share blocks, but all can say so. */
static void clones(void)
{
	struct file_dedupe_range *far = (struct file_dedupe_range *)((uintptr_t)1 << 60);
	struct file_dedupe_range many = { .src_length = 4096, .dest_count = 65535 };
	int from;
	int to;
	int rc;

	prepare(&from, &to);
	rc = ioctl(to, FICLONE, from);
	MUST(rc == 0 || errno == EOPNOTSUPP || errno == EINVAL);
	say("FICLONE %d", rc);
	SEE(ioctl(to, FIONREAD, &rc));
	say("FIONREAD %d", rc);
	/* More files than the kernel accepts, none of which are there; and structures at addresses where no program has memory. */
	SEE(ioctl(to, FIDEDUPERANGE, &many));
	SEE(ioctl(to, (unsigned long)(int)FIDEDUPERANGE, &many));
	SEE(ioctl(to, FIDEDUPERANGE, far));
	SEE(ioctl(to, FICLONERANGE, far));
	SEE(ioctl(to, _IOC(_IOC_WRITE, 'X', 129, 40), far) == -1);
	finish("ioctl", from, to);
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("from", 100000, 1);
	make_file("to", 100000, 2);
	ranges();
	sends();
	splices();
	clones();
	look("from");
	outside("from");
	return 0;
}
