/*
 * listing DIRECTORY: lists every file below it, sorted by name: mode (with the kind), owner, length, a digest of the content, the
 * number of links, the target of a symbolic link, and the time of the last change if that is before 2010, which only a program can
 * have set.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONG_AGO ((time_t)1262304000)

static uint64_t digest(const char *name)
{
	static unsigned char part[1 << 16];
	uint64_t sum = 0xCBF29CE484222325u;
	int fd = open(name, O_RDONLY);
	ssize_t bytes;

	while (fd >= 0 && (bytes = read(fd, part, sizeof(part))) > 0)
		for (ssize_t i = 0; i < bytes; i++)
			sum = (sum ^ part[i]) * 0x100000001B3u;
	if (fd >= 0)
		close(fd);
	return sum;
}

/* Skips holes, because a file may be many gigabytes long. */
static uint64_t digest_sparse(const char *name)
{
	static unsigned char part[1 << 16];
	uint64_t sum = 0xCBF29CE484222325u;
	int fd = open(name, O_RDONLY);
	off_t at = 0;

	while (fd >= 0 && (at = lseek(fd, at, SEEK_DATA)) >= 0) {
		off_t block = at / 4096 * 4096;
		ssize_t bytes = pread(fd, part, sizeof(part), block);

		if (bytes <= 0)
			break;
		for (ssize_t i = 0; i < bytes; i++)
			if (part[i])
				sum = ((sum ^ part[i]) * 0x100000001B3u) ^ (uint64_t)(block + i);
		at = block + bytes;
	}
	if (fd >= 0)
		close(fd);
	return sum;
}

static void list(const char *directory, const char *shown);

static void show(const char *name, const char *shown)
{
	char link[4096];
	struct stat st;
	ssize_t length;

	if (lstat(name, &st) < 0)
		return;
	printf("%s %o %ld", shown, (unsigned int)st.st_mode, (long)st.st_uid);
	if (S_ISREG(st.st_mode))
		printf(" %lld %016llx links %ld", (long long)st.st_size,
		       (unsigned long long)(st.st_size > (1 << 30) ? digest_sparse(name) : digest(name)), (long)st.st_nlink);
	length = S_ISLNK(st.st_mode) ? readlink(name, link, sizeof(link)) : 0;
	if (length > 0)
		printf(" -> %.*s", (int)length, link);
	if (st.st_mtim.tv_sec < LONG_AGO && !S_ISDIR(st.st_mode))
		printf(" changed %lld.%09ld", (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	printf("\n");
	if (S_ISDIR(st.st_mode))
		list(name, shown);
}

static int no_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void list(const char *directory, const char *shown)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, no_dots, alphasort);

	for (int i = 0; i < count; i++) {
		char name[8192];
		char short_name[8192];

		snprintf(name, sizeof(name), "%s/%s", directory, entries[i]->d_name);
		snprintf(short_name, sizeof(short_name), "%s%s%s", shown, *shown ? "/" : "", entries[i]->d_name);
		show(name, short_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	list(argv[1], "");
	return 0;
}
