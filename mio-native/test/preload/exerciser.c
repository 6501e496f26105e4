/*
 * Random operations on several files, opens and descriptors, each compared with a model in memory. MIO_TEST_SEED and
 * MIO_TEST_OPERATIONS choose which and how many. With threads each has a world of its own, and all share the library.
 */
#include "world.h"
#include "world_more.h"

#include <pthread.h>
#include <sys/uio.h>

enum { THREADS = 3 };

static void forget_number(struct world *world, int number)
{
	struct model_open *open = world->numbers[number].open;

	world->numbers[number].open = NULL;
	if (--open->numbers == 0) {
		open->file->opens--;
		leave_file(open->file);
	}
}

/* Many small reads near each other and some writes, which make pf/auto take pages. */
static void do_dense(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	int fd = world->numbers[number].fd;
	size_t length = (size_t)below(world, 1024) + 1;
	int by_place = (int)below(world, 2);
	int64_t step = by_place && below(world, 2) ? -(int64_t)length : (int64_t)length;
	int64_t place = by_place ? below(world, open_->file->size + 1) : open_->position;
	int writes = can_write(open_) && !(open_->flags & O_APPEND) && below(world, 2);

	if (!can_read(open_))
		return;
	NOTE("%d small %s of %zu bytes from %lld%s", fd, by_place ? "preads" : "reads", length, (long long)place,
	     writes ? ", with writes" : "");
	for (int i = 0; i < 80 && place >= 0 && place + 2048 < FILE_MAX; i++, place += step) {
		ssize_t got = by_place ? pread(fd, world->scratch, length, place) : read(fd, world->scratch, length);

		check_bytes(world, __LINE__, open_->file, world->scratch, got, place, length);
		if (!by_place) {
			open_->position += got;
			place = open_->position - step;
		}
		if (writes && i % 7 == 6) {
			int64_t at = by_place ? place : open_->position;

			fill(world->scratch, length, (unsigned int)roll(world), at);
			got = by_place ? pwrite(fd, world->scratch, length, at) : write(fd, world->scratch, length);
			CHECK(got == (ssize_t)length, "wrote %zd bytes", got);
			model_write(open_->file, world->scratch, length, at);
			if (!by_place) {
				open_->position += got;
				place += got;
			}
		}
	}
}

/* Opens a file for the number. NULL if the file does not exist. */
static struct model_open *open_as(struct world *world, int number, int name, int flags)
{
	struct model_file *file = world->names[name];
	struct model_open *open_;
	char text[32];
	int fd;

	NOTE("open of %d, flags %o", name, (unsigned int)flags);
	fd = open(name_of(world, name, text, sizeof(text)), flags, 0644);
	if (!file && !(flags & O_CREAT)) {
		CHECK(fd < 0 && errno == ENOENT, "open of what is not there gave %d", fd);
		return NULL;
	}
	CHECK(fd >= 0, "no open");
	if (!file) {
		file = new_file(world);
		file->names = 1;
		world->names[name] = file;
	}
	if (flags & O_TRUNC)
		resize(file, 0);
	file->opens++;
	open_ = new_open(world);
	*open_ = (struct model_open){.file = file, .flags = flags, .numbers = 1};
	world->numbers[number].open = open_;
	world->numbers[number].fd = fd;
	return open_;
}

static void do_open(struct world *world)
{
	static const int accesses[] = {O_RDWR, O_RDWR, O_RDWR, O_RDONLY, O_WRONLY};
	int name = (int)below(world, NAMES);
	int flags = accesses[below(world, 5)];
	char text[32];
	int number, dense;

	for (number = 0; number < NUMBERS && world->numbers[number].open; number++)
		;
	if (number == NUMBERS)
		return;
	if (below(world, 3) > 0)
		flags |= O_CREAT;
	if (below(world, 8) == 0 && (flags & O_ACCMODE) != O_RDONLY)
		flags |= O_TRUNC;
	if (below(world, 8) == 0)
		flags |= O_APPEND;
	if (below(world, 20) == 0)
		flags |= O_SYNC;
	/* A file that is written all the time gets no pages, so that some of these opens wait until it is old. */
	dense = below(world, 3) == 0;
	if (dense && below(world, 4) == 0)
		until_old(name_of(world, name, text, sizeof(text)));
	if (!open_as(world, number, name, flags))
		return;
	/* At once, because later requests of other kinds would be in the way. */
	if (dense)
		do_dense(world, number);
}

static void do_close(struct world *world, int number)
{
	NOTE("close %d", world->numbers[number].fd);
	CHECK(close(world->numbers[number].fd) == 0, "close failed");
	forget_number(world, number);
}

/* The first open gets pages if a fresh file may have some, and meets all that follows: random operations may never get any. */
static void open_first(struct world *world)
{
	enum { BYTES = 20000, RECORD = 100, RECORDS = 80 };
	struct model_open *open_ = open_as(world, 0, 0, O_RDWR | O_CREAT);
	char text[32];

	fill(world->scratch, BYTES, (unsigned int)roll(world), 0);
	CHECK(pwrite(world->numbers[0].fd, world->scratch, BYTES, 0) == BYTES, "not written");
	model_write(open_->file, world->scratch, BYTES, 0);
	do_close(world, 0);
	until_old(name_of(world, 0, text, sizeof(text)));
	open_ = open_as(world, 0, 0, O_RDWR);
	for (int i = 0; i < RECORDS; i++) {
		ssize_t got = read(world->numbers[0].fd, world->scratch, RECORD);

		check_bytes(world, __LINE__, open_->file, world->scratch, got, open_->position, RECORD);
		open_->position += got;
	}
}

static void do_dup(struct world *world, int number)
{
	int other = (int)below(world, NUMBERS);
	struct model_open *open_ = world->numbers[number].open;
	int fd;

	if (world->numbers[other].open) {
		if (other == number)
			return;
		NOTE("dup2 %d over %d", world->numbers[number].fd, world->numbers[other].fd);
		fd = dup2(world->numbers[number].fd, world->numbers[other].fd);
		CHECK(fd == world->numbers[other].fd, "dup2 gave %d", fd);
		open_->numbers++;
		forget_number(world, other);
	} else {
		NOTE("dup %d", world->numbers[number].fd);
		fd = below(world, 2) ? dup(world->numbers[number].fd) : fcntl(world->numbers[number].fd, F_DUPFD_CLOEXEC, 20);
		CHECK(fd >= 0, "no dup");
		open_->numbers++;
	}
	world->numbers[other].fd = fd;
	world->numbers[other].open = open_;
}

static void do_read(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	int fd = world->numbers[number].fd;
	size_t length = some_length(world);
	int by_place = (int)below(world, 2);
	int64_t place = by_place ? some_place(world, open_->file) : open_->position;
	struct iovec parts[2] = {{world->scratch, length / 3}, {world->scratch + length / 3, length - length / 3}};
	ssize_t got;
	int vector = (int)below(world, 3) == 0;

	NOTE("%s%s %d, %zu bytes at %lld", by_place ? "p" : "", vector ? "readv" : "read", fd, length, (long long)place);
	if (vector)
		got = by_place ? preadv(fd, parts, 2, place) : readv(fd, parts, 2);
	else
		got = by_place ? pread(fd, world->scratch, length, place) : read(fd, world->scratch, length);
	if (!can_read(open_)) {
		CHECK(got < 0 && errno == EBADF, "read without the right gave %zd", got);
		return;
	}
	check_bytes(world, __LINE__, open_->file, world->scratch, got, place, length);
	if (!by_place)
		open_->position += got;
}

static void do_write(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	int fd = world->numbers[number].fd;
	size_t length = some_length(world);
	int by_place = (int)below(world, 2);
	int appends = (open_->flags & O_APPEND) != 0;
	int64_t place = by_place ? some_place(world, open_->file) : open_->position;
	int64_t at = appends ? open_->file->size : place;
	struct iovec parts[2] = {{world->scratch, length / 3}, {world->scratch + length / 3, length - length / 3}};
	int vector = (int)below(world, 3) == 0;
	ssize_t got;

	if (at + (int64_t)length > FILE_MAX)
		return;
	fill(world->scratch, length, (unsigned int)roll(world), at);
	NOTE("%s%s %d, %zu bytes at %lld", by_place ? "p" : "", vector ? "writev" : "write", fd, length, (long long)at);
	if (vector)
		got = by_place ? pwritev(fd, parts, 2, place) : writev(fd, parts, 2);
	else
		got = by_place ? pwrite(fd, world->scratch, length, place) : write(fd, world->scratch, length);
	if (!can_write(open_)) {
		CHECK(got < 0 && errno == EBADF, "write without the right gave %zd", got);
		return;
	}
	CHECK(got == (ssize_t)length, "wrote %zd bytes", got);
	model_write(open_->file, world->scratch, length, at);
	if (!by_place && length > 0)
		open_->position = at + (int64_t)length;
}

static void do_seek(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	int whence = (int)below(world, 3);
	int64_t place = some_place(world, open_->file);
	int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? open_->position : open_->file->size;
	int64_t got;

	NOTE("lseek %d to %lld by %d", world->numbers[number].fd, (long long)place, whence);
	got = lseek(world->numbers[number].fd, place - from, whence);
	CHECK(got == place, "lseek gave %lld", (long long)got);
	open_->position = place;
}

static void do_truncate(struct world *world, int number)
{
	struct model_file *file = world->numbers[number].open->file;
	int64_t size = some_place(world, file);
	char text[32];

	if (below(world, 2)) {
		int name = (int)below(world, NAMES);

		if (!world->names[name])
			return;
		file = world->names[name];
		NOTE("truncate %d to %lld", name, (long long)size);
		CHECK(truncate(name_of(world, name, text, sizeof(text)), size) == 0, "truncate failed");
	} else {
		NOTE("ftruncate %d to %lld", world->numbers[number].fd, (long long)size);
		if (!can_write(world->numbers[number].open)) {
			CHECK(ftruncate(world->numbers[number].fd, size) < 0 && errno == EINVAL, "ftruncate without the right");
			return;
		}
		CHECK(ftruncate(world->numbers[number].fd, size) == 0, "ftruncate failed");
	}
	resize(file, size);
}

static void do_ask(struct world *world, int number)
{
	struct model_open *open_ = world->numbers[number].open;
	struct stat st;

	NOTE("fstat %d", world->numbers[number].fd);
	CHECK(fstat(world->numbers[number].fd, &st) == 0 && st.st_size == open_->file->size, "size %lld, not %lld",
	      (long long)st.st_size, (long long)open_->file->size);
	CHECK((int)st.st_nlink == open_->file->names, "%d names", (int)st.st_nlink);
	CHECK(lseek(world->numbers[number].fd, 0, SEEK_CUR) == open_->position, "position");
}

/* Compares everything that is known, by all numbers and names. */
static void check_all(struct world *world)
{
	char text[32];

	for (int i = 0; i < NUMBERS; i++) {
		const struct model_open *open_ = world->numbers[i].open;
		ssize_t got;

		if (!open_)
			continue;
		CHECK(lseek(world->numbers[i].fd, 0, SEEK_CUR) == open_->position, "position of %d", world->numbers[i].fd);
		if (!can_read(open_))
			continue;
		got = pread(world->numbers[i].fd, world->scratch, FILE_MAX, 0);
		check_bytes(world, __LINE__, open_->file, world->scratch, got, 0, FILE_MAX);
	}
	for (int i = 0; i < NAMES; i++) {
		struct stat st;
		int rc = stat(name_of(world, i, text, sizeof(text)), &st);

		CHECK((rc == 0) == (world->names[i] != NULL), "name %d", i);
		CHECK(rc < 0 || st.st_size == world->names[i]->size, "size of name %d: %lld", i, (long long)st.st_size);
	}
}

/* A process without MIO looks at all names once everything is closed. */
static void check_outside(struct world *world)
{
	char text[32];
	char seen[512];
	char want[128];

	for (int i = 0; i < NAMES; i++) {
		const struct model_file *file = world->names[i];

		if (!file)
			continue;
		outside_asked(name_of(world, i, text, sizeof(text)), seen, sizeof(seen));
		snprintf(want, sizeof(want), "%s: %lld bytes, %016llx,", text, (long long)file->size,
			 (unsigned long long)digest(file->bytes, (size_t)file->size));
		CHECK(strncmp(seen, want, strlen(want)) == 0, "outside is %.200s, not %s", seen, want);
	}
}

static void do_fork(struct world *world)
{
	int status;
	pid_t child;

	NOTE("fork");
	child = fork();
	CHECK(child >= 0, "no fork");
	if (child == 0) {
		check_all(world);
		if (below(world, 2))
			exit(0);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0, "the child ended with %x", (unsigned int)status);
}

/* A process without MIO looks at a file that has been synced. */
static void do_outside(struct world *world, int number)
{
	struct model_file *file = world->numbers[number].open->file;
	char text[32];
	char seen[512];
	char want[128];
	int name;

	for (name = 0; name < NAMES && world->names[name] != file; name++)
		;
	NOTE("fsync %d, and a look from outside at %d", world->numbers[number].fd, name);
	CHECK((below(world, 2) ? fsync : fdatasync)(world->numbers[number].fd) == 0, "fsync failed");
	if (name == NAMES || !world->may_fork)
		return;
	outside_asked(name_of(world, name, text, sizeof(text)), seen, sizeof(seen));
	snprintf(want, sizeof(want), "%s: %lld bytes, %016llx,", text, (long long)file->size,
		 (unsigned long long)digest(file->bytes, (size_t)file->size));
	CHECK(strncmp(seen, want, strlen(want)) == 0, "outside is %.200s, not %s", seen, want);
}

static void operate(struct world *world)
{
	int number = some_number(world);
	int64_t kind = below(world, 1000);

	if (number < 0 || kind < 60)
		do_open(world);
	else if (kind < 110)
		do_close(world, number);
	else if (kind < 120)
		do_dense(world, number);
	else if (kind < 150)
		do_dup(world, number);
	else if (kind < 430)
		do_read(world, number);
	else if (kind < 720)
		do_write(world, number);
	else if (kind < 790)
		do_seek(world, number);
	else if (kind < 830)
		do_truncate(world, number);
	else if (kind < 870)
		do_ask(world, number);
	else if (kind < 890)
		do_names(world);
	else if (kind < 905)
		do_map(world, number);
	else if (kind < 925)
		do_copy(world, number);
	else if (kind < 940)
		do_space(world, number);
	else if (kind < 955)
		do_stream(world);
	else if (kind < 970)
		do_other(world, number);
	else if (kind < 990)
		do_outside(world, number);
	else if (kind < 993 && world->may_fork && world->may_spoil)
		do_fork(world);
	else
		check_all(world);
	world->operation++;
}

static long operations;

static void *run(void *context)
{
	struct world *world = context;

	world->scratch = malloc(FILE_MAX);
	CHECK(world->scratch, "no memory");
	open_first(world);
	while (world->operation < operations) {
		/* After a fork, or a mapping for writing, a file has no pages in this process any more; so these come only in the second half. */
		world->may_spoil = world->may_fork && world->operation > operations / 2;
		operate(world);
	}
	NOTE("the end");
	check_all(world);
	for (int i = 0; i < NUMBERS; i++)
		if (world->numbers[i].open)
			do_close(world, i);
	check_all(world);
	return NULL;
}

int main(int argc, char **argv)
{
	const char *seed_text = getenv("MIO_TEST_SEED");
	const char *operations_text = getenv("MIO_TEST_OPERATIONS");
	uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 20260101;
	static struct world worlds[THREADS + 1];
	pthread_t threads[THREADS];

	begin(argc, argv);
	operations = operations_text ? atol(operations_text) : 4000;
	outside_begin();
	for (int i = 0; i <= THREADS; i++) {
		snprintf(worlds[i].prefix, sizeof(worlds[i].prefix), "w%d.", i);
		worlds[i].seed = seed;
		worlds[i].random = seed * 0x9E3779B97F4A7C15u + (uint64_t)i + 1;
	}
	worlds[0].may_fork = 1;
	worlds[0].small = seed % 4 == 3;
	worlds[1].small = 1;
	run(&worlds[0]);
	say("alone: right");
	for (int i = 0; i < THREADS; i++)
		MUST(pthread_create(&threads[i], NULL, run, &worlds[i + 1]) == 0);
	for (int i = 0; i < THREADS; i++)
		MUST(pthread_join(threads[i], NULL) == 0);
	for (int i = 0; i <= THREADS; i++)
		check_outside(&worlds[i]);
	say("%d threads: right", THREADS);
	return 0;
}
