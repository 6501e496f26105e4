/* Mappings together with reads and writes: each side sees the other. */
#include "see.h"

#include <sys/mman.h>

enum { BYTES = 200000 };

static char bytes[BYTES];

static void *map(int fd, size_t length, int protection, int flags, off_t offset)
{
	void *place = mmap(NULL, length, protection, flags, fd, offset);

	if (place == MAP_FAILED)
		say("no mapping: %s", strerror(errno));
	return place == MAP_FAILED ? NULL : place;
}

static void shared_reads(void)
{
	int fd = open("r", O_RDWR);
	char *place;

	MUST(pwrite(fd, "dirty before", 12, 100000) == 12);
	place = map(fd, BYTES, PROT_READ, MAP_SHARED, 0);
	MUST(place);
	say("%.12s", place + 100000);
	say("%016llx", (unsigned long long)digest(place, BYTES));
	MUST(pwrite(fd, "dirty after!", 12, 100005) == 12);
	say("%.17s", place + 100000);
	MUST(lseek(fd, 5000, SEEK_SET) == 5000 && write(fd, "at the place", 12) == 12);
	say("%.12s", place + 5000);
	SEE(close(fd));
	say("%016llx", (unsigned long long)digest(place, BYTES));
	fd = open("r", O_WRONLY);
	MUST(pwrite(fd, "by another open", 15, 7000) == 15);
	say("%.15s", place + 7000);
	SEE(close(fd));
	SEE(munmap(place, BYTES));
	look("r");
}

static void shared_writes(void)
{
	int fd = open("w", O_RDWR);
	char *place;

	MUST(pread(fd, bytes, BYTES, 0) == BYTES);
	MUST(pwrite(fd, "dirty", 5, 10) == 5);
	place = map(fd, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	MUST(place);
	memcpy(place + 20, "mapped", 6);
	memset(place + 50000, 'm', 30000);
	MUST(pread(fd, bytes, BYTES, 0) == BYTES);
	say("%.5s %.6s %.3s %016llx", bytes + 10, bytes + 20, bytes + 60000, (unsigned long long)digest(bytes, BYTES));
	MUST(pwrite(fd, "written", 7, 60000) == 7);
	say("%.9s", place + 59999);
	memcpy(place + 60000, "WRI", 3);
	MUST(pread(fd, bytes, 9, 59999) == 9);
	say("%.9s", bytes);
	SEE(msync(place, BYTES, MS_SYNC));
	outside("w");
	SEE(close(fd));
	/* The mapping outlives the close; the file is opened again. */
	memcpy(place + 1000, "after close", 11);
	fd = open("w", O_RDWR);
	MUST(pread(fd, bytes, 11, 1000) == 11);
	say("%.11s", bytes);
	memcpy(place + 1000, "AFTER", 5);
	MUST(pread(fd, bytes, 11, 1000) == 11);
	say("%.11s", bytes);
	SEE(munmap(place, BYTES));
	MUST(pwrite(fd, "unmapped", 8, 2000) == 8);
	SEE(close(fd));
	look("w");
	outside("w");
}

static void private_writes(void)
{
	int fd = open("p", O_RDWR);
	char *place;

	MUST(pwrite(fd, "dirty", 5, 10) == 5);
	place = map(fd, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0);
	MUST(place);
	say("%.5s", place + 10);
	memcpy(place + 10, "mine!", 5);
	MUST(pread(fd, bytes, 5, 10) == 5);
	say("%.5s", bytes);
	SEE(munmap(place, BYTES));
	place = map(fd, 4096, PROT_READ, MAP_PRIVATE, 12288);
	MUST(place);
	say("%016llx", (unsigned long long)digest(place, 4096));
	SEE(munmap(place, 4096));
	SEE(close(fd));
	look("p");
}

static void grown(void)
{
	int fd = open("g", O_RDWR | O_CREAT, 0600);
	char *place;

	MUST(ftruncate(fd, 50000) == 0);
	place = map(fd, 50000, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	MUST(place);
	fill(place, 50000, 9, 0);
	MUST(is_fill(fd, 50000, 9, 0));
	MUST(ftruncate(fd, 60000) == 0);
	place = mremap(place, 50000, 60000, MREMAP_MAYMOVE);
	MUST(place != MAP_FAILED);
	fill(place + 50000, 10000, 9, 50000);
	MUST(is_fill(fd, 60000, 9, 0));
	MUST(ftruncate(fd, 30000) == 0);
	MUST(ftruncate(fd, 60000) == 0);
	say("%d %d", place[29999] != 0, place[30000]);
	SEE(munmap(place, 60000));
	SEE(close(fd));
	look("g");
}

static void refused(void)
{
	int fd = open("r", O_RDONLY);

	map(fd, 100, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	map(fd, 0, PROT_READ, MAP_SHARED, 0);
	map(fd, 100, PROT_READ, MAP_SHARED, 5);
	map(-1, 100, PROT_READ, MAP_SHARED, 0);
	MUST(close(fd) == 0);
	map(fd, 100, PROT_READ, MAP_SHARED, 0);
	MUST(map(-1, 100, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, 0));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("r", BYTES, 1);
	make_file("w", BYTES, 2);
	make_file("p", BYTES, 3);
	shared_reads();
	shared_writes();
	private_writes();
	grown();
	refused();
	return 0;
}
