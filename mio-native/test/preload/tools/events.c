/*
 * events FILE: prints the sums of an events file in the words of the report, as far as both count the same:
 *   PLACE OPERATION COUNT REQUESTED DELIVERED     of the trace layers at that place in their stacks
 *   pf WHAT COUNT                                 of all caches
 * It follows the specification and uses none of MIO's code. It fails if events were dropped or make no sense.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536, RECORD = 64, PLACES = 8, CALLS = 12, PAGES = 15 };

struct sums {
	long long count, requested, delivered;
};

static const char *const calls[CALLS] = {"open",  "write", "awrite", "read", "aread", "seek",
					 "fcntl", "fstat", "fsync",  "mmap", "trunc", "close"};
static struct sums sums[PLACES][CALLS];
static long long pages[PAGES];
static unsigned char *places; /* the layer's place for each file, by the file's id; 0 if the file is not of a trace layer */
static uint32_t places_size;

static int64_t number(const unsigned char *at)
{
	int64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t id(const unsigned char *record)
{
	uint32_t value;

	memcpy(&value, record + 4, sizeof(value));
	return value;
}

static void fail(const char *why)
{
	fprintf(stderr, "events: %s\n", why);
	exit(1);
}

static void define(const unsigned char *record)
{
	uint32_t file = id(record);

	if (file >= places_size) {
		uint32_t size = file + 1000;

		places = realloc(places, size);
		if (!places)
			fail("no memory");
		memset(places + places_size, 0, size - places_size);
		places_size = size;
	}
	if (record[2] == 1 && record[3] >= PLACES)
		fail("a place that is no place");
	places[file] = record[2] == 1 ? record[3] : 0;
}

static void add(const unsigned char *record)
{
	int type = record[0];
	int failed = record[3] & 1;
	uint32_t file = id(record);
	struct sums *sum;

	if (type == 3) {
		if (record[2] == 0 || record[2] >= PAGES)
			fail("a page event that is none");
		/* Reads and writes (8 and 10) that failed do not count. */
		pages[record[2]] += !((record[2] == 8 || record[2] == 10) && failed);
		return;
	}
	if (record[2] >= CALLS || file >= places_size || places[file] == 0)
		fail("an event of no operation or no file");
	sum = &sums[places[file]][record[2]];
	if (type == 1) {
		sum->count++;
		sum->requested += number(record + 32) > 0 ? number(record + 32) : 0;
	}
	sum->delivered += number(record + 40);
}

/* Goes through the file once, for its definitions or for its events. */
static void run(FILE *file, int definitions)
{
	static unsigned char block[BLOCK];

	if (fseek(file, BLOCK, SEEK_SET) != 0)
		fail("cannot seek");
	while (fread(block, 1, BLOCK, file) == BLOCK) {
		if (memcmp(block, "MIOB", 4) != 0 || (block[4] == 2) != definitions)
			continue;
		for (size_t at = RECORD; at < BLOCK && block[at] != 0; at += RECORD) {
			if (definitions && block[at] == 17)
				define(block + at);
			if (!definitions && block[at] > 3)
				fail("an event of no type");
			if (!definitions)
				add(block + at);
		}
	}
}

int main(int count, char **names)
{
	static unsigned char header[BLOCK];
	const uint32_t order = 0x01020304;
	FILE *file = count == 2 ? fopen(names[1], "r") : NULL;

	if (!file || fread(header, 1, BLOCK, file) != BLOCK || memcmp(header, "MIOEVENT", 8) != 0)
		fail("no events file");
	if (memcmp(header + 8, &order, 4) != 0)
		fail("of another machine");
	if (number(header + 192) != 0)
		fail("events were dropped");
	run(file, 1);
	run(file, 0);
	for (int place = 1; place < PLACES; place++)
		for (int call = 0; call < CALLS; call++)
			if (sums[place][call].count)
				printf("%d %s %lld %lld %lld\n", place, calls[call], sums[place][call].count,
				       sums[place][call].requested, sums[place][call].delivered);
	printf("pf started %lld\npf unused %lld\npf behind %lld\npf reads %lld\npf writes %lld\n", pages[3] + pages[4], pages[6],
	       pages[9], pages[8], pages[10]);
	fclose(file);
	return 0;
}
