/*
 * For which requests pf/auto reads one byte first (a nudge), and how it tells the kernel of long ranges where there are large
 * folios. The test plays the kernel: its cache gets what is read, and by a nudge the MiB that the byte lies in.
 */
#include "capi_api.h"

#include <dirent.h>
#include <sys/resource.h>

#include "../src/os/os_file.h"
#include "../src/os/os_folios.h"
#include "../src/os/os_kernel_cache.h"
#include "../src/os/os_room.h"

#define MIB ((int64_t)1 << 20)
#define NO_DISK "the file lies on no disk"

enum { STREAMS = 8, EACH = 4, ALL = STREAMS * EACH };

static char name[512];
static char stats[512];
static char memory[1 << 20];

/* The state of the kernel that the test plays. */
static int kept[ALL];
static int blind;
static int unseen;		/* the kernel never shows a page */
static int asked;
static int reads_on = 1;
static int64_t reach = MIB;
static int64_t nudged[ALL];
static int nudges;
static int large;
static int told;		/* number of ranges in large folios that the kernel was told of */
static int64_t told_from[ALL], told_bytes[ALL];
static int64_t room = INT64_MAX;
static int rooms;		/* number of calls of mio_os_room */
static int64_t most_told;	/* the longest range that the kernel was told of */
static int descriptors;		/* open descriptors before the open */

int64_t mio_os_room(void)
{
	rooms++;
	return room;
}

int mio_os_kernel_cache_has(int fd, int64_t offset, int64_t length)
{
	(void)fd;
	asked++;
	if (blind)
		return -ENOSYS;
	if (unseen)
		return 0;
	for (int64_t at = offset / MIB; at <= (offset + length - 1) / MIB; at++) {
		/* The bytes that come next may lie past the end of the file. */
		if (at >= ALL || !kept[at])
			return 0;
	}
	return 1;
}

int mio_os_kernel_cache_sees(int fd, int64_t offset)
{
	/* The question is about the end of a request that was just read. */
	(void)fd;
	ASSERT_EQUAL(0, (offset + 1) % (MIB / 16));
	return !unseen;
}

int mio_os_kernel_cache_read_ahead(int fd, int64_t offset, int64_t length, int64_t most)
{
	(void)fd, (void)offset, (void)most;
	most_told = length > most_told ? length : most_told;
	return 0;
}

int64_t mio_os_kernel_cache_pages(int fd, int64_t offset, int64_t length)
{
	(void)fd, (void)offset, (void)length;
	return 0;
}

int mio_os_folios_are_large(int fd, int64_t reach_bytes)
{
	(void)fd;
	ASSERT_EQUAL(reach, reach_bytes);
	return large;
}

int mio_os_folios_read_ahead(int one_fd, int other_fd, int64_t offset, int64_t length, int64_t reach_bytes, int64_t longest)
{
	struct stat one, two;

	ASSERT_EQUAL(reach, reach_bytes);
	ASSERT_EQUAL(reach, longest);
	/* Two opens of the same file, both for reading. */
	ASSERT(one_fd != other_fd);
	ASSERT_EQUAL(O_RDONLY, fcntl(one_fd, F_GETFL) & O_ACCMODE);
	ASSERT_EQUAL(0, fstat(one_fd, &one));
	ASSERT_EQUAL(0, fstat(other_fd, &two));
	ASSERT_EQUAL(one.st_ino, two.st_ino);
	ASSERT(told < ALL);
	told_from[told] = offset;
	told_bytes[told++] = length;
	for (int64_t at = offset / MIB; at < (offset + length) / MIB && at < ALL; at++)
		kept[at] = 1;
	return 0;
}

int mio_os_kernel_cache_nudge(int fd, int64_t offset, int64_t length)
{
	char byte = 1;

	ASSERT_EQUAL(64 << 10, length);
	/* The program's own descriptor, and the place of the request. */
	ASSERT_EQUAL(1, pread(fd, &byte, 1, offset));
	ASSERT_EQUAL(offset / MIB, byte);
	ASSERT(nudges < ALL);
	nudged[nudges++] = offset;
	kept[offset / MIB] |= reads_on;
	return reads_on;
}

int64_t mio_os_kernel_cache_longest(uint64_t device)
{
	(void)device;
	return reach;
}

int64_t mio_os_kernel_cache_reach(uint64_t device)
{
	(void)device;
	return reach;
}

static int64_t offset_of(int request)
{
	return (request % STREAMS * EACH + request / STREAMS) * MIB;
}

/* 0 if the test directory is not on a disk, where the kernel is told nothing. */
static int make_file(void)
{
	int fd = open(test_name(name, sizeof(name), "nudge"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int is_disk;

	ASSERT(fd >= 0);
	is_disk = mio_os_file_place(fd) == MIO_OS_PLACE_DISK;
	for (int i = 0; i < ALL; i++) {
		char byte = (char)i;

		ASSERT_EQUAL(1, pwrite(fd, &byte, 1, i * MIB));
	}
	ASSERT_EQUAL(0, ftruncate(fd, ALL * MIB));
	ASSERT_EQUAL(0, close(fd));
	return is_disk;
}

/* Reads eight streams in turns. way: 0 pread, 1 seek and read, 2 seek and readv. Returns the number of nudges. */
static int read_all(int way)
{
	int fd = MIO_open(name, O_RDONLY, 0, NULL);

	ASSERT(fd >= 0);
	nudges = 0;
	for (int i = 0; i < ALL; i++) {
		struct iovec halves[] = {{memory, MIB / 2}, {memory + MIB / 2, MIB / 2}};
		int before = nudges;

		if (way != 0)
			ASSERT_EQUAL(offset_of(i), MIO_lseek64(fd, offset_of(i), SEEK_SET));
		if (way == 0)
			ASSERT_EQUAL(MIB, MIO_pread(fd, memory, MIB, offset_of(i)));
		else if (way == 1)
			ASSERT_EQUAL(MIB, MIO_read(fd, memory, MIB));
		else
			ASSERT_EQUAL(MIB, MIO_readv(fd, halves, 2));
		ASSERT_EQUAL(offset_of(i) / MIB, memory[0]);
		if (way != 0)
			ASSERT_EQUAL(offset_of(i) + MIB, MIO_lseek64(fd, 0, SEEK_CUR));
		if (nudges > before)
			ASSERT_EQUAL(offset_of(i), nudged[nudges - 1]);
		kept[offset_of(i) / MIB] = 1;
	}
	ASSERT_EQUAL(0, MIO_close(fd));
	return nudges;
}

static void read_by_offset(void)
{
	ASSERT_EQUAL(STREAMS * (EACH - 1), read_all(0));
}

static void read_at_the_position(void)
{
	ASSERT_EQUAL(STREAMS * (EACH - 1), read_all(1));
}

static void read_into_several(void)
{
	ASSERT_EQUAL(STREAMS * (EACH - 1), read_all(2));
}

static void read_what_is_there(void)
{
	memset(kept, 1, sizeof(kept));
	ASSERT_EQUAL(0, read_all(0));
}

static void read_where_it_cannot_look(void)
{
	blind = 1;
	ASSERT_EQUAL(0, read_all(0));
}

static void read_backward(int fd, int64_t from, int64_t to)
{
	for (int64_t at = from; at > to; at -= MIB / 16)
		ASSERT_EQUAL(MIB / 16, MIO_pread(fd, memory, MIB / 16, at - MIB / 16));
}

/* The room is asked for once a MiB has been told. Then hints go less far ahead, and each one covers half of that. */
static void read_backward_with_little_memory(void)
{
	int fd = MIO_open(name, O_RDONLY, 0, NULL);

	room = 16 * MIB;
	ASSERT(fd >= 0);
	read_backward(fd, ALL * MIB, ALL / 2 * MIB);
	ASSERT(most_told > 256 << 10);
	ASSERT_EQUAL(1, rooms);
	most_told = 0;
	read_backward(fd, ALL / 2 * MIB, 0);
	ASSERT(most_told > 0 && most_told <= 256 << 10);
	ASSERT_EQUAL(0, MIO_close(fd));
}

static void read_where_nothing_is_seen(void)
{
	unseen = 1;
	ASSERT_EQUAL(0, read_all(0));
	/* Each kind of question looks once: the first read shows that nothing can be seen. */
	ASSERT(asked >= 1 && asked <= 3);
}

static void read_where_the_kernel_reads_less_far(void)
{
	reach = 128 << 10;
	ASSERT_EQUAL(0, read_all(0));
}

static void read_where_the_kernel_does_not_read_on(void)
{
	reads_on = 0;
	ASSERT_EQUAL(1, read_all(0));
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int found = 0;

	ASSERT(dir);
	while (readdir(dir))
		found++;
	closedir(dir);
	return found;
}

/* Requests that belong to no stream yet are told of as a whole; of the others a byte is read first. */
static void read_in_large_folios(void)
{
	large = 1;
	descriptors = open_descriptors();
	ASSERT_EQUAL(STREAMS * (EACH - 1), read_all(0));
	ASSERT_EQUAL(descriptors, open_descriptors());
	ASSERT(told > 0);
	for (int i = 0; i < told; i++) {
		ASSERT_EQUAL(MIB, told_bytes[i]);
		ASSERT_EQUAL(0, told_from[i] % (EACH * MIB));
	}
}

/* Reads the whole file and returns the descriptor. Sets told to the number of ranges that the kernel was told of. */
static int open_and_read(void)
{
	int fd = MIO_open(name, O_RDONLY, 0, NULL);

	ASSERT(fd >= 0);
	told = 0;
	memset(kept, 0, sizeof(kept));
	for (int i = 0; i < ALL; i++) {
		ASSERT_EQUAL(MIB, MIO_pread(fd, memory, MIB, offset_of(i)));
		kept[offset_of(i) / MIB] = 1;
		nudges = 0;
	}
	return fd;
}

/* The parent has as many opens in large folios as are allowed; the child has its own allowance. */
static void read_in_a_child(void)
{
	enum { MOST = 32 };
	int fds[MOST];
	int status;
	pid_t child;

	large = 1;
	for (int i = 0; i < MOST; i++) {
		fds[i] = open_and_read();
		ASSERT(told > 0);
	}
	ASSERT_EQUAL(0, MIO_close(open_and_read()));
	ASSERT_EQUAL(0, told);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		int fd = open_and_read();

		ASSERT(told > 0);
		/* Closing the parent's opens makes no room for more. */
		for (int i = 0; i < MOST; i++)
			ASSERT_EQUAL(0, MIO_close(fds[i]));
		for (int i = 0; i < MOST - 1; i++) {
			open_and_read();
			ASSERT(told > 0);
		}
		open_and_read();
		ASSERT_EQUAL(0, told);
		ASSERT_EQUAL(0, MIO_close(fd));
		_exit(0);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	for (int i = 0; i < MOST; i++)
		ASSERT_EQUAL(0, MIO_close(fds[i]));
}

/* If the system refuses MIO another open, it acts as with any other kernel. */
static void read_without_another_open(void)
{
	large = 1;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64}));
	ASSERT_EQUAL(STREAMS * (EACH - 1), read_all(0));
	ASSERT_EQUAL(0, told);
}

static void should_read_a_byte_first_of_what_goes_on(void)
{
	static void (*const sentences[])(void) = {
		read_by_offset,		   read_at_the_position,		 read_into_several,			 read_what_is_there,
		read_where_it_cannot_look, read_where_the_kernel_reads_less_far, read_where_the_kernel_does_not_read_on,
		read_in_large_folios,	   read_without_another_open,		 read_where_nothing_is_seen,
		read_in_a_child,	   read_backward_with_little_memory,
	};

	if (!make_file()) {
		unlink(name);
		SKIP(NO_DISK);
	}
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		ASSERT_EQUAL(0, test_run_under("* [ pf/auto ]", NULL, sentences[i]));
	unlink(name);
}

static void say_that_folios_are_large(void)
{
	large = 1;
	read_by_offset();
}

static void should_say_so_in_the_report(void)
{
	char *text;

	if (!make_file()) {
		unlink(name);
		SKIP(NO_DISK);
	}
	unlink(test_name(stats, sizeof(stats), "nudge.stats"));
	ASSERT_EQUAL(0, test_run_under("* [ pf/auto ]", stats, read_by_offset));
	test_content(stats, &text);
	ASSERT(strstr(text, "requests of 1048576 bytes that go on from what the kernel has"));
	ASSERT(!strstr(text, "folios"));
	free(text);
	unlink(stats);
	ASSERT_EQUAL(0, test_run_under("* [ pf/auto ]", stats, say_that_folios_are_large));
	test_content(stats, &text);
	ASSERT(strstr(text, "folios    the kernel reads ranges of 256 KB and more ahead in large folios"));
	ASSERT(!strstr(text, "unseen"));
	free(text);
	unlink(stats);
	ASSERT_EQUAL(0, test_run_under("* [ pf/auto ]", stats, read_where_nothing_is_seen));
	test_content(stats, &text);
	ASSERT(strstr(text, "unseen    what was just read is not in the kernel's cache as far as it tells"));
	free(text);
	unlink(stats);
	unlink(name);
}

int main(void)
{
	RUN(should_read_a_byte_first_of_what_goes_on);
	RUN(should_say_so_in_the_report);
	return TEST_RESULT();
}
