#ifndef MIO_TEST_PRELOAD_WORLD_MORE_H
#define MIO_TEST_PRELOAD_WORLD_MORE_H

/* Operations of the exerciser other than plain reads and writes: names, mappings, copies, space, streams, other processes. */

#include "world.h"

#include <sys/mman.h>
#include <sys/sendfile.h>

/* Compares the bytes that were read with those of the model. */
static void check_bytes(struct world *world, int line, const struct model_file *file, const char *bytes, int64_t got,
			int64_t offset, size_t length)
{
	int64_t want = readable(file, offset, length);

	if (got != want)
		wrong(world, line, "got %lld bytes, not %lld", (long long)got, (long long)want);
	for (int64_t i = 0; i < got; i++)
		if (bytes[i] != file->bytes[offset + i])
			wrong(world, line, "byte %lld is %02x, not %02x", (long long)(offset + i), bytes[i] & 255,
			      file->bytes[offset + i] & 255);
}

static int some_number(struct world *world)
{
	int first = (int)below(world, NUMBERS);

	for (int i = 0; i < NUMBERS; i++)
		if (world->numbers[(first + i) % NUMBERS].open)
			return (first + i) % NUMBERS;
	return -1;
}

/* Unlinks, renames or links a name. */
static void do_names(struct world *world)
{
	int from = (int)below(world, NAMES);
	int to = (int)below(world, NAMES);
	char from_text[32];
	char to_text[32];

	name_of(world, from, from_text, sizeof(from_text));
	name_of(world, to, to_text, sizeof(to_text));
	if (!world->names[from] || world->names[from] == world->names[to])
		return;
	switch (below(world, 3)) {
	case 0:
		NOTE("unlink %d", from);
		CHECK(unlink(from_text) == 0, "unlink failed");
		world->names[from]->names--;
		leave_file(world->names[from]);
		world->names[from] = NULL;
		break;
	case 1:
		NOTE("rename %d to %d", from, to);
		CHECK(rename(from_text, to_text) == 0, "rename failed");
		if (world->names[to]) {
			world->names[to]->names--;
			leave_file(world->names[to]);
		}
		world->names[to] = world->names[from];
		world->names[from] = NULL;
		break;
	default:
		NOTE("link %d to %d", from, to);
		if (world->names[to]) {
			CHECK(link(from_text, to_text) < 0 && errno == EEXIST, "link over a file");
			break;
		}
		CHECK(link(from_text, to_text) == 0, "link failed");
		world->names[to] = world->names[from];
		world->names[to]->names++;
		break;
	}
}

static void do_map(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	struct model_file *file = open_->file;
	int writes = (open_->flags & O_ACCMODE) == O_RDWR && world->may_spoil && below(world, 4) == 0;
	char *place;

	if (file->size == 0 || !can_read(open_))
		return;
	NOTE("map %d%s", world->numbers[number].fd, writes ? " and write" : "");
	place = mmap(NULL, (size_t)file->size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
		     world->numbers[number].fd, 0);
	CHECK(place != MAP_FAILED, "no mapping");
	check_bytes(world, __LINE__, file, place, file->size, 0, (size_t)file->size);
	if (writes) {
		int64_t at = below(world, file->size);
		int64_t length = below(world, file->size - at) + 1;

		fill(place + at, (size_t)length, (unsigned int)roll(world), at);
		memcpy(file->bytes + at, place + at, (size_t)length);
	}
	CHECK(munmap(place, (size_t)file->size) == 0, "munmap failed");
}

static void do_copy(struct world *world, int number)
{
	int other = some_number(world);
	struct model_open *from = world->numbers[number].open;
	struct model_open *to = world->numbers[other].open;
	size_t length = some_length(world) + 1;
	off_t at = some_place(world, from->file);
	ssize_t got;

	if (!can_read(from) || !can_write(to) || (to->flags & O_APPEND) || from->file == to->file ||
	    to->position + (int64_t)length > FILE_MAX)
		return;
	NOTE("sendfile %d to %d, %zu bytes from %lld", world->numbers[number].fd, world->numbers[other].fd, length, (long long)at);
	length = (size_t)readable(from->file, at, length);
	if (below(world, 2)) {
		off_t before = at;

		got = sendfile(world->numbers[other].fd, world->numbers[number].fd, &at, length);
		at = before;
	} else {
		off_t before = at;

		got = copy_file_range(world->numbers[number].fd, &at, world->numbers[other].fd, NULL, length, 0);
		at = before;
	}
	CHECK(got == (ssize_t)length, "copied %zd bytes", got);
	model_write(to->file, from->file->bytes + at, length, to->position);
	to->position += got;
}

static void do_space(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	int64_t at = some_place(world, open_->file);
	int64_t length = (int64_t)some_length(world) + 1;
	int rc;

	if (!can_write(open_))
		return;
	if (below(world, 2)) {
		NOTE("punch %d, %lld bytes at %lld", world->numbers[number].fd, (long long)length, (long long)at);
		rc = fallocate(world->numbers[number].fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, length);
		if (rc < 0 && errno == EOPNOTSUPP)
			return;
		CHECK(rc == 0, "punching failed");
		if (readable(open_->file, at, (size_t)length) > 0)
			memset(open_->file->bytes + at, 0, (size_t)readable(open_->file, at, (size_t)length));
	} else {
		NOTE("allocate %d, %lld bytes at %lld", world->numbers[number].fd, (long long)length, (long long)at);
		rc = posix_fallocate(world->numbers[number].fd, at, length);
		CHECK(rc == 0, "posix_fallocate gave %d", rc);
		if (at + length > open_->file->size)
			resize(open_->file, at + length);
	}
}

static void do_stream(struct world *world)
{
	int name = (int)below(world, NAMES);
	struct model_file *file = world->names[name];
	size_t length = some_length(world);
	char text[32];
	int64_t place;
	FILE *stream;
	size_t got;

	if (!file)
		return;
	place = some_place(world, file);
	NOTE("stream on %d, %zu bytes at %lld", name, length, (long long)place);
	stream = fopen(name_of(world, name, text, sizeof(text)), "r+");
	CHECK(stream, "no stream");
	fill(world->scratch, length, (unsigned int)roll(world), place);
	CHECK(fseeko(stream, place, SEEK_SET) == 0, "fseeko failed");
	CHECK(fwrite(world->scratch, 1, length, stream) == length, "fwrite failed");
	model_write(file, world->scratch, length, place);
	place = some_place(world, file);
	CHECK(fseeko(stream, place, SEEK_SET) == 0, "fseeko failed");
	got = fread(world->scratch, 1, length, stream);
	check_bytes(world, __LINE__, file, world->scratch, (int64_t)got, place, length);
	CHECK(ftello(stream) == place + (int64_t)got, "ftello");
	CHECK(fclose(stream) == 0, "fclose failed");
}

/* A process without MIO writes while MIO holds nothing of the file back (after a lock). The write must be seen after the next lock. */
static void do_other(struct world *world, int number)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct model_file *file = world->numbers[number].open->file;
	unsigned int seed = (unsigned int)roll(world);
	int64_t at = some_place(world, file);
	size_t length = some_length(world) % 60000;
	int fd = world->numbers[number].fd;
	char text[32];
	int name;

	for (name = 0; name < NAMES && world->names[name] != file; name++)
		;
	if (name == NAMES || (world->numbers[number].open->flags & O_ACCMODE) != O_RDWR || !world->may_fork)
		return;
	NOTE("another process writes to %d, %zu bytes at %lld, locked by %d", name, length, (long long)at, fd);
	CHECK(fcntl(fd, F_SETLKW, &lock) == 0, "no lock");
	lock.l_type = F_UNLCK;
	CHECK(fcntl(fd, F_SETLK, &lock) == 0, "no unlock");
	outside_writes(name_of(world, name, text, sizeof(text)), seed, at, (unsigned int)length);
	fill(world->scratch, length, seed, at);
	model_write(file, world->scratch, length, at);
	lock.l_type = F_WRLCK;
	CHECK(fcntl(fd, F_SETLKW, &lock) == 0, "no lock");
	CHECK(lseek(fd, 0, SEEK_END) == file->size, "size after another process wrote");
	CHECK(lseek(fd, world->numbers[number].open->position, SEEK_SET) >= 0, "position");
	lock.l_type = F_UNLCK;
	CHECK(fcntl(fd, F_SETLK, &lock) == 0, "no unlock");
}

#endif
