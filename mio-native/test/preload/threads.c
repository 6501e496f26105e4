/* Threads that read and write parts of the same files, at offsets and at a common position, while others open, close, sync and stat. */
#include "see.h"

#include <pthread.h>
#include <sys/uio.h>

enum { THREADS = 4, PART = 256 * 1024, PIECE = 3001, ROUNDS = 250, RECORD = 96, RECORDS = 800 };

static int fd;
static int counted;
static _Atomic int going;

/* Each thread has its own part of the file, and knows the last seed of each piece. */
static void *hammer(void *context)
{
	int me = (int)(intptr_t)context;
	unsigned int seeds[PART / PIECE] = {0};
	unsigned int random = (unsigned int)me * 7919 + 1;
	char piece[PIECE];
	char want[PIECE];

	for (int round = 0; round < ROUNDS; round++) {
		int which = (int)((random = random * 1103515245 + 12345) >> 8) % (PART / PIECE);
		off_t at = (off_t)me * PART + which * PIECE;

		if (which < 0)
			continue;
		if (random & 0x40000000) {
			seeds[which] = (unsigned int)(round * THREADS + me + 1);
			fill(piece, PIECE, seeds[which], at);
			MUST(pwrite(fd, piece, PIECE, at) == PIECE);
		} else if (seeds[which]) {
			struct iovec parts[2] = {{piece, 1000}, {piece + 1000, PIECE - 1000}};

			MUST(preadv(fd, parts, 2, at) == PIECE);
			fill(want, PIECE, seeds[which], at);
			MUST(memcmp(piece, want, PIECE) == 0);
		}
	}
	for (int which = 0; which < PART / PIECE; which++)
		if (seeds[which])
			MUST(is_fill(fd, PIECE, seeds[which], (off_t)me * PART + which * PIECE));
	return NULL;
}

/* Records written at the common position do not mix. */
static void *record(void *context)
{
	char bytes[RECORD];

	memset(bytes, 'a' + (int)(intptr_t)context, RECORD);
	for (int i = 0; i < RECORDS; i++)
		MUST(write(counted, bytes, RECORD) == RECORD);
	return NULL;
}

/* Meanwhile a file is opened, read, written and closed all the time. */
static void *disturb(void *unused)
{
	char bytes[100];

	(void)unused;
	/* At least once: the other threads may be done before this one begins. */
	do {
		int mine = open("f", O_RDONLY);
		struct stat st;
		int other;

		MUST(mine >= 0);
		MUST(pread(mine, bytes, 100, PART - 50) == 100);
		MUST(fstat(mine, &st) == 0 && st.st_size == THREADS * PART);
		MUST(fsync(mine) == 0);
		MUST(close(mine) == 0);
		other = open("other", O_RDWR | O_CREAT | O_TRUNC, 0600);
		MUST(other >= 0 && write(other, bytes, 100) == 100);
		mine = dup(other);
		MUST(close(other) == 0 && pread(mine, bytes, 100, 0) == 100 && close(mine) == 0);
	} while (going);
	return NULL;
}

/* All threads close and open the same numbers. */
static void *numbers(void *context)
{
	char name[32];
	char bytes[200];

	snprintf(name, sizeof(name), "number%d", (int)(intptr_t)context);
	for (int i = 0; i < 100; i++) {
		int mine = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

		MUST(mine >= 0);
		fill(bytes, 200, (unsigned int)i, 0);
		MUST(write(mine, bytes, 200) == 200);
		MUST(is_fill(mine, 200, (unsigned int)i, 0));
		MUST(lseek(mine, 0, SEEK_END) == 200);
		MUST(close(mine) == 0);
	}
	return NULL;
}

static void all(pthread_t *threads, void *(*run)(void *))
{
	for (intptr_t i = 0; i < THREADS; i++)
		MUST(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
}

static void join(const pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		MUST(pthread_join(threads[i], NULL) == 0);
}

static void check_records(void)
{
	char bytes[RECORD];
	int counts[THREADS] = {0};
	int mine = open("counted", O_RDONLY);

	while (read(mine, bytes, RECORD) == RECORD) {
		for (int i = 1; i < RECORD; i++)
			MUST(bytes[i] == bytes[0]);
		counts[bytes[0] - 'a']++;
	}
	for (int i = 0; i < THREADS; i++)
		say("records %d", counts[i]);
	MUST(close(mine) == 0);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	pthread_t disturber;

	begin(argc, argv);
	outside_begin();
	make_file("f", THREADS * PART, 1);
	fd = open("f", O_RDWR);
	MUST(fd >= 0);
	all(threads, hammer);
	join(threads);
	MUST(fsync(fd) == 0);
	outside("f");
	going = 1;
	MUST(pthread_create(&disturber, NULL, disturb, NULL) == 0);
	all(threads, hammer);
	join(threads);
	going = 0;
	MUST(pthread_join(disturber, NULL) == 0);
	/* Its content depends on the timing. */
	MUST(unlink("other") == 0);
	counted = open("counted", O_RDWR | O_CREAT, 0600);
	all(threads, record);
	join(threads);
	SEE(lseek(counted, 0, SEEK_CUR));
	check_records();
	MUST(ftruncate(counted, 0) == 0 && close(counted) == 0);
	all(threads, numbers);
	join(threads);
	SEE(close(fd));
	look("f");
	outside("f");
	for (int i = 0; i < THREADS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "number%d", i);
		outside(name);
	}
	return 0;
}
