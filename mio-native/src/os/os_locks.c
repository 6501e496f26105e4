/*
 * A process learns of its own locks from /proc/locks, and since Linux 4.1 from fdinfo of a thread that has not ended; F_GETLK tells only those of
 * others. Reading /proc/locks makes all processors wait for each other, some 10 ms, so it is read only where fdinfo does not suffice. Two of its
 * lines:
 *
 *	1: POSIX  ADVISORY  WRITE 3548 08:02:1234 0 EOF
 *	1: -> POSIX  ADVISORY  WRITE 3549 08:02:1234 0 EOF	waits for the one above
 */
#include "os_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../common/raw.h"
#include "os_call.h"
#include "os_release.h"

/* Mapped, because the program's stack may be small, and a signal handler that calls exec may have interrupted MIO's allocator. */
struct room {
	_Alignas(struct mio_raw_entry) char entries[2048];	/* of a directory */
	char text[4096];
	struct mio_os_locks_reader reader;
};

/* The next word of the line from *at on, or NULL. */
static const char *next_word(const struct mio_os_locks_reader *reader, unsigned int *at, unsigned int *length)
{
	unsigned int from = *at;
	unsigned int to;

	while (from < reader->length && reader->line[from] == ' ')
		from++;
	to = from;
	while (to < reader->length && reader->line[to] != ' ')
		to++;
	*at = to;
	*length = to - from;
	return to > from ? reader->line + from : NULL;
}

static uint64_t number_of(const char *digits, unsigned int length)
{
	uint64_t number = 0;

	for (unsigned int i = 0; i < length && digits[i] >= '0' && digits[i] <= '9'; i++)
		number = number * 10 + (uint64_t)(digits[i] - '0');
	return number;
}

/* The inode of major:minor:inode: the number after the last colon. */
static uint64_t inode_of(const char *word, unsigned int length)
{
	unsigned int from = length;

	while (from > 0 && word[from - 1] != ':')
		from--;
	return number_of(word + from, length - from);
}

static void take_line(struct mio_os_locks_reader *reader)
{
	unsigned int at = 0;
	unsigned int length;
	const char *word = next_word(reader, &at, &length);
	int posix = 0;

	while (word && !posix) {
		posix = length == 5 && memcmp(word, "POSIX", 5) == 0;
		word = next_word(reader, &at, &length);
	}
	/* word is ADVISORY; READ or WRITE, the process and the file follow. */
	if (!word || !next_word(reader, &at, &length))
		return;
	word = next_word(reader, &at, &length);
	if (!word || number_of(word, length) != reader->pid)
		return;
	word = next_word(reader, &at, &length);
	if (word && (reader->inode == 0 || inode_of(word, length) == reader->inode))
		reader->found = 1;
}

void mio_os_locks_read(struct mio_os_locks_reader *reader, const char *text, unsigned int length)
{
	for (unsigned int i = 0; i < length; i++) {
		if (text[i] == '\n') {
			take_line(reader);
			reader->length = 0;
		} else if (reader->length < sizeof(reader->line)) {
			reader->line[reader->length++] = text[i];
		}
	}
}

/* 1 if the fdinfo of this descriptor shows a POSIX lock; -1 if it is too long, or cannot be read. */
static int descriptor_has_lock(const char *number, struct room *room)
{
	static const char directory[] = "/proc/thread-self/fdinfo/";
	char path[sizeof(directory) + 16];
	size_t length = strlen(number);
	long fd, bytes;

	if (length > 15)
		return -1;
	memcpy(path, directory, sizeof(directory) - 1);
	memcpy(path + sizeof(directory) - 1, number, length + 1);
	fd = mio_os_call_open(path, O_RDONLY | O_CLOEXEC);
	/* Closed meanwhile: its locks have gone with it. */
	if (fd < 0)
		return fd == -ENOENT ? 0 : -1;
	bytes = mio_os_call_read((int)fd, room->text, sizeof(room->text));
	mio_os_call_close((int)fd);
	if (bytes < 0 || bytes == (long)sizeof(room->text))
		return -1;
	return memmem(room->text, (size_t)bytes, "POSIX", 5) != NULL;
}

/* 1 if one of the process's descriptors shows a lock; each lock of the process is shown with one. -1: not known. */
static int held_by_descriptors(struct room *room)
{
	int found = 0;
	long bytes;
	int dir;

	/* From this release on the kernel shows locks in fdinfo. */
	if (mio_os_release() < MIO_OS_RELEASE(4, 1))
		return -1;
	dir = (int)mio_os_call_open("/proc/thread-self/fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	while (found == 0 && (bytes = mio_raw3(SYS_getdents64, dir, room->entries, sizeof(room->entries))) != 0) {
		if (bytes < 0) {
			found = -1;
			break;
		}
		for (long at = 0; at < bytes && found == 0;) {
			const struct mio_raw_entry *entry = (const struct mio_raw_entry *)(const void *)(room->entries + at);

			if (entry->name[0] != '.')
				found = descriptor_has_lock(entry->name, room);
			at += entry->length;
		}
	}
	mio_os_call_close(dir);
	return found;
}

/* fd: open on /proc/locks. */
static int is_held(int fd, uint64_t inode, struct room *room)
{
	long bytes;

	/* Only where /proc/locks exists: a sandbox that imitates the kernel shows locks neither there nor in fdinfo. */
	if (inode == 0 && held_by_descriptors(room) == 0)
		return 0;
	room->reader.pid = (uint64_t)mio_raw0(SYS_getpid);
	room->reader.inode = inode;
	while ((bytes = mio_os_call_read(fd, room->text, sizeof(room->text))) > 0)
		mio_os_locks_read(&room->reader, room->text, (unsigned int)bytes);
	return bytes < 0 || room->reader.found;
}

int mio_os_locks_held(uint64_t inode)
{
	long fd = mio_os_call_open("/proc/locks", O_RDONLY | O_CLOEXEC);
	long room;
	int held = 1;

	if (fd < 0)
		return 1;
	room = mio_os_call_map(sizeof(struct room), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!mio_os_call_is_error(room)) {
		held = is_held((int)fd, inode, (struct room *)room);
		mio_raw2(SYS_munmap, room, sizeof(struct room));
	}
	mio_os_call_close((int)fd);
	return held;
}
