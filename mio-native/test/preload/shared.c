/*
 * Two processes share memory: the mapping of a file whose bytes they lock. There they tell each other what is in other files before
 * they release a lock. SQLite does so: what its log and database contain is found in the memory under the locks of its index.
 */
#include "see.h"

#include <sys/mman.h>

enum { RECORD = 600, ROUNDS = 40, PLACES = 7 };

static int posix_lock(int fd, short type, off_t start)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = 1};

	return fcntl(fd, F_SETLK, &lock);
}

static int holds(int fd, off_t offset, int round)
{
	char found[RECORD];

	if (pread(fd, found, RECORD, offset) != RECORD)
		return 0;
	for (int at = 0; at < RECORD; at++)
		if (found[at] != (char)round)
			return 0;
	return 1;
}

/* A log that grows, and places that are overwritten. Each process locks a byte of its own and tries the other's. */
static void take_turns(int me, int from, int to, int rounds)
{
	int shared = open("shared", O_RDWR), log = open("log", O_RDWR), places = open("places", O_RDWR);
	volatile int *told;
	char record[RECORD];

	MUST(shared >= 0 && log >= 0 && places >= 0);
	told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
	MUST(told != MAP_FAILED);
	for (int i = 0; i < rounds; i++) {
		int round;
		char turn;

		MUST(read(from, &turn, 1) == 1);
		MUST(posix_lock(shared, F_UNLCK, me) == 0);
		/* A lock that is refused tells something, too. */
		if (i % 2 || i == 0)
			MUST(posix_lock(shared, F_WRLCK, me) == 0);
		else
			MUST(posix_lock(shared, F_WRLCK, 1 - me) < 0 && errno == EAGAIN);
		round = *told;
		for (int old = 0; old < round; old++)
			MUST(holds(log, (off_t)old * RECORD, old + 1));
		for (int old = round > PLACES ? round - PLACES : 0; old < round; old++)
			MUST(holds(places, (off_t)(old % PLACES) * RECORD, old + 1));
		memset(record, round + 1, RECORD);
		MUST(pwrite(log, record, RECORD, (off_t)round * RECORD) == RECORD);
		MUST(pwrite(places, record, RECORD, (off_t)(round % PLACES) * RECORD) == RECORD);
		*told = round + 1;
		MUST(posix_lock(shared, F_WRLCK, me) == 0);
		MUST(write(to, &turn, 1) == 1);
	}
	MUST(close(log) == 0 && close(places) == 0 && close(shared) == 0);
}

static int length_of(int fd)
{
	return (int)lseek(fd, 0, SEEK_END);
}

int main(int argc, char **argv)
{
	int there[2], back[2];
	int log, all = 0;
	pid_t child;

	begin(argc, argv);
	make_file("shared", 4096, 1);
	make_file("log", 0, 1);
	make_file("places", 0, 1);
	MUST(truncate("shared", 0) == 0 && truncate("shared", 4096) == 0 && pipe(there) == 0 && pipe(back) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		take_turns(1, there[0], back[1], ROUNDS);
		_exit(0);
	}
	MUST(write(back[1], "", 1) == 1);
	take_turns(0, back[0], there[1], ROUNDS);
	await("child", child);
	log = open("log", O_RDONLY);
	for (int round = 0; round < 2 * ROUNDS; round++)
		all += holds(log, (off_t)round * RECORD, round + 1);
	say("%d of %d bytes", all, length_of(log));
	MUST(close(log) == 0);
	return 0;
}
