/*
 * Small requests near each other, in one process: what else can be done with a file before, while and after they make MIO take pages
 * of it (pf/auto).
 */
#include "dense.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

static char bytes[DENSE_BYTES];
static void *volatile nowhere = (void *)16;

/* To the end and behind it, and back. */
static void ways_through(void)
{
	int fd = dense_open("f", O_RDONLY);
	struct iovec parts[3] = {{bytes, 10}, {bytes + 10, 0}, {bytes + 10, 90}};

	dense_read("on to the end", fd, 10000);
	dense_read("behind the end", fd, 2);
	SEE(lseek(fd, -1234, SEEK_END));
	dense_read("the end again", fd, 100);
	SEE(lseek(fd, 1000000, SEEK_CUR));
	SEE(read(fd, bytes, 100));
	SEE(lseek(fd, -5000000, SEEK_CUR));
	SEE(lseek(fd, 3000, SEEK_SET));
	dense_pread("backward", fd, 200, 300000, -100);
	dense_pread("every twentieth", fd, 200, 0, 2000);
	SEE(readv(fd, parts, 3));
	SEE(preadv(fd, parts, 3, 399950));
	say("%016llx", (unsigned long long)digest(bytes, 50));
	SEE(pread(fd, bytes, 100, -1));
	SEE(write(fd, bytes, 1));
	SEE(pwrite(fd, bytes, 1, 0));
	SEE(ftruncate(fd, 0));
	SEE(read(fd, nowhere, 100));
	SEE(pread(fd, nowhere, 100, 5));
	SEE(read(fd, bytes, 0));
	SEE(read(fd, bytes, 200000));
	say("%016llx", (unsigned long long)digest(bytes, 200000));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	SEE(read(fd, bytes, 100));
}

/* One position for all numbers of an open, whichever took the pages. */
static void numbers(void)
{
	int fd = open("f", O_RDONLY);
	int before = dup(fd);
	int after, over, low;

	dense_read("first number", fd, 40);
	dense_read("second number", before, 40);
	after = fcntl(fd, F_DUPFD, 60);
	over = open("other", O_RDWR | O_CREAT, 0644);
	SEE(write(over, "other", 5));
	SEE(dup2(after, over) == over);
	dense_read("third number", after, 3);
	dense_read("over another", over, 3);
	SEE(close(fd));
	SEE(close(before));
	low = dup(after);
	dense_read("a low one", low, 3);
	SEE(lseek(over, 5, SEEK_SET));
	dense_read("all of them", after, 1);
	SEE(close(after));
	SEE(close(over));
	dense_read("the last one", low, 2);
	SEE(close(low));
	look("other");
}

/* dup2 over a number in use while there are no pages yet. */
static void copied_before(void)
{
	int fd = open("f", O_RDONLY);
	int over = open("other", O_RDONLY);

	dense_read("before", fd, 10);
	SEE(dup2(fd, over) == over);
	dense_read("by one", fd, DENSE_ENOUGH);
	dense_read("by the other", over, DENSE_ENOUGH);
	SEE(close(fd));
	dense_read("what is left", over, 5);
	SEE(close(over));
}

/* What this and other opens write is read at once, and is with the kernel. */
static void writers(void)
{
	int fd = dense_open("w", O_RDWR);
	int other = open("w", O_RDWR);
	int appends = open("w", O_WRONLY | O_APPEND);

	SEE(write(fd, "by the one with pages", 21));
	dense_read("behind it", fd, 2);
	SEE(pwrite(other, "by the other", 12, 7050));
	dense_pread("over both", fd, 3, 7000, 100);
	SEE(pwrite(fd, "one", 3, 7052));
	dense_pread("the other sees", other, 3, 7000, 100);
	outside("w");
	SEE(lseek(fd, 0, SEEK_END));
	SEE(write(appends, "appended", 8));
	dense_read("what was appended", fd, 2);
	SEE(write(fd, "more", 4));
	SEE(lseek(appends, 0, SEEK_CUR));
	SEE(ftruncate(other, 7060));
	dense_pread("cut", fd, 2, 7000, 100);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(ftruncate(fd, 300000));
	dense_pread("a hole", fd, 300, 7000, 1000);
	SEE(truncate("w", 7020));
	dense_pread("cut by name", fd, 2, 7000, 100);
	SEE(lseek(fd, 7000, SEEK_SET));
	dense_read("to the new end", fd, 2);
	SEE(fsync(fd));
	SEE(close(open("w", O_WRONLY | O_TRUNC)));
	dense_pread("cut to nothing", fd, 2, 7000, 100);
	SEE(write(fd, "behind", 6));
	SEE(close(fd));
	SEE(close(other));
	SEE(close(appends));
	outside("w");
}

/* Records that are read and written in turns; the choice may fall on either side. */
static void in_turns(void)
{
	int fd = open("t", O_RDWR | O_CREAT, 0644);
	char record[64];

	for (int i = 0; i < 3000; i++) {
		fill(record, sizeof(record), 3, i * 64);
		MUST(write(fd, record, sizeof(record)) == sizeof(record));
	}
	for (int i = 0; i < 1500; i++) {
		MUST(lseek(fd, i * 128, SEEK_SET) == i * 128);
		MUST(read(fd, record, sizeof(record)) == sizeof(record));
		record[0] ^= 1;
		MUST(lseek(fd, -64, SEEK_CUR) == i * 128);
		MUST(write(fd, record, sizeof(record)) == sizeof(record));
	}
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 0, SEEK_SET));
	dense_read("all", fd, 4000);
	SEE(close(fd));
	outside("t");
}

static int shared_fd;
static uint64_t sums[4];
static int counts[4];

static void *take_records(void *context)
{
	int me = (int)(intptr_t)context;
	char record[DENSE_RECORD];
	ssize_t got;

	while ((got = read(shared_fd, record, sizeof(record))) > 0) {
		MUST(got == DENSE_RECORD);
		sums[me] += digest(record, sizeof(record));
		counts[me]++;
	}
	MUST(got == 0);
	return NULL;
}

/* Threads share a position: each record is had once, by one of them. */
static void threads_at_position(int access)
{
	pthread_t threads[4];
	uint64_t sum = 0;
	int count = 0;

	for (int round = 0; round < 5; round++) {
		memset(sums, 0, sizeof(sums));
		memset(counts, 0, sizeof(counts));
		shared_fd = open("f", access);
		for (int i = 0; i < 4; i++)
			MUST(pthread_create(&threads[i], NULL, take_records, (void *)(intptr_t)i) == 0);
		for (int i = 0; i < 4; i++)
			MUST(pthread_join(threads[i], NULL) == 0);
		for (int i = 0; i < 4; i++) {
			sum += sums[i];
			count += counts[i];
		}
		MUST(lseek(shared_fd, 0, SEEK_CUR) == DENSE_BYTES);
		MUST(close(shared_fd) == 0);
	}
	say("%d records, %016llx", count, (unsigned long long)sum);
}

/* Each thread has its part of the file: it writes there and reads it back, by one open. */
static void *keep_part(void *context)
{
	int64_t from = (intptr_t)context * 100000;
	char record[DENSE_RECORD];
	char back[DENSE_RECORD];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 1000; i++) {
			MUST(pread(shared_fd, back, sizeof(back), from + i * DENSE_RECORD) == DENSE_RECORD);
			if (i % 3 == round) {
				fill(record, sizeof(record), 40 + (unsigned int)round, from + i * DENSE_RECORD);
				MUST(pwrite(shared_fd, record, sizeof(record), from + i * DENSE_RECORD) == DENSE_RECORD);
			}
			if (i % 3 == round)
				MUST(pread(shared_fd, back, sizeof(back), from + i * DENSE_RECORD) == DENSE_RECORD &&
				     memcmp(back, record, sizeof(back)) == 0);
		}
	}
	return NULL;
}

static void threads_at_places(void)
{
	pthread_t threads[4];

	make_file("parts", DENSE_BYTES, 5);
	shared_fd = open("parts", O_RDWR);
	for (int i = 0; i < 4; i++)
		MUST(pthread_create(&threads[i], NULL, keep_part, (void *)(intptr_t)i) == 0);
	/* The position is of nobody's concern but ours. */
	MUST(pread(shared_fd, bytes, 1, 399999) == 1);
	for (int i = 0; i < 4; i++)
		MUST(pthread_join(threads[i], NULL) == 0);
	SEE(lseek(shared_fd, 0, SEEK_CUR));
	SEE(close(shared_fd));
	look("parts");
	outside("parts");
}

static void mappings(void)
{
	int fd = dense_open("m", O_RDWR);
	char *read_only = mmap(NULL, DENSE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	char *mapped;

	MUST(read_only != MAP_FAILED);
	SEE(pwrite(fd, "seen in the mapping", 19, 7000));
	say("%.19s", read_only + 7000);
	dense_pread("with a mapping", fd, 3, 7000, 100);
	mapped = mmap(NULL, DENSE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	MUST(mapped != MAP_FAILED);
	memcpy(mapped + 7000, "by the mapping     ", 19);
	dense_pread("what it wrote", fd, 3, 7000, 100);
	dense_read("at the position", fd, 3);
	memcpy(mapped + 7310, "again", 5);
	dense_read("at the position", fd, 3);
	SEE(munmap(mapped, DENSE_BYTES));
	SEE(munmap(read_only, DENSE_BYTES));
	SEE(close(fd));
	look("m");
}

static void inside_the_kernel(void)
{
	int from = dense_open("f", O_RDONLY);
	int to = dense_open("k", O_RDWR);
	off_t place = 50000;

	SEE(sendfile(to, from, NULL, 5000));
	SEE(lseek(from, 0, SEEK_CUR));
	SEE(lseek(to, 0, SEEK_CUR));
	dense_read("from", from, 3);
	dense_read("to", to, 3);
	SEE(sendfile(to, from, &place, 5000));
	SEE(copy_file_range(from, NULL, to, NULL, 5000, 0));
	dense_read("from", from, 3);
	dense_read("to", to, 3);
	SEE(lseek(to, 0, SEEK_SET));
	dense_read("all of it", to, 5000);
	SEE(close(from));
	SEE(close(to));
	outside("k");
}

/* Names are of no concern to what is open. */
static void names(void)
{
	int fd = dense_open("n", O_RDWR);
	struct stat st;

	SEE(rename("n", "n2"));
	SEE(pwrite(fd, "renamed", 7, 399997));
	MUST(stat("n2", &st) == 0);
	say("size %lld", (long long)st.st_size);
	SEE(link("n2", "n3"));
	look("n3");
	SEE(unlink("n2"));
	SEE(unlink("n3"));
	dense_read("without a name", fd, 3);
	SEE(pwrite(fd, "unlinked", 8, 400004));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(close(fd));
}

/* Streams of the C library on an open that has pages, and beside it. */
static void streams(void)
{
	int fd = dense_open("s", O_RDWR);
	FILE *same = fdopen(fd, "r+");
	FILE *other = fopen("s", "r+");

	MUST(same && other);
	SEE(fread(bytes, 100, 80, same));
	say("%016llx", (unsigned long long)digest(bytes, 8000));
	SEE(fseek(same, 7000, SEEK_SET));
	SEE(fwrite("by the stream", 13, 1, same));
	SEE(fflush(same));
	dense_pread("what it wrote", fd, 3, 7000, 100);
	SEE(fseek(other, 7000, SEEK_SET));
	SEE(fread(bytes, 13, 1, other));
	say("%.13s", bytes);
	SEE(fseek(other, 7005, SEEK_SET));
	SEE(fwrite("THE OTHER", 9, 1, other));
	SEE(fclose(other));
	dense_pread("what the other wrote", fd, 3, 7000, 100);
	SEE(fclose(same));
	outside("s");
}

static void flags(void)
{
	int fd = dense_open("a", O_RDWR);

	SEE(fcntl(fd, F_SETFL, O_NONBLOCK));
	dense_read("without waiting", fd, 2);
	SEE(fcntl(fd, F_SETFL, O_APPEND));
	SEE(write(fd, "at the end", 10));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(fd, 7000, SEEK_SET));
	dense_read("appending", fd, 2);
	SEE(pwrite(fd, "also there", 10, 5));
	SEE(fcntl(fd, F_SETFL, 0));
	SEE(write(fd, "here again", 10));
	dense_read("not any more", fd, 2);
	SEE(close(fd));
	outside("a");
}

/* Another process writes while we hold no lock; with one we see it. The lock is there whatever becomes of pages. */
static void locks(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 300000, .l_len = 10};
	int holder = open("l", O_RDWR);
	int fd;
	pid_t child;

	SEE(fcntl(holder, F_SETLK, &lock));
	fd = dense_open("l", O_RDWR);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		MUST(fcntl(holder, F_GETLK, &lock) == 0);
		say("locked: %d", lock.l_type != F_UNLCK);
		_exit(0);
	}
	await("child", child);
	SEE(close(fd));
	SEE(close(holder));
	fd = dense_open("l", O_RDWR);
	outside_writes("l", 77, 7000, 500);
	lock.l_start = 0;
	SEE(fcntl(fd, F_SETLKW, &lock));
	dense_read("under a lock", fd, 10);
	lock.l_type = F_UNLCK;
	SEE(fcntl(fd, F_SETLK, &lock));
	SEE(close(fd));
}

/* Near each other first, then anywhere: pages are given up, and the position stays what it is. */
static void at_random(void)
{
	static char large[1 << 20];
	int fd = open("large", O_RDWR | O_CREAT, 0644);
	uint64_t seed = 1, sum = DIGEST_BEGIN;

	for (int i = 0; i < 12; i++) {
		fill(large, sizeof(large), 6, (int64_t)i << 20);
		MUST(write(fd, large, sizeof(large)) == (ssize_t)sizeof(large));
	}
	MUST(close(fd) == 0);
	fd = dense_open("large", O_RDWR);
	for (int i = 0; i < 20000; i++) {
		int64_t place;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		place = (int64_t)((seed >> 33) % ((12 << 20) - 100));
		if (i % 50 == 0)
			MUST(pwrite(fd, &seed, sizeof(seed), place) == sizeof(seed));
		MUST(pread(fd, bytes, 100, place) == 100);
		sum = digest_more(sum, bytes, 100);
		if (i % 1000 == 999)
			MUST(read(fd, bytes, 100) == 100);
		if (i % 1000 == 999)
			sum = digest_more(sum, bytes, 100);
	}
	say("%016llx, at %lld", (unsigned long long)sum, (long long)lseek(fd, 0, SEEK_CUR));
	dense_read("and on", fd, 100);
	SEE(write(fd, "there", 5));
	dense_pread("what was written", fd, 3, 18900, 100);
	SEE(close(fd));
	outside("large");
}

/* Twenty files at the same time: more than have pages. */
static void many(void)
{
	int fds[20];
	char name[16];

	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		make_file(name, 20000, 100 + (unsigned int)i);
		fds[i] = dense_open(name, O_RDWR);
	}
	for (int i = 0; i < 20; i++) {
		SEE(write(fds[i], "some bytes", 10));
		dense_read("on", fds[i], 5);
	}
	for (int i = 0; i < 20; i++)
		SEE(close(fds[i]));
	fds[0] = dense_open("many19", O_RDWR);
	SEE(close(fds[0]));
}

/* No number left for a descriptor of MIO's: nothing is wrong. */
static void without_numbers(void)
{
	int fd = open("f", O_RDONLY);
	struct rlimit limit;
	struct rlimit none;

	MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	none = limit;
	none.rlim_cur = (rlim_t)fd + 1;
	SEE(setrlimit(RLIMIT_NOFILE, &none));
	dense_read("no number", fd, 200);
	SEE(setrlimit(RLIMIT_NOFILE, &limit));
	dense_read("numbers", fd, 200);
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	static const char *const made[] = {"f", "w", "m", "k", "n", "s", "a", "l"};

	begin(argc, argv);
	outside_begin();
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		make_file(made[i], DENSE_BYTES, 10 + (unsigned int)i);
	ways_through();
	numbers();
	copied_before();
	writers();
	in_turns();
	threads_at_position(O_RDONLY);
	threads_at_position(O_RDWR);
	threads_at_places();
	mappings();
	inside_the_kernel();
	names();
	streams();
	flags();
	locks();
	at_random();
	many();
	without_numbers();
	/* Left open to the end. */
	dense_open("k", O_RDWR);
	return 0;
}
