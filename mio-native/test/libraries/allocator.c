/*
 * A strict allocator: malloc takes a non-recursive lock, and while it holds it, opens, writes, reads and closes a file, as
 * allocators do that read settings or dump profiles. A thread that allocates or frees memory while it holds the lock ends the
 * process with status 99. The allocator begins with the loader's first request, before any constructor has run.
 *
 * At the end the file "visits" says how often it used the file before its constructor had run, and after.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))
#define CHUNK_BYTES ((size_t)64 << 20)
#define FILE_BYTES 9000
/* Each of the first requests uses the file, later one in VISIT_EACH: otherwise the program would take too long. */
#define FIRST_VISITS 1000
#define VISIT_EACH 16

static atomic_int owner;	/* the thread that holds the lock, or 0 */
static char *free_bytes;
static size_t left_bytes;
static long takes;
static long visits[2];	/* [0] until the constructor has run, [1] after */
static int begun;

static long raw3(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

static void end(const char *why)
{
	raw3(SYS_write, 2, (long)why, (long)strlen(why));
	raw3(SYS_exit_group, 99, 0, 0);
}

static void hold(void)
{
	int self = (int)raw3(SYS_gettid, 0, 0, 0);
	int nobody = 0;

	if (atomic_load(&owner) == self)
		end("allocator: called by a thread that holds its lock\n");
	while (!atomic_compare_exchange_weak(&owner, &nobody, self)) {
		nobody = 0;
		raw3(SYS_sched_yield, 0, 0, 0);
	}
}

static void release(void)
{
	atomic_store(&owner, 0);
}

static void must(int condition, const char *what)
{
	if (!condition)
		end(what);
}

/* Runs while the lock is held, and calls by name, like the program itself. */
static void visit_file(void)
{
	static unsigned char bytes[FILE_BYTES];
	static unsigned char seen[FILE_BYTES];
	int errno_before = errno;
	struct stat status;
	int fd = open("allocator.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);

	must(fd >= 0, "allocator: open\n");
	memset(bytes, 'a' + (int)(takes % 26), sizeof(bytes));
	for (size_t at = 0; at < sizeof(bytes); at += 1000)
		must(write(fd, bytes + at, 1000) == 1000, "allocator: write\n");
	must(lseek(fd, 0, SEEK_SET) == 0, "allocator: lseek\n");
	for (size_t at = 0; at < sizeof(seen); at += 3000)
		must(read(fd, seen + at, 3000) == 3000, "allocator: read\n");
	must(memcmp(bytes, seen, sizeof(bytes)) == 0, "allocator: bytes differ\n");
	must(pread(fd, seen, 100, 8950) == 50, "allocator: pread\n");
	must(fstat(fd, &status) == 0 && status.st_size == FILE_BYTES, "allocator: fstat\n");
	must(close(fd) == 0, "allocator: close\n");
	must(errno == errno_before, "allocator: errno\n");
	visits[begun]++;
}

static void *cut(size_t bytes, size_t alignment)
{
	size_t skip;
	char *piece;

	if (left_bytes < bytes + alignment) {
		size_t room = bytes + alignment > CHUNK_BYTES ? bytes + alignment : CHUNK_BYTES;
		void *chunk = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (chunk == MAP_FAILED)
			return NULL;
		free_bytes = chunk;
		left_bytes = room;
	}
	skip = (size_t)(-(uintptr_t)(free_bytes + sizeof(size_t))) & (alignment - 1);
	piece = free_bytes + skip + sizeof(size_t);
	memcpy(piece - sizeof(size_t), &bytes, sizeof(bytes));
	left_bytes -= skip + sizeof(size_t) + bytes;
	free_bytes = piece + bytes;
	return piece;
}

static void *take(size_t bytes, size_t alignment)
{
	void *piece;

	hold();
	takes++;
	if (visits[begun] < FIRST_VISITS || takes % VISIT_EACH == 0)
		visit_file();
	piece = cut(bytes, alignment < 16 ? 16 : alignment);
	release();
	if (!piece)
		errno = ENOMEM;
	return piece;
}

SHOWN void *malloc(size_t bytes)
{
	return take(bytes, 16);
}

/* Memory is never reused, so it is zero. */
SHOWN void *calloc(size_t count, size_t bytes)
{
	return take(count * bytes, 16);
}

SHOWN void *realloc(void *memory, size_t bytes)
{
	void *piece = take(bytes, 16);
	size_t before;

	if (!memory || !piece)
		return piece;
	memcpy(&before, (char *)memory - sizeof(size_t), sizeof(before));
	memcpy(piece, memory, before < bytes ? before : bytes);
	return piece;
}

SHOWN void *memalign(size_t alignment, size_t bytes)
{
	return take(bytes, alignment);
}

SHOWN void *aligned_alloc(size_t alignment, size_t bytes)
{
	return take(bytes, alignment);
}

SHOWN int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
	*memory = take(bytes, alignment);
	return *memory ? 0 : ENOMEM;
}

SHOWN void free(void *memory)
{
	if (!memory)
		return;
	hold();
	release();
}

/* Runs before or after the preload library's constructor, depending on the order of the libraries. */
__attribute__((constructor)) static void begin(void)
{
	free(malloc(100));
	begun = 1;
}

static size_t add_number(char *text, long number)
{
	char digits[24];
	size_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	for (size_t i = 0; i < count; i++)
		text[i] = digits[count - 1 - i];
	return count;
}

__attribute__((destructor)) static void say(void)
{
	int fd = (int)raw3(SYS_open, (long)"visits", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char line[64];
	size_t length = 0;

	length += add_number(line + length, visits[0]);
	line[length++] = ' ';
	length += add_number(line + length, visits[1]);
	line[length++] = '\n';
	raw3(SYS_write, fd, (long)line, (long)length);
	raw3(SYS_close, fd, 0, 0);
}
