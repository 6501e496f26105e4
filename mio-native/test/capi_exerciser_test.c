/*
 * Random use of files through the C API, under several names, with and without a rule, in one thread and in several, and in forked
 * children. Each call is compared with the plain one on a twin file, and so are all bytes again and again. Twin of DoorExerciser.
 *
 * A failure names the seed; MIO_TEST_SEED runs that one again (what threads do to each other is the scheduler's). MIO_TEST_CALLS is the
 * number of calls under each rule.
 */
#include "capi_api.h"

#include <pthread.h>
#include <time.h>

#include "capi_twin.h"

#define OPEN_MAX 5
#define ROUND 200
#define THREADS 4
#define THREAD_BYTES 30000

/* By a rule; a hard link and a symbolic link to the first one without; another file. */
static const char *const names[] = {"one.dat", "one.hard", "one.link", "two.dat"};
static const int modes[] = {O_RDWR, O_RDWR | O_CREAT, O_RDONLY, O_WRONLY, O_WRONLY | O_APPEND, O_RDWR | O_TRUNC};

static struct twin opened[OPEN_MAX];
static int opened_count;
static char directory[2][512];

static char *path(char *room, int side, const char *name)
{
	ASSERT(snprintf(room, 600, "%s/%s", directory[side], name) < 600);
	return room;
}

static void create(void)
{
	size_t bytes = below(LENGTH_MAX);

	fill(bytes_out, bytes);
	for (int side = 0; side < 2; side++) {
		char one[600];
		char other[600];
		int fd;

		mkdir(directory[side], 0700);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			unlink(path(one, side, names[i]));
		fd = open(path(one, side, names[0]), O_WRONLY | O_CREAT, 0600);
		ASSERT(fd >= 0 && write(fd, bytes_out, bytes) == (ssize_t)bytes);
		close(fd);
		ASSERT_EQUAL(0, link(one, path(other, side, names[1])));
		ASSERT_EQUAL(0, symlink(names[0], path(other, side, names[2])));
		fd = open(path(one, side, names[3]), O_WRONLY | O_CREAT, 0600);
		ASSERT(fd >= 0);
		close(fd);
	}
}

static void close_one(int index)
{
	BOTH(&opened[index], "close", a->close(fd));
	opened[index] = opened[--opened_count];
}

static void open_or_close(void)
{
	struct twin twin = {{-1, -1}, modes[below(sizeof(modes) / sizeof(modes[0]))], 0, 0};
	size_t which = below(sizeof(names) / sizeof(names[0]));
	const char *name = names[which];
	int cached = 0;
	char room[600];

	if (opened_count == OPEN_MAX || (opened_count > 0 && below(3) == 0)) {
		close_one((int)below((size_t)opened_count));
		return;
	}
	twin.ruled = strstr(name, ".dat") != NULL;
	twin.second = which == 3;
	for (int i = 0; i < opened_count; i++)
		cached |= opened[i].ruled && opened[i].second == twin.second;
	/* A descriptor without layers that is older than the pages of a file leaves it none: not too often. */
	if (!twin.ruled && !cached && below(20) != 0)
		return;
	BOTH(&twin, "open", (twin.fd[side] = a->open(path(room, side, name), twin.oflag, 0600)) >= 0);
	if (twin.fd[0] >= 0)
		opened[opened_count++] = twin;
}

static int set_lock(const struct api *a, int fd, short type, int64_t offset, int64_t bytes)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = offset, .l_len = bytes};

	return a->fcntl(fd, F_SETLK, &lock);
}

static int64_t size_of(const struct api *a, int fd)
{
	struct stat found;

	return a->fstat(fd, &found) < 0 ? -1 : found.st_size;
}

/* A child reads and writes by the same descriptors, at the position they share with the parent's. */
static void fork_and_check(struct twin *twin, size_t bytes)
{
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		BOTH(twin, "read in the child", a->read(fd, bytes_in[side], bytes));
		same_bytes("read in the child");
		BOTH(twin, "write in the child", a->write(fd, bytes_out, bytes));
		BOTH(twin, "size in the child", size_of(a, fd));
		exit(0);
	}
	ASSERT(child > 0 && waitpid(child, &status, 0) == child);
	if (status != 0)
		differ("status of the child", 0, status, 0);
	BOTH(twin, "position after the child", a->lseek(fd, 0, SEEK_CUR));
}

static void asynchronously(struct twin *twin, size_t bytes, int64_t offset, int writes)
{
	for (int side = 0; side < 2; side++) {
		const struct api *a = apis[side];
		struct aiocb request = {.aio_fildes = twin->fd[side],
					.aio_buf = writes ? bytes_out : bytes_in[side],
					.aio_nbytes = bytes,
					.aio_offset = offset};
		const struct aiocb *list[1] = {&request};
		int64_t result;

		request.aio_sigevent.sigev_notify = SIGEV_NONE;
		ASSERT_EQUAL(0, writes ? a->aio_write(&request) : a->aio_read(&request));
		while (a->aio_error(&request) == EINPROGRESS)
			a->aio_suspend(list, 1, NULL);
		result = a->aio_return(&request);
		if (side == 1 && result != both_result)
			differ("asynchronous request", both_result, result, a->aio_error(&request));
		both_result = result;
	}
	if (!writes)
		same_bytes("asynchronous read");
}

static void rare_step(struct twin *twin, size_t bytes, int64_t offset)
{
	int copy = 0;

	switch (below(9)) {
	case 0:
		BOTH(twin, "fsync", a->fsync(fd));
		break;
	case 1:
		BOTH(twin, "fdatasync", a->fdatasync(fd));
		break;
	case 2:
		BOTH(twin, "lock", set_lock(a, fd, (twin->oflag & O_ACCMODE) == O_RDONLY ? F_RDLCK : F_WRLCK, offset,
					    (int64_t)bytes));
		BOTH(twin, "unlock", set_lock(a, fd, F_UNLCK, offset, (int64_t)bytes));
		break;
	case 3:
		/* A copy takes the place of the descriptor. */
		BOTH(twin, "dup", (copy = a->dup(fd)) >= 0 && a->dup2(copy, fd) == fd && a->close(copy) == 0);
		break;
	case 4:
		BOTH(twin, "other number",
		     (copy = a->fcntl(fd, F_DUPFD_CLOEXEC, 300)) >= 0 && a->close(fd) == 0 && (twin->fd[side] = copy) >= 0);
		break;
	case 5:
		BOTH(twin, "append", a->fcntl(fd, F_SETFL, (twin->oflag ^ O_APPEND) & O_APPEND));
		twin->oflag ^= O_APPEND;
		break;
	case 6:
		asynchronously(twin, bytes, offset, (twin->oflag & O_ACCMODE) == O_RDWR);
		break;
	case 7:
		MIO_flush();
		BOTH(twin, "size, by a plain call after a flush", size_of(&plain, fd));
		break;
	default:
		fork_and_check(twin, bytes);
	}
}

static void descriptor_step(struct twin *twin)
{
	size_t bytes = length();
	int64_t offset = place(bytes);
	size_t parts[2] = {below(bytes + 1), 0};
	size_t what = below(1000);

	parts[1] = bytes - parts[0];
	fill(bytes_out, bytes);
	if (what < 330) {
		BOTH(twin, "pread", a->pread(fd, bytes_in[side], bytes, offset));
		same_bytes("pread");
	} else if (what < 450) {
		BOTH(twin, "lseek", a->lseek(fd, offset, SEEK_SET));
		BOTH(twin, "read", a->read(fd, bytes_in[side], bytes));
		same_bytes("read");
	} else if (what < 500) {
		struct iovec in[2][2] = {{{bytes_in[0], parts[0]}, {bytes_in[0] + parts[0], parts[1]}},
					 {{bytes_in[1], parts[0]}, {bytes_in[1] + parts[0], parts[1]}}};

		BOTH(twin, "readv", a->readv(fd, in[side], 2));
		same_bytes("readv");
	} else if (what < 780) {
		BOTH(twin, "pwrite", a->pwrite(fd, bytes_out, bytes, offset));
	} else if (what < 850) {
		struct iovec out[2] = {{bytes_out, parts[0]}, {bytes_out + parts[0], parts[1]}};

		BOTH(twin, "writev", a->writev(fd, out, 2));
	} else if (what < 900) {
		BOTH(twin, "write", a->write(fd, bytes_out, bytes));
	} else if (what < 920) {
		BOTH(twin, "ftruncate", a->ftruncate(fd, offset));
	} else if (what < 950) {
		BOTH(twin, "size", size_of(a, fd));
		BOTH(twin, "end", a->lseek(fd, -(int64_t)parts[0] % 100, SEEK_END));
	} else if (what < 985) {
		BOTH(twin, "lseek", a->lseek(fd, (int64_t)bytes - 1000, SEEK_CUR));
	} else {
		rare_step(twin, bytes, offset);
	}
	BOTH(twin, "position", a->lseek(fd, 0, SEEK_CUR));
	/* Files do not grow without end. */
	if (both_result > 2 * PLACE_MAX)
		BOTH(twin, "back", a->lseek(fd, 0, SEEK_SET));
}

/* Each thread has a part of one file, by a descriptor of its own and by one of all. */
struct worker {
	pthread_t thread;
	int number;
	uint64_t seed;
	struct twin all;
};

static void *work(void *context)
{
	struct worker *worker = context;
	struct test_random random = {worker->seed, worker->seed};
	unsigned char memory[3][3000];
	struct twin own;
	char room[600];

	for (int side = 0; side < 2; side++) {
		own.fd[side] = apis[side]->open(path(room, side, names[0]), O_RDWR);
		ASSERT(own.fd[side] >= 0);
	}
	for (int i = 0; i < 60; i++) {
		size_t bytes = test_random_below(&random, sizeof(memory[0]));
		int64_t offset = worker->number * THREAD_BYTES + (int64_t)test_random_below(&random, THREAD_BYTES - bytes);
		struct twin *twin = test_random_below(&random, 2) ? &own : &worker->all;
		int writes = test_random_below(&random, 2) == 0;
		ssize_t results[2];

		for (size_t j = 0; writes && j < bytes; j++)
			memory[2][j] = (unsigned char)test_random_next(&random);
		for (int side = 0; side < 2; side++)
			results[side] = writes ? apis[side]->pwrite(twin->fd[side], memory[2], bytes, offset)
					       : apis[side]->pread(twin->fd[side], memory[side], bytes, offset);
		if (results[0] != results[1] || (!writes && memcmp(memory[0], memory[1], (size_t)results[0]) != 0))
			differ("call in a thread", results[0], results[1], errno);
	}
	for (int side = 0; side < 2; side++)
		ASSERT_EQUAL(0, apis[side]->close(own.fd[side]));
	return NULL;
}

static void in_threads(void)
{
	struct worker workers[THREADS];
	struct twin all;
	char room[600];

	for (int side = 0; side < 2; side++) {
		all.fd[side] = apis[side]->open(path(room, side, names[0]), O_RDWR);
		ASSERT(all.fd[side] >= 0);
		/* Where the file ends is the same for all, whoever writes first. */
		ASSERT_EQUAL(0, apis[side]->ftruncate(all.fd[side], THREADS * THREAD_BYTES));
	}
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.number = i, .seed = test_random_next(&source), .all = all};
		ASSERT_EQUAL(0, pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	}
	for (int i = 0; i < THREADS; i++)
		ASSERT_EQUAL(0, pthread_join(workers[i].thread, NULL));
	BOTH(&all, "close", a->close(fd));
}

static void compare(const char *name)
{
	struct twin twin;
	char room[600];
	char *content[2];
	size_t bytes[2];

	/* By MIO's own eyes, then by the kernel's. */
	BOTH(&twin, "open", (twin.fd[side] = a->open(path(room, side, name), O_RDONLY)) >= 0);
	do {
		BOTH(&twin, "read of all", a->read(fd, bytes_in[side], LENGTH_MAX));
		same_bytes("read of all");
	} while (both_result > 0);
	BOTH(&twin, "close", a->close(fd));
	MIO_flush();
	for (int side = 0; side < 2; side++)
		bytes[side] = test_content(path(room, side, name), &content[side]);
	if (bytes[0] != bytes[1] || memcmp(content[0], content[1], bytes[0]) != 0)
		differ("content with the kernel", (int64_t)bytes[0], (int64_t)bytes[1], 0);
	free(content[0]);
	free(content[1]);
}

static void exercise(void)
{
	const char *calls = getenv("MIO_TEST_CALLS");
	long count = calls ? strtol(calls, NULL, 10) : 2000;

	create();
	while (step < count) {
		for (int i = 0; i < ROUND; i++, step++) {
			if (opened_count > 0 && below(1000) < 950)
				descriptor_step(&opened[below((size_t)opened_count)]);
			else
				open_or_close();
		}
		if (below(4) == 0)
			in_threads();
		compare(names[0]);
		compare(names[3]);
	}
	while (opened_count > 0)
		close_one((int)below((size_t)opened_count));
	compare(names[0]);
	compare(names[3]);
}

static void remove_all(void)
{
	for (int side = 0; side < 2; side++) {
		char room[600];

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			unlink(path(room, side, names[i]));
		rmdir(directory[side]);
	}
}

static void should_do_what_the_plain_calls_do_whatever_comes(void)
{
	for (size_t i = 1; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		char rule[200];
		int status;

		/* The rules of the other tests, for some of the names. */
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
