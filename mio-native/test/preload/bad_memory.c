/*
 * Requests on memory that must not be used: EFAULT, or the bytes moved before it, and no signal. A fault of the program itself
 * still raises a signal.
 */
#include "dense.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

enum { PAGE = 4096, BYTES = 20 * PAGE };

static char bytes[BYTES];
static sigjmp_buf before;
static volatile sig_atomic_t faults;
static char *bad;

static void on_fault(int number)
{
	(void)number;
	faults++;
	siglongjmp(before, 1);
}

static void on_fault_allow(int number)
{
	(void)number;
	faults++;
	if (mprotect(bad, PAGE, PROT_READ | PROT_WRITE) < 0)
		_exit(90);
}

/* Three pages of memory, the middle one of which must not be used. Returns the address of that one. */
static char *forbidden(void)
{
	char *memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(memory != MAP_FAILED && mprotect(memory + PAGE, PAGE, PROT_NONE) == 0);
	memset(memory, 'a', PAGE);
	memset(memory + 2L * PAGE, 'c', PAGE);
	return memory + PAGE;
}

/* The same with the mapping of a file that ends before that page. */
static char *behind_end(void)
{
	int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *memory;

	MUST(fd >= 0 && ftruncate(fd, PAGE) == 0);
	memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	MUST(memory != MAP_FAILED && close(fd) == 0);
	memset(memory, 'b', PAGE);
	return memory + PAGE;
}

static int dirty(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	fill(bytes, BYTES, 1, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
	return fd;
}

static void requests(int fd, char *memory)
{
	struct iovec in[] = {{bytes, PAGE}, {memory, PAGE}};
	struct iovec out[] = {{memory - PAGE, PAGE}, {memory, PAGE}};

	SEE(pread(fd, memory, PAGE, PAGE));
	SEE(pread(fd, memory, 3 * PAGE, 0));
	SEE(pread(fd, memory - PAGE, 2 * PAGE, PAGE));
	say("moved: %d", is_fill(fd, PAGE, 1, PAGE));
	SEE(preadv(fd, in, 2, PAGE));
	SEE(pwrite(fd, memory, PAGE, 2 * PAGE));
	SEE(pwrite(fd, memory - PAGE, 3 * PAGE, 4 * PAGE));
	SEE(pwritev(fd, out, 2, 8 * PAGE));
	SEE(lseek(fd, 10 * PAGE, SEEK_SET));
	SEE(read(fd, memory, PAGE));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, memory - PAGE, 2 * PAGE));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(readv(fd, in, 2));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, memory, PAGE));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, memory - PAGE, 2 * PAGE));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(write(fd, memory, PAGE));
	SEE(write(fd, memory - PAGE, 3 * PAGE));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(fsync(fd));
}

/* What the requests on bad memory do to this file and to another one. */
static void seen(const char *name, char *memory)
{
	int fd = dirty(name);
	int other = dirty("other");

	requests(fd, memory);
	SEE(write(other, "more", 4));
	outside(name);
	SEE(close(other));
	outside("other");
	SEE(write(fd, "more", 4));
	SEE(close(fd));
	outside(name);
	say("faults: %d", (int)faults);
}

/* A file that has got pages by small requests near each other. */
static void near(void)
{
	int fd;

	make_file("near", DENSE_BYTES, 1);
	fd = dense_open("near", O_RDWR);
	SEE(read(fd, bad, 100));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bad, 100, 0));
	SEE(pread(fd, bad - 40, 100, 7100));
	SEE(pread(fd, bad + PAGE - 40, 100, 7100));
	SEE(pwrite(fd, bad, 100, 7100));
	dense_read("after", fd, 10);
	SEE(close(fd));
	outside("near");
}

static void handled(void)
{
	struct sigaction action = {.sa_handler = on_fault};
	int other = dirty("other");

	sigemptyset(&action.sa_mask);
	MUST(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0);
	seen("handled", bad);
	seen("handled, behind the end", behind_end());
	/* A fault of the program itself. */
	if (sigsetjmp(before, 1) == 0)
		*(volatile char *)bad = 1;
	say("faults: %d", (int)faults);
	SEE(write(other, "more", 4));
	SEE(close(other));
	outside("other");
	action.sa_handler = on_fault_allow;
	MUST(sigaction(SIGSEGV, &action, NULL) == 0);
	other = dirty("allowed");
	SEE(pread(other, bad, PAGE, 0));
	*(volatile char *)bad = 1;
	SEE(pread(other, bad, PAGE, 0));
	say("faults: %d", (int)faults);
	SEE(close(other));
	MUST(mprotect(bad, PAGE, PROT_NONE) == 0);
}

/* A position that another process shares. */
static void shared(void)
{
	pid_t child;
	int fd;

	make_file("shared", BYTES, 1);
	fd = open("shared", O_RDONLY);
	SEE(read(fd, bytes, PAGE));
	child = fork();
	if (child == 0)
		_exit(0);
	await("shared", child);
	SEE(read(fd, bad, PAGE));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, bad - PAGE, 2 * PAGE));
	say("moved: %d", memcmp(bad - PAGE, bytes, PAGE) != 0 && is_fill(fd, PAGE, 1, PAGE));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, bad - PAGE, PAGE));
	SEE(close(fd));
}

/* A process that ends by a fault after such requests. */
static void ended(void)
{
	pid_t child = fork();

	if (child == 0) {
		int fd;

		signal(SIGSEGV, SIG_DFL);
		fd = dirty("ended");
		SEE(pread(fd, bad, PAGE, 0));
		SEE(write(fd, "more", 4));
		*(volatile char *)bad = 1;
		_exit(0);
	}
	await("ended", child);
	outside("ended");
}

int main(int argc, char **argv)
{
	struct rlimit none = {0, 0};

	begin(argc, argv);
	outside_begin();
	setrlimit(RLIMIT_CORE, &none);
	bad = forbidden();
	seen("plain", bad);
	seen("behind the end", behind_end());
	near();
	shared();
	handled();
	ended();
	return 0;
}
