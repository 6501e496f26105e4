#ifndef MIO_TEST_PRELOAD_WORLD_H
#define MIO_TEST_PRELOAD_WORLD_H

/*
 * The exerciser's model: names, the files behind them, opens and descriptors, each as the kernel would have it. Every answer is
 * compared with the model. The last operations are kept for the message about a wrong answer.
 */

#include "see.h"

enum { NAMES = 5, FILES = 24, OPENS = 24, NUMBERS = 10, FILE_MAX = 260000, LOG = 24, LOG_TEXT = 160 };

struct model_file {
	char *bytes;	/* FILE_MAX bytes; zeros past size */
	int64_t size;
	int names;
	int opens;
};

struct model_open {
	struct model_file *file;
	int64_t position;
	int flags;
	int numbers;
};

struct world {
	char prefix[16];	/* prefix of all file names */
	uint64_t random;
	uint64_t seed;
	long operation;
	int may_fork;
	int may_spoil;
	int small;	/* no request is larger than 1024 bytes */
	struct model_file files[FILES];
	struct model_open opens[OPENS];
	struct model_file *names[NAMES];
	struct {
		int fd;
		struct model_open *open;
	} numbers[NUMBERS];
	char *scratch;	/* FILE_MAX bytes */
	char log[LOG][LOG_TEXT];
};

static __attribute__((noreturn, format(printf, 3, 4))) void wrong(struct world *world, int line, const char *format, ...)
{
	char text[512];
	va_list arguments;
	int error = errno;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	for (long i = world->operation < LOG ? 0 : world->operation - LOG + 1; i <= world->operation; i++)
		say("%ld: %s", i, world->log[i % LOG]);
	say("exerciser.c:%d: operation %ld: %s (%s)", line, world->operation, text, strerror(error));
	say("again with: MIO_TEST_SEED=%llu", (unsigned long long)world->seed);
	_exit(1);
}

#define CHECK(condition, ...) \
	do { \
		if (!(condition)) \
			wrong(world, __LINE__, __VA_ARGS__); \
	} while (0)

#define NOTE(...) snprintf(world->log[world->operation % LOG], LOG_TEXT, __VA_ARGS__)

static uint64_t roll(struct world *world)
{
	world->random ^= world->random << 13;
	world->random ^= world->random >> 7;
	world->random ^= world->random << 17;
	return world->random;
}

static int64_t below(struct world *world, int64_t limit)
{
	return (int64_t)(roll(world) % (uint64_t)limit);
}

/* Mostly small, sometimes a few pages, now and then large. */
static size_t some_length(struct world *world)
{
	int64_t kind = below(world, 10);

	if (world->small)
		return (size_t)below(world, 1025);
	return (size_t)(kind < 5 ? below(world, 200) : kind < 9 ? below(world, 9000) : below(world, 70000));
}

/* Mostly inside the file, near its end or at the edges of pages; sometimes past the end. */
static int64_t some_place(struct world *world, const struct model_file *file)
{
	int64_t place;

	switch (below(world, 6)) {
	case 0:
		place = below(world, FILE_MAX / 4096) * 4096 + below(world, 9) - 4;
		break;
	case 1:
		place = file->size - below(world, 5000);
		break;
	case 2:
		place = file->size + below(world, 20000);
		break;
	default:
		place = below(world, file->size + 1);
		break;
	}
	return place < 0 ? 0 : place > FILE_MAX - 70000 ? FILE_MAX - 70000 : place;
}

static const char *name_of(const struct world *world, int name, char *text, size_t room)
{
	snprintf(text, room, "%s%d", world->prefix, name);
	return text;
}

static void leave_file(struct model_file *file)
{
	if (file->names == 0 && file->opens == 0) {
		free(file->bytes);
		memset(file, 0, sizeof(*file));
	}
}

static struct model_file *new_file(struct world *world)
{
	for (int i = 0; i < FILES; i++)
		if (!world->files[i].bytes) {
			world->files[i].bytes = calloc(1, FILE_MAX);
			CHECK(world->files[i].bytes, "no memory");
			return &world->files[i];
		}
	wrong(world, __LINE__, "no room for files");
}

static struct model_open *new_open(struct world *world)
{
	for (int i = 0; i < OPENS; i++)
		if (world->opens[i].numbers == 0)
			return &world->opens[i];
	wrong(world, __LINE__, "no room for opens");
}

static void resize(struct model_file *file, int64_t size)
{
	if (size < file->size)
		memset(file->bytes + size, 0, (size_t)(file->size - size));
	file->size = size;
}

static void model_write(struct model_file *file, const void *bytes, size_t length, int64_t offset)
{
	if (length == 0)
		return;
	memcpy(file->bytes + offset, bytes, length);
	if (offset + (int64_t)length > file->size)
		file->size = offset + (int64_t)length;
}

/* How many bytes a read at offset gives. */
static int64_t readable(const struct model_file *file, int64_t offset, size_t length)
{
	if (offset >= file->size)
		return 0;
	return file->size - offset < (int64_t)length ? file->size - offset : (int64_t)length;
}

static int can_read(const struct model_open *open)
{
	return (open->flags & O_ACCMODE) != O_WRONLY;
}

static int can_write(const struct model_open *open)
{
	return (open->flags & O_ACCMODE) != O_RDONLY;
}

#endif
