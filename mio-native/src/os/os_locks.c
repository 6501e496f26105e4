/*
 * /proc/locks is the only place that tells which locks a process has itself: F_GETLK tells those of others. A line:
 *
 *	1: POSIX  ADVISORY  WRITE 3548 08:02:1234 0 EOF
 *	1: -> POSIX  ADVISORY  WRITE 3549 08:02:1234 0 EOF	waits for the one above
 */
#include "os_locks.h"

#include <string.h>

#include "os_call.h"

/* The next word of the line from *at, or NULL. */
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

/* After the last colon: major:minor:inode. */
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
	/* word is ADVISORY; then come READ or WRITE, the process, the file. */
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

int mio_os_locks_held(uint64_t inode)
{
	struct mio_os_locks_reader reader = {.pid = (uint64_t)mio_raw0(SYS_getpid), .inode = inode};
	char text[1024];
	long fd = mio_os_call_open("/proc/locks", O_RDONLY | O_CLOEXEC);
	long bytes;

	if (fd < 0)
		return 1;
	while ((bytes = mio_os_call_read((int)fd, text, sizeof(text))) > 0)
		mio_os_locks_read(&reader, text, (unsigned int)bytes);
	mio_os_call_close((int)fd);
	return bytes < 0 || reader.found;
}
