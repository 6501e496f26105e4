/* Prints the processes and the events of an events file, a line each, for events_tree_test.sh. It follows the specification and uses none of MIO's code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const calls[] = {"open", "write", "awrite", "read", "aread", "seek", "fcntl", "fstat", "fsync", "mmap", "trunc", "close"};
static const char *const pages[] = {"", "hit", "miss", "issued", "prepared", "used", "unused", "demand", "arrived", "behind", "written", "evict", "given-up", "wait", "dirty-evict"};

static int64_t number(const unsigned char *at)
{
	int64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void show(const unsigned char *record)
{
	unsigned int type = record[0] | (unsigned int)record[1] << 8;
	const char *name = type == 3 ? pages[record[2] < 15 ? record[2] : 0] : calls[record[2] < 12 ? record[2] : 0];

	if (type == 16)
		printf("process %u\n", (unsigned int)(number(record) >> 32));
	else if (type >= 1 && type <= 3)
		printf("%s %s %lld %lld %lld file %u\n", type == 1 ? "call" : type == 2 ? "end" : "page", name,
		       (long long)number(record + 24), (long long)number(record + 32), (long long)number(record + 40),
		       (unsigned int)(number(record) >> 32));
}

int main(int count, char **names)
{
	static unsigned char block[65536];
	FILE *file = count == 2 ? fopen(names[1], "r") : NULL;

	if (!file || fread(block, 1, sizeof(block), file) != sizeof(block) || memcmp(block, "MIOEVENT", 8) != 0)
		return 1;
	printf("dropped %lld\n", (long long)number(block + 192));
	while (fread(block, 1, sizeof(block), file) == sizeof(block))
		for (size_t at = 64; memcmp(block, "MIOB", 4) == 0 && at < sizeof(block) && (block[at] || block[at + 1]); at += 64)
			show(block + at);
	fclose(file);
	return 0;
}
