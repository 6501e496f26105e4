/*
 * /proc/meminfo says what the machine has available. /proc/self/cgroup names the cgroups, and /proc/self/mountinfo where they are mounted:
 *
 *	4:memory:/batch/job		0::/user.slice/run
 *	35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
 *	30 23 0:26 /user.slice /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw
 *
 * The fourth word is the part of the hierarchy that is mounted there: a container sees its own as the root.
 */
#include "os_room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/text.h"
#include "os_call.h"

/* The most bytes that are read of a file; the rest is cut off. */
#define TEXT_BYTES_MAX (1 << 20)
#define PIECE_BYTES ((size_t)4096)

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* One reading of the system's files. */
struct reading {
	const char *root;	/* in front of all names */
	int failed;		/* descriptors or memory are lacking, so that a file which may be there was not read */
};

static int is_lacking(long rc)
{
	return rc == -EMFILE || rc == -ENFILE || rc == -ENOMEM;
}

static void read_into(int fd, struct mio_text *text)
{
	/* The program's stack may be small. */
	char *piece = mio_memory_take(PIECE_BYTES);
	long bytes;

	text->failed = !piece;
	while (!text->failed && text->length < TEXT_BYTES_MAX && (bytes = mio_os_call_read(fd, piece, PIECE_BYTES)) > 0)
		mio_text_add_bytes(text, piece, (size_t)bytes);
	mio_memory_give(piece, PIECE_BYTES);
}

/* The text of the file whose name is root, directory and name joined; empty if there is none. */
static struct mio_text read_text(struct reading *reading, const char *directory, const char *name)
{
	struct mio_text path = {0};
	struct mio_text text = {0};
	long fd;

	mio_text_add(&path, reading->root);
	mio_text_add(&path, directory);
	mio_text_add(&path, name);
	fd = path.failed ? -ENOMEM : mio_os_call_open(mio_text_string(&path), O_RDONLY | O_CLOEXEC);
	mio_text_clear(&path);
	if (fd >= 0) {
		read_into((int)fd, &text);
		mio_os_call_close((int)fd);
	}
	reading->failed |= is_lacking(fd) || text.failed;
	return text;
}

/* The number that text begins with; -1: none, as where the limit is "max". */
static int64_t number_at(const char *text)
{
	int64_t number = 0;

	while (*text == ' ' || *text == '\t')
		text++;
	if (*text < '0' || *text > '9')
		return -1;
	for (; *text >= '0' && *text <= '9'; text++)
		number = number < INT64_MAX / 16 ? number * 10 + (*text - '0') : INT64_MAX / 2;
	return number;
}

/* The number in the first line that begins with start; -1: there is none. */
static int64_t number_after(const char *text, const char *start)
{
	size_t length = strlen(start);

	for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
		if (strncmp(text, start, length) == 0)
			return number_at(text + length);
	return -1;
}

static int64_t number_in(struct reading *reading, const char *directory, const char *name, const char *start)
{
	struct mio_text text = read_text(reading, directory, name);
	int64_t number = text.length == 0 || text.failed ? -1 : number_after(mio_text_string(&text), start);

	mio_text_clear(&text);
	return number;
}

/* Names of one version of cgroups; soft_limit is NULL for version 1. */
struct version {
	const char *limit, *soft_limit, *usage, *files, *shared;
};

static const struct version version_1 = {
	"/memory.limit_in_bytes", NULL, "/memory.usage_in_bytes", "total_cache ", "total_shmem "};
static const struct version version_2 = {"/memory.max", "/memory.high", "/memory.current", "file ", "shmem "};

/* Room in one cgroup. */
static int64_t room_in(struct reading *reading, const char *directory, const struct version *version)
{
	int64_t limit = number_in(reading, directory, version->limit, "");
	int64_t soft = version->soft_limit ? number_in(reading, directory, version->soft_limit, "") : -1;
	int64_t usage, files, shared;

	if (limit < 0 || (soft >= 0 && soft < limit))
		limit = soft;
	if (limit < 0)
		return INT64_MAX;
	usage = number_in(reading, directory, version->usage, "");
	files = number_in(reading, directory, "/memory.stat", version->files);
	/* Shared memory and files in memory count as files, but cannot be reclaimed. Old kernels do not tell this number. */
	shared = number_in(reading, directory, "/memory.stat", version->shared);
	if (usage < 0 || files < 0)
		return limit;
	if (shared > 0)
		files = shared < files ? files - shared : 0;
	return limit > usage - files ? least(limit, limit - (usage - files)) : 0;
}

/* The least room from the cgroup up to the mount; mounted: length of the mount's path. directory is changed. */
static int64_t room_up(struct reading *reading, struct mio_text *directory, size_t mounted, const struct version *version)
{
	int64_t room = INT64_MAX;

	for (;;) {
		const char *path = mio_text_string(directory);
		const char *last;

		room = least(room, room_in(reading, path, version));
		last = strrchr(path, '/');
		if (directory->length <= mounted || !last)
			return room;
		mio_text_cut(directory, (size_t)(last - path) > mounted ? (size_t)(last - path) : mounted);
	}
}

/* The next word, terminated by NUL; *at moves behind it. NULL at the end. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " ");
	size_t length = strcspn(word, " ");

	if (length == 0)
		return NULL;
	*at = word + length + (word[length] != 0);
	word[length] = 0;
	return word;
}

/* 1 if word is in list, whose words are separated by commas. */
static int lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strncmp(list, word, length) == 0 && (list[length] == 0 || list[length] == ','))
			return 1;
	return 0;
}

/* Room for cgroup by the mount in a line of mountinfo; the line is changed. */
static int64_t room_of_mount(struct reading *reading, char *line, const char *cgroup, const struct version *version)
{
	char *words[5];
	char *kind, *options;
	struct mio_text directory = {0};
	size_t part, mounted;
	int64_t room = INT64_MAX;

	for (int i = 0; i < 5; i++)
		if (!(words[i] = next_word(&line)))
			return room;
	line = strstr(line, "- ");
	if (!line)
		return room;
	line += 2;
	kind = next_word(&line);
	options = next_word(&line) ? next_word(&line) : NULL;
	if (!kind || strcmp(kind, version->soft_limit ? "cgroup2" : "cgroup") != 0 ||
	    (!version->soft_limit && (!options || !lists(options, "memory"))))
		return room;
	/* The part of the path below the mount; for a cgroup elsewhere, the mount itself. */
	part = strcmp(words[3], "/") == 0 ? 0 : strlen(words[3]);
	mio_text_add(&directory, words[4]);
	mounted = directory.length;
	if (strncmp(cgroup, words[3], part) == 0 && (cgroup[part] == '/' || cgroup[part] == 0) && strcmp(cgroup, "/") != 0)
		mio_text_add(&directory, cgroup + part);
	reading->failed |= directory.failed;
	if (!directory.failed)
		room = room_up(reading, &directory, mounted, version);
	mio_text_clear(&directory);
	return room;
}

/* The next line of *at, with NUL in place of its end; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at;
	size_t length = strcspn(line, "\n");

	if (*line == 0)
		return NULL;
	*at = line + length + (line[length] != 0);
	line[length] = 0;
	return line;
}

static int64_t room_of_cgroup(struct reading *reading, const char *cgroup, const struct version *version)
{
	struct mio_text mounts = read_text(reading, "/proc/self", "/mountinfo");
	int64_t room = INT64_MAX;

	if (mounts.length > 0 && !mounts.failed) {
		char *at = (char *)(uintptr_t)mio_text_string(&mounts);
		char *line;

		while ((line = next_line(&at)))
			room = least(room, room_of_mount(reading, line, cgroup, version));
	}
	mio_text_clear(&mounts);
	return room;
}

/* Room for the cgroups in a line of /proc/self/cgroup, which is changed. */
static int64_t room_of_line(struct reading *reading, char *line)
{
	char *controllers = strchr(line, ':');
	char *cgroup = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!cgroup)
		return INT64_MAX;
	*cgroup++ = 0;
	controllers++;
	if (*controllers == 0)
		return room_of_cgroup(reading, cgroup, &version_2);
	return lists(controllers, "memory") ? room_of_cgroup(reading, cgroup, &version_1) : INT64_MAX;
}

static int64_t room_of_cgroups(struct reading *reading)
{
	struct mio_text own = read_text(reading, "/proc/self", "/cgroup");
	int64_t room = INT64_MAX;

	if (own.length > 0 && !own.failed) {
		char *at = (char *)(uintptr_t)mio_text_string(&own);
		char *line;

		while ((line = next_line(&at)))
			room = least(room, room_of_line(reading, line));
	}
	mio_text_clear(&own);
	return room;
}

int64_t mio_os_room_below(const char *root)
{
	struct reading reading = {.root = root};
	int64_t kib = number_in(&reading, "/proc", "/meminfo", "MemAvailable:");
	int64_t room = least(kib < 0 || kib > INT64_MAX / 1024 ? INT64_MAX : kib * 1024, room_of_cgroups(&reading));

	return reading.failed ? -1 : room;
}

int64_t mio_os_room(void)
{
	return mio_os_room_below("");
}
