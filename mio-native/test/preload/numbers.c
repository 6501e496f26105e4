/* System calls by number, null pointers, streams made to append: small things that the kernel or the C library decides. */
#include "see.h"

#include <sys/syscall.h>
#include <sys/uio.h>

static int fd;
static char bytes[100];

static void by_number(void)
{
	struct iovec vector = {bytes, 5};

#ifdef SYS_stat
	struct stat st = {0};

	SEE(syscall(SYS_stat, "f", &st));
	say("%lld", (long long)st.st_size);
	MUST(write(fd, "more", 4) == 4);
	SEE(syscall(SYS_lstat, "f", &st));
	say("%lld", (long long)st.st_size);
#endif
	MUST(lseek(fd, 0, SEEK_SET) == 0);
	SEE(syscall(SYS_preadv, fd, &vector, 1, -1L, -1L));
	SEE(syscall(SYS_pwritev, fd, &vector, 1, -1L, -1L));
	SEE(preadv(fd, NULL, 0, -1));
	SEE(syscall(SYS_preadv, fd, &vector, -1L, -1L, -1L));
	SEE(syscall(SYS_preadv2, fd, &vector, 1, -1L, -1L, 0));
	SEE(lseek(fd, 0, SEEK_CUR));
#ifdef SYS_rename
	MUST(write(fd, "dirty", 5) == 5);
	SEE(syscall(SYS_rename, "f", "g"));
	outside("g");
	SEE(syscall(SYS_link, "g", "f"));
#endif
}

/* Bad pointers as programs pass them. The kernel reports them, and nothing is lost. */
static void null_pointers(void)
{
	void *volatile none[] = {NULL, (void *)(intptr_t)8, (void *)(intptr_t)-1};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct iovec vector[2] = {{bytes, 2}, {none[i], 3}};

		MUST(lseek(fd, 1, SEEK_SET) == 1);
		MUST(pwrite(fd, "D", 1, 3) == 1);
		SEE(read(fd, none[i], 5));
		SEE(write(fd, none[i], 5));
		SEE(pread(fd, none[i], 5, 2));
		SEE(pwrite(fd, none[i], 5, 2));
		SEE(read(fd, none[i], 0));
		SEE(write(fd, none[i], 0));
		SEE(pread(fd, none[i], 5, 100000));
		SEE(preadv(fd, vector + 1, 1, 0));
		SEE(pwritev(fd, vector + 1, 1, 0));
		SEE(lseek(fd, 0, SEEK_CUR));
	}
	outside("f");
}

static void made_to_append(void)
{
	FILE *stream;

	MUST(lseek(fd, 3, SEEK_SET) == 3);
	SEE_POINTER(stream = fdopen(dup(fd), "a"));
	SEE(ftell(stream));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(fputs("at the end", stream) >= 0);
	SEE(fflush(stream));
	SEE(ftell(stream));
	SEE(fclose(stream));
	outside("f");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	fd = open("f", O_RDWR | O_CREAT, 0600);
	MUST(write(fd, "hello, world", 12) == 12);
	by_number();
	null_pointers();
	made_to_append();
	SEE(close(fd));
	return 0;
}
