/*
 * The operations of Java's DoorExerciser for a seed (../exerciser_plan.h), by plain calls. The program says what each one gives,
 * which must be the same without MIO. MIO_TEST_SEED and MIO_TEST_OPERATIONS choose which operations and how many.
 *
 * What C does not have is replaced by what is nearest: a direct buffer is a plain one, force is fsync or fdatasync, truncate is
 * ftruncate where the file is longer, a transfer is a read at one end and a write at the other, as is a copy by name; asynchronous
 * channels are descriptors used by aio_read and aio_write; streams that write are stdio's.
 */
#include "see.h"

#include <aio.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "../exerciser_plan_text.h"

enum { BUFFER = 40000, BLOCK_BYTES = 1537, BLOCKS = 40 };

static const int modes[] = {O_RDWR, O_RDWR | O_CREAT, O_RDONLY, O_WRONLY, O_WRONLY | O_APPEND | O_CREAT};
static int opened[PLAN_CHANNELS];
static unsigned char buffer[BUFFER];
static struct plan plan;

static void say_result(const char *what, int64_t result, const void *bytes)
{
	if (result < 0)
		say("  %s: %s", what, strerror(errno));
	else
		say("  %s: %lld, %08x", what, (long long)result, bytes ? plan_sum(0, bytes, (size_t)result) : 0);
}

static int64_t size_of(int fd)
{
	struct stat found;

	return fstat(fd, &found) < 0 ? -1 : found.st_size;
}

static int open_by_name(const char *name, int flags)
{
	int fd = open(name, flags, 0644);

	say_result("open", fd < 0 ? -1 : 0, NULL);
	return fd;
}

/* ---- by name */

static void write_stream(const struct plan_operation *operation, const char *mode)
{
	size_t half = (size_t)operation->length / 2;
	FILE *stream = fopen(operation->name, mode);

	MUST(stream);
	MUST(fwrite(operation->bytes, 1, half, stream) == half);
	MUST(fwrite(operation->bytes + half, 1, (size_t)operation->length - half, stream) == (size_t)operation->length - half);
	MUST(fclose(stream) == 0);
}

static void read_all(int fd, int copy)
{
	uint32_t sum = 0;
	int64_t all = 0;
	ssize_t count;

	while ((count = read(fd, buffer, BUFFER)) > 0) {
		sum = plan_sum(sum, buffer, (size_t)count);
		all += count;
		MUST(copy < 0 || write(copy, buffer, (size_t)count) == count);
	}
	MUST(count == 0);
	say("  all: %lld, %08x", (long long)all, sum);
}

static void read_name(const struct plan_operation *operation)
{
	int fd = open_by_name(operation->name, O_RDONLY);
	ssize_t count;

	if (fd < 0)
		return;
	say_result("size", size_of(fd), NULL);
	if (operation->kind == PLAN_SKIP) {
		MUST(lseek(fd, operation->length, SEEK_CUR) == operation->length);
		count = read(fd, buffer, 1);
		say_result("one", count, buffer);
		count = read(fd, buffer, 5000);
		say_result("read", count, buffer);
	} else if (operation->kind != PLAN_SIZE_OF) {
		if (operation->forced)
			MUST(fsync(fd) == 0);
		read_all(fd, -1);
	}
	MUST(close(fd) == 0);
}

/* Copies to a new file; an existing one is unlinked first. */
static void copy_name(const char *name, const char *to)
{
	int fd = open_by_name(name, O_RDONLY);
	int copy;

	if (fd < 0)
		return;
	MUST(unlink(to) == 0 || errno == ENOENT);
	copy = open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
	MUST(copy >= 0);
	read_all(fd, copy);
	MUST(close(copy) == 0 && close(fd) == 0);
}

static void replace(const struct plan_operation *operation)
{
	int fd = open("fresh.dat", O_WRONLY | O_CREAT, 0644);

	MUST(fd >= 0 && write(fd, operation->bytes, (size_t)operation->length) == operation->length);
	MUST(rename("fresh.dat", operation->name) == 0);
	say_result("size", size_of(fd), NULL);
	MUST(close(fd) == 0);
}

static void rename_and_back(const char *name)
{
	struct plan_operation other = {PLAN_READ_ALL, .name = "renamed.other"};

	MUST(rename(name, other.name) == 0);
	read_name(&other);
	MUST(rename(other.name, name) == 0);
}

static void link_names(void)
{
	MUST(unlink("one.hard") == 0 || errno == ENOENT);
	MUST(unlink("one.link") == 0 || errno == ENOENT);
	MUST(link("one.dat", "one.hard") == 0 && symlink("one.dat", "one.link") == 0);
}

/* ---- threads: twin of ExerciserThreads */

static ssize_t request(int fd, void *memory, size_t bytes, int64_t offset, int writes)
{
	struct aiocb block = {.aio_fildes = fd, .aio_buf = memory, .aio_nbytes = bytes, .aio_offset = offset};
	const struct aiocb *list[1] = {&block};
	int error;

	block.aio_sigevent.sigev_notify = SIGEV_NONE;
	if ((writes ? aio_write(&block) : aio_read(&block)) < 0)
		return -1;
	while ((error = aio_error(&block)) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	errno = error;
	return aio_return(&block);
}

struct worker {
	pthread_t thread;
	int number;
	int64_t seed;
	int known;	/* the end of the file, as far as this thread knows */
	const char *name;
	uint32_t sum;	/* digest of all that was read of its own blocks */
};

static void *work(void *context)
{
	struct worker *worker = context;
	struct java_random random = java_random_begin(worker->seed);
	unsigned char bytes[8000];
	int fd = open(worker->name, O_RDWR);
	int later = open(worker->name, O_RDWR);

	MUST(fd >= 0 && later >= 0);
	for (int i = 0; i < PLAN_THREAD_CALLS; i++) {
		int block = worker->number + PLAN_THREADS * java_random_below(&random, BLOCKS / PLAN_THREADS);
		int from = java_random_below(&random, BLOCK_BYTES);
		int length = 1 + java_random_below(&random, BLOCK_BYTES - from);
		int place = block * BLOCK_BYTES + from;
		int asynchronous = java_random_below(&random, 4) == 0;
		int what = java_random_below(&random, 100);

		if (what < 50) {
			java_random_bytes(&random, bytes, (size_t)length);
			MUST((asynchronous ? request(later, bytes, (size_t)length, place, 1)
					   : pwrite(fd, bytes, (size_t)length, place)) == length);
			worker->known = worker->known > place + length ? worker->known : place + length;
		} else if (what < 90) {
			int wanted = length < worker->known - place ? length : worker->known - place;

			if (wanted <= 0)
				continue;
			MUST((asynchronous ? request(later, bytes, (size_t)wanted, place, 0)
					   : pread(fd, bytes, (size_t)wanted, place)) == wanted);
			worker->sum = plan_sum(worker->sum, bytes, (size_t)wanted);
		} else if (what < 92) {
			MUST(fdatasync(fd) == 0);
		} else if (what < 94) {
			struct stat found;

			MUST(stat(worker->name, &found) == 0 && found.st_size >= worker->known);
		} else {
			MUST(size_of(fd) >= worker->known);
			/* These bytes may be in blocks that others are changing, so any content is right. */
			MUST(pread(fd, bytes, sizeof(bytes), java_random_below(&random, worker->known)) >= 0);
		}
	}
	MUST(close(later) == 0 && close(fd) == 0);
	return NULL;
}

static void in_threads(const struct plan_operation *operation)
{
	struct worker workers[PLAN_THREADS];

	write_stream(operation, "w");
	for (int i = 0; i < PLAN_THREADS; i++) {
		workers[i] = (struct worker){.number = i, .seed = operation->seeds[i], .known = operation->length,
					     .name = operation->name};
		MUST(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
	}
	for (int i = 0; i < PLAN_THREADS; i++) {
		MUST(pthread_join(workers[i].thread, NULL) == 0);
		say("  thread %d: %08x", i, workers[i].sum);
	}
}

/* ---- by descriptors */

static int set_lock(int fd, short type, const struct plan_operation *operation)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = operation->place, .l_len = operation->length + 1};

	return fcntl(fd, F_SETLK, &lock);
}

/* Never makes a file longer, and leaves the position within the file. */
static int64_t cut(int fd, int64_t size)
{
	if (size_of(fd) > size && ftruncate(fd, size) < 0)
		return -1;
	return lseek(fd, 0, SEEK_CUR) > size ? lseek(fd, size, SEEK_SET) : size_of(fd);
}

static void map(int fd, const struct plan_operation *operation, int writes)
{
	int64_t end = (int64_t)operation->place + operation->length;
	unsigned char *memory;

	if (operation->length == 0 || (writes && size_of(fd) < end && ftruncate(fd, end) < 0) || size_of(fd) <= operation->place)
		return;
	end = size_of(fd) < end ? size_of(fd) : end;
	memory = mmap(NULL, (size_t)end, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		say_result("map", -1, NULL);
		return;
	}
	if (writes)
		memcpy(memory + operation->place, operation->bytes, (size_t)operation->length);
	say_result("map", end - operation->place, memory + operation->place);
	MUST(munmap(memory, (size_t)end) == 0);
}

static int split(struct iovec *vector, const void *memory, const struct plan_operation *operation)
{
	size_t each = (size_t)operation->length / (size_t)operation->parts;

	for (int i = 0; i < operation->parts; i++)
		vector[i] = (struct iovec){(unsigned char *)(uintptr_t)memory + (size_t)i * each, each};
	vector[operation->parts - 1].iov_len = (size_t)operation->length - (size_t)(operation->parts - 1) * each;
	return operation->parts;
}

static void transfer(int from, int to, const struct plan_operation *operation)
{
	size_t bytes = (size_t)operation->length;
	int there = operation->kind == PLAN_TRANSFER_TO;
	ssize_t count = there ? pread(from, buffer, bytes, operation->place) : read(from, buffer, bytes);

	say_result("read", count, buffer);
	if (count <= 0)
		return;
	count = there ? write(to, buffer, (size_t)count) : pwrite(to, buffer, (size_t)count, operation->place);
	say_result("write", count, NULL);
	say_result("position", lseek(to, 0, SEEK_CUR), NULL);
}

static void use_descriptor(int fd, const struct plan_operation *operation)
{
	size_t bytes = (size_t)operation->length;
	struct iovec vector[3];
	ssize_t count;

	switch (operation->kind) {
	case PLAN_READ:
		count = pread(fd, buffer, bytes, operation->place);
		say_result("pread", count, buffer);
		break;
	case PLAN_SCATTER:
		MUST(lseek(fd, operation->place, SEEK_SET) == operation->place);
		count = readv(fd, vector, split(vector, buffer, operation));
		say_result("readv", count, buffer);
		break;
	case PLAN_WRITE:
		say_result("pwrite", pwrite(fd, operation->bytes, bytes, operation->place), NULL);
		break;
	case PLAN_GATHER:
		MUST(lseek(fd, operation->place, SEEK_SET) == operation->place);
		say_result("writev", writev(fd, vector, split(vector, operation->bytes, operation)), NULL);
		break;
	case PLAN_WRITE_HERE:
		say_result("write", write(fd, operation->bytes, bytes), NULL);
		break;
	case PLAN_TRUNCATE:
	case PLAN_LATER_TRUNCATE:
		say_result("ftruncate", cut(fd, operation->place), NULL);
		break;
	case PLAN_FORCE:
		say_result("sync", operation->direct ? fsync(fd) : fdatasync(fd), NULL);
		break;
	case PLAN_MAP:
	case PLAN_WRITE_MAPPED:
		map(fd, operation, operation->kind == PLAN_WRITE_MAPPED);
		break;
	case PLAN_LOCK:
		say_result("lock", set_lock(fd, F_WRLCK, operation), NULL);
		say_result("unlock", set_lock(fd, F_UNLCK, operation), NULL);
		break;
	case PLAN_TRANSFER_TO:
		transfer(fd, opened[operation->other], operation);
		break;
	case PLAN_TRANSFER_FROM:
		transfer(opened[operation->other], fd, operation);
		break;
	case PLAN_LATER_READ:
		count = request(fd, buffer, bytes, operation->place, 0);
		say_result("aio_read", count, buffer);
		break;
	case PLAN_LATER_WRITE:
		memcpy(buffer, operation->bytes, bytes);
		say_result("aio_write", request(fd, buffer, bytes, operation->place, 1), NULL);
		break;
	default:
		MUST(operation->kind == PLAN_SIZE);
	}
	say("  size %lld, position %lld", (long long)size_of(fd), (long long)lseek(fd, 0, SEEK_CUR));
}

static void say_line(void *context, const char *text)
{
	say("%ld %s", ++*(long *)context, text);
}

static void execute(void *context, const struct plan_operation *operation)
{
	const struct plan_lines lines = {say_line, context};
	int fd;

	plan_tell(&lines, operation);
	switch (operation->kind) {
	case PLAN_CREATE:
	case PLAN_OVERWRITE:
		write_stream(operation, "w");
		break;
	case PLAN_APPEND:
		write_stream(operation, "a");
		break;
	case PLAN_LINK:
		link_names();
		break;
	case PLAN_SIZE_OF:
	case PLAN_READ_ALL:
	case PLAN_SKIP:
	case PLAN_COMPARE:
		read_name(operation);
		break;
	case PLAN_COPY:
		copy_name(operation->name, operation->to);
		break;
	case PLAN_REPLACE:
		replace(operation);
		break;
	case PLAN_RENAME:
		rename_and_back(operation->name);
		break;
	case PLAN_DELETE:
		MUST(unlink(operation->name) == 0);
		break;
	case PLAN_OPEN:
		fd = open_by_name(operation->name, modes[operation->mode]);
		MUST((fd >= 0) == (operation->channel >= 0));
		if (fd >= 0)
			opened[operation->channel] = fd;
		break;
	case PLAN_CLOSE:
		MUST(close(opened[operation->channel]) == 0);
		memmove(&opened[operation->channel], &opened[operation->channel + 1],
			sizeof(opened[0]) * (size_t)(PLAN_CHANNELS - 1 - operation->channel));
		break;
	case PLAN_THREADS_BEGIN:
		in_threads(operation);
		break;
	default:
		use_descriptor(opened[operation->channel], operation);
	}
}

int main(int argc, char **argv)
{
	const char *seed = getenv("MIO_TEST_SEED");
	const char *operations = getenv("MIO_TEST_OPERATIONS");
	long count = 0;

	begin(argc, argv);
	plan_run(&plan, seed ? strtoll(seed, NULL, 10) : 20260101, operations ? atoi(operations) : 2000, execute, &count);
	return 0;
}
