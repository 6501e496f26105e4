/*
 * Random use of files through the C API, under several names, with and without a rule, in one thread and in several, and in forked
 * children. Each call is compared with the plain one on a twin file, and all bytes are compared again and again.
 *
 * Twin of DoorExerciser: a seed gives the same operations in both (exerciser_plan.h). What C does not have is replaced by what is
 * nearest:
 * - map and write mapped are a pread and a pwrite: the C API has no mappings; a direct buffer is a plain one.
 * - force is fsync or fdatasync; truncate is ftruncate where the file is longer, as in Java.
 * - a transfer is a read at one end and a write at the other; a copy by name, too.
 * - asynchronous channels are descriptors used by aio_read and aio_write; the size of a name, and streams, are open, call, close.
 * - rename and links are the kernel's own: the C API has none.
 * What Java does not have (dup, other numbers, O_APPEND set later, asynchronous requests by ordinary descriptors, fork) is done
 * between the operations, with random numbers of its own.
 *
 * A failure names the seed; MIO_TEST_SEED runs that one again (the scheduler decides how threads interleave). MIO_TEST_CALLS is the
 * number of calls under each rule.
 */
#include "capi_api.h"

#include <time.h>

#include "capi_by_name.h"
#include "capi_threads.h"
#include "capi_twin.h"

static const int modes[] = {O_RDWR, O_RDWR | O_CREAT, O_RDONLY, O_WRONLY, O_WRONLY | O_APPEND | O_CREAT};

static struct plan plan;
static struct twin opened[PLAN_CHANNELS];

static int set_lock(const struct api *a, int fd, short type, int64_t offset, int64_t bytes)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = bytes};

	return a->fcntl(fd, F_SETLK, &lock);
}

/* Never makes a file longer, and leaves the position within the file. */
static int64_t cut(const struct api *a, int fd, int64_t size)
{
	if (size_of(a, fd) > size && a->ftruncate(fd, size) < 0)
		return -1;
	return a->lseek(fd, 0, SEEK_CUR) > size ? a->lseek(fd, size, SEEK_SET) : size_of(a, fd);
}

static void later(struct twin *twin, const struct plan_operation *operation, int writes)
{
	unsigned char out[LENGTH_MAX];
	size_t bytes = (size_t)operation->length;

	memcpy(out, operation->bytes, bytes);
	BOTH(twin, "asynchronous request", request(a, fd, writes ? out : bytes_in[side], bytes, operation->place, writes));
	if (!writes)
		same_bytes("asynchronous read");
	BOTH(twin, "size", size_of(a, fd));
}

/* A child reads and writes by the same descriptors, at the position that they share with the parent's. */
static void fork_and_check(struct twin *twin, const struct plan_operation *operation)
{
	size_t bytes = (size_t)operation->length;
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		BOTH(twin, "read in the child", a->read(fd, bytes_in[side], bytes));
		same_bytes("read in the child");
		BOTH(twin, "write in the child", a->write(fd, operation->bytes, bytes));
		BOTH(twin, "size in the child", size_of(a, fd));
		exit(0);
	}
	ASSERT(child > 0 && waitpid(child, &status, 0) == child);
	if (status != 0)
		differ("status of the child", 0, status, 0);
	BOTH(twin, "position after the child", a->lseek(fd, 0, SEEK_CUR));
}

/* Does one of the operations that only C has. */
static void rare_step(struct twin *twin, const struct plan_operation *operation)
{
	int copy = 0;

	switch (test_random_below(&source, 6)) {
	case 0:
		/* A copy replaces the descriptor. */
		BOTH(twin, "dup", (copy = a->dup(fd)) >= 0 && a->dup2(copy, fd) == fd && a->close(copy) == 0);
		break;
	case 1:
		BOTH(twin, "other number",
		     (copy = a->fcntl(fd, F_DUPFD_CLOEXEC, 300)) >= 0 && a->close(fd) == 0 && (twin->fd[side] = copy) >= 0);
		break;
	case 2:
		BOTH(twin, "append", a->fcntl(fd, F_SETFL, (twin->oflag ^ O_APPEND) & O_APPEND));
		twin->oflag ^= O_APPEND;
		break;
	case 3:
		later(twin, operation, (twin->oflag & O_ACCMODE) == O_RDWR);
		break;
	case 4:
		MIO_flush();
		BOTH(twin, "size, by a plain call after a flush", size_of(&plain, fd));
		break;
	default:
		fork_and_check(twin, operation);
	}
}

static int split(struct iovec *vector, const void *memory, const struct plan_operation *operation)
{
	size_t each = (size_t)operation->length / (size_t)operation->parts;

	for (int i = 0; i < operation->parts; i++)
		vector[i] = (struct iovec){(unsigned char *)(uintptr_t)memory + (size_t)i * each, each};
	vector[operation->parts - 1].iov_len = (size_t)operation->length - (size_t)(operation->parts - 1) * each;
	return operation->parts;
}

static void transfer(struct twin *from, struct twin *to, const struct plan_operation *operation)
{
	size_t bytes = (size_t)operation->length;
	int there = operation->kind == PLAN_TRANSFER_TO;

	BOTH(from, "read of a transfer",
	     there ? a->pread(fd, bytes_in[side], bytes, operation->place) : a->read(fd, bytes_in[side], bytes));
	same_bytes("read of a transfer");
	if (both_result <= 0)
		return;
	bytes = (size_t)both_result;
	BOTH(to, "write of a transfer",
	     there ? a->write(fd, bytes_in[side], bytes) : a->pwrite(fd, bytes_in[side], bytes, operation->place));
	BOTH(to, "position", a->lseek(fd, 0, SEEK_CUR));
}

static void descriptor_step(struct twin *twin, const struct plan_operation *operation)
{
	size_t bytes = (size_t)operation->length;
	int64_t place = operation->place;
	struct iovec vectors[2][3];

	switch (operation->kind) {
	case PLAN_READ:
	case PLAN_MAP:
		BOTH(twin, "pread", a->pread(fd, bytes_in[side], bytes, place));
		same_bytes("pread");
		break;
	case PLAN_SCATTER:
		BOTH(twin, "lseek", a->lseek(fd, place, SEEK_SET));
		BOTH(twin, "readv", a->readv(fd, vectors[side], split(vectors[side], bytes_in[side], operation)));
		same_bytes("readv");
		break;
	case PLAN_WRITE:
	case PLAN_WRITE_MAPPED:
		BOTH(twin, "pwrite", a->pwrite(fd, operation->bytes, bytes, place));
		break;
	case PLAN_GATHER:
		BOTH(twin, "lseek", a->lseek(fd, place, SEEK_SET));
		BOTH(twin, "writev", a->writev(fd, vectors[side], split(vectors[side], operation->bytes, operation)));
		break;
	case PLAN_WRITE_HERE:
		BOTH(twin, "write", a->write(fd, operation->bytes, bytes));
		break;
	case PLAN_TRUNCATE:
	case PLAN_LATER_TRUNCATE:
		BOTH(twin, "ftruncate", cut(a, fd, place));
		break;
	case PLAN_FORCE:
		BOTH(twin, "fsync or fdatasync", operation->direct ? a->fsync(fd) : a->fdatasync(fd));
		break;
	case PLAN_LOCK:
		BOTH(twin, "lock", set_lock(a, fd, F_WRLCK, place, operation->length + 1));
		BOTH(twin, "unlock", set_lock(a, fd, F_UNLCK, place, operation->length + 1));
		break;
	case PLAN_TRANSFER_TO:
		transfer(twin, &opened[operation->other], operation);
		break;
	case PLAN_TRANSFER_FROM:
		transfer(&opened[operation->other], twin, operation);
		break;
	case PLAN_LATER_READ:
	case PLAN_LATER_WRITE:
		later(twin, operation, operation->kind == PLAN_LATER_WRITE);
		break;
	default:
		ASSERT_EQUAL(PLAN_SIZE, operation->kind);
	}
	if (test_random_below(&source, 100) < 2)
		rare_step(twin, operation);
	BOTH(twin, "size", size_of(a, fd));
	BOTH(twin, "position", a->lseek(fd, 0, SEEK_CUR));
}

static void close_one(int index)
{
	close_both(&opened[index]);
	memmove(&opened[index], &opened[index + 1], sizeof(opened[0]) * (size_t)(PLAN_CHANNELS - 1 - index));
}

static void open_one(const struct plan_operation *operation)
{
	struct twin twin;
	int there = open_both(&twin, operation->name, modes[operation->mode]);

	ASSERT_EQUAL(operation->channel >= 0, there);
	if (there)
		opened[operation->channel] = twin;
}

static void execute(void *context, const struct plan_operation *operation)
{
	(void)context;
	current = operation;
	step++;
	switch (operation->kind) {
	case PLAN_CREATE:
	case PLAN_OVERWRITE:
		write_file(operation->name, O_TRUNC, operation->bytes, operation->length);
		break;
	case PLAN_APPEND:
		write_file(operation->name, O_APPEND, operation->bytes, operation->length);
		break;
	case PLAN_LINK:
		link_both();
		break;
	case PLAN_SIZE_OF:
		size_of_name(operation->name);
		break;
	case PLAN_READ_ALL:
		read_all(operation->name);
		break;
	case PLAN_SKIP:
		skip(operation->name, operation->length);
		break;
	case PLAN_COPY:
		copy_file(operation->name, operation->to);
		break;
	case PLAN_REPLACE:
		replace(operation);
		break;
	case PLAN_RENAME:
		rename_both(operation->name, "renamed.other");
		read_all("renamed.other");
		rename_both("renamed.other", operation->name);
		break;
	case PLAN_DELETE:
		unlink_both(operation->name);
		break;
	case PLAN_COMPARE:
		compare(operation->name, operation->forced);
		break;
	case PLAN_OPEN:
		open_one(operation);
		break;
	case PLAN_CLOSE:
		close_one(operation->channel);
		break;
	case PLAN_THREADS_BEGIN:
		threads(operation);
		break;
	default:
		descriptor_step(&opened[operation->channel], operation);
	}
}

static void remove_all(void)
{
	static const char *const all[] = {"one.dat", "one.hard", "one.link", "two.dat", "three.dat", "fresh.dat", "renamed.other"};

	for (int side = 0; side < 2; side++) {
		char room[600];

		for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
			unlink(path(room, side, all[i]));
		rmdir(directory[side]);
	}
}

static void exercise(void)
{
	const char *calls = getenv("MIO_TEST_CALLS");

	remove_all();
	for (int side = 0; side < 2; side++)
		ASSERT_EQUAL(0, mkdir(directory[side], 0700));
	plan_run(&plan, (int64_t)source.seed, calls ? (int)strtol(calls, NULL, 10) : 2000, execute, NULL);
}

static void should_do_what_the_plain_calls_do_whatever_comes(void)
{
	for (size_t i = 1; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		char rule[200];
		int status;

		/* The rules of the other tests, applied to some of the names only. */
		snprintf(rule, sizeof(rule), "*.dat %s", test_rules[i] + 2);
		status = test_run_under(rule, NULL, exercise);
		if (status != 0) {
			fprintf(stderr, "under MIO_FILES=%s: status 0x%x; MIO_TEST_SEED=%llu\n", rule, (unsigned int)status,
				(unsigned long long)source.seed);
			exit(1);
		}
	}
}

int main(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	source = test_random_begin((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	test_name(directory[0], sizeof(directory[0]), "plain");
	test_name(directory[1], sizeof(directory[1]), "mio");
	RUN(should_do_what_the_plain_calls_do_whatever_comes);
	remove_all();
	return TEST_RESULT();
}
