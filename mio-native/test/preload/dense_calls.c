/*
 * Small requests near each other, which make MIO take pages of the file (pf/auto), and calls that use the file in other ways:
 * threads, mappings, copies inside the kernel, names, streams, flags, locks.
 */
#include "dense.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

static char bytes[DENSE_BYTES];

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

/* Threads share a position: each record is read once, by one of them. */
static void threads_at_position(int access)
{
	pthread_t threads[4];
	uint64_t sum = 0;
	int count = 0;

	for (int round = 0; round < 5; round++) {
		memset(sums, 0, sizeof(sums));
		memset(counts, 0, sizeof(counts));
		shared_fd = dense_begin("f", access);
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

/* Each thread writes its own part of the file and reads it back, through one shared open. */
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
	char one;

	make_file("parts", DENSE_BYTES, 5);
	until_old("parts");
	shared_fd = open("parts", O_RDWR);
	for (int i = 0; i < DENSE_ENOUGH; i++)
		MUST(pread(shared_fd, &one, 1, i) == 1);
	for (int i = 0; i < 4; i++)
		MUST(pthread_create(&threads[i], NULL, keep_part, (void *)(intptr_t)i) == 0);
	/* Only this thread looks at the position. */
	MUST(pread(shared_fd, &one, 1, 399999) == 1);
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

/* The mapping fails, so that no one has the file mapped and it may still get pages. */
static void mapping_of_nothing(void)
{
	int fd = open("e", O_RDWR);

	MUST(mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EINVAL);
	SEE(close(fd));
	fd = dense_open("e", O_RDWR);
	dense_read("at the position", fd, 3);
	SEE(close(fd));
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

/* New names do not matter to an open file. */
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

/* Streams of the C library on an open that has pages, and next to it. */
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

/* Another process writes while this one holds no lock; with the lock this one sees it. The lock stays whatever happens to the pages. */
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

int main(int argc, char **argv)
{
	static const char *const made[] = {"f", "m", "e", "k", "n", "s", "a", "l"};

	begin(argc, argv);
	outside_begin();
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		make_file(made[i], DENSE_BYTES, 10 + (unsigned int)i);
	threads_at_position(O_RDONLY);
	threads_at_position(O_RDWR);
	threads_at_places();
	mappings();
	mapping_of_nothing();
	inside_the_kernel();
	names();
	streams();
	flags();
	locks();
	return 0;
}
