/*
 * The program of `mio bench experiment cio`: many threads update records of a few files for some time, as a database does.
 * It knows nothing of MIO.
 *
 *   updater RECORD_BYTES THREADS MILLISECONDS UPDATE_PERCENT SEED direct|buffered exclusive|shared FILE...
 *
 * A transaction reads a record and, in UPDATE_PERCENT of a hundred cases, writes it back with the next number in it. Each record belongs
 * to one thread, so no two requests overlap: the program itself does what the lock of a file system would do. `exclusive` adds such a lock
 * for each file: many reads at a time, or one write.
 *
 * It prints `result transactions=N updates=N elapsed_ns=N lock_ns=N cpu_ns=N machine_idle_ns=N p50_ns=N p99_ns=N max_ns=N`, then `ticks`
 * and the transactions that ended in each tenth of a second. Any failure is a line `failed TEXT`, and status 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NANOS INT64_C(1000000000)
#define TICK_NS (NANOS / 10)
#define ALIGN_BYTES 4096

struct file {
	const char *name;
	int fd;
	uint64_t records;
	pthread_rwlock_t lock;
};

struct thread {
	pthread_t id;
	unsigned number;
	uint64_t state;
	int64_t *took_ns; /* duration of each transaction */
	size_t transactions, room;
	uint64_t updates;
	int64_t lock_ns;
	uint32_t *ticks;
};

static size_t record_bytes;
static unsigned threads, update_percent;
static int64_t duration_ns, begin_ns;
static uint64_t seed;
static int direct, exclusive;
static struct file *files;
static unsigned file_count;
static size_t tick_count;
static pthread_barrier_t begin;

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NANOS + time.tv_nsec;
}

__attribute__((noreturn)) static void fail(const char *what, const char *why)
{
	printf("failed %s: %s\n", what, why);
	fflush(stdout);
	_exit(1);
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void lock(struct thread *thread, struct file *file, int writes)
{
	int64_t before;

	if (!exclusive)
		return;
	before = now_ns();
	if (writes)
		pthread_rwlock_wrlock(&file->lock);
	else
		pthread_rwlock_rdlock(&file->lock);
	thread->lock_ns += now_ns() - before;
}

static void unlock(struct file *file)
{
	if (exclusive)
		pthread_rwlock_unlock(&file->lock);
}

static void transfer(struct thread *thread, struct file *file, char *record, uint64_t number, int writes)
{
	off_t offset = (off_t)(number * record_bytes);
	ssize_t moved;

	lock(thread, file, writes);
	moved = writes ? pwrite(file->fd, record, record_bytes, offset) : pread(file->fd, record, record_bytes, offset);
	unlock(file);
	if (moved != (ssize_t)record_bytes)
		fail(file->name, moved < 0 ? strerror(errno) : "too short");
}

/* Makes one transaction on a record of this thread. Checks that the same number is at both ends of the record, and is the last one written. */
static void transact(struct thread *thread, struct file *file, char *record, uint64_t index, uint64_t *known)
{
	uint64_t number = index * threads + thread->number;
	uint64_t head, tail;

	transfer(thread, file, record, number, 0);
	memcpy(&head, record, sizeof(head));
	memcpy(&tail, record + record_bytes - sizeof(tail), sizeof(tail));
	if (head != tail || (known[index] && known[index] != head + 1))
		fail(file->name, "a record is not as it was written");
	if (next_random(&thread->state) % 100 < update_percent) {
		head++;
		memcpy(record, &head, sizeof(head));
		memcpy(record + record_bytes - sizeof(head), &head, sizeof(head));
		transfer(thread, file, record, number, 1);
		thread->updates++;
	}
	known[index] = head + 1;
}

static void *run(void *argument)
{
	struct thread *thread = argument;
	uint64_t **known = calloc(file_count, sizeof(*known));
	void *record = NULL;
	int64_t before, after, end;

	if (!known || posix_memalign(&record, ALIGN_BYTES, record_bytes) != 0)
		fail("memory", "none");
	for (unsigned i = 0; i < file_count; i++) {
		known[i] = calloc(files[i].records / threads, sizeof(**known));
		if (!known[i])
			fail("memory", "none");
	}
	pthread_barrier_wait(&begin);
	before = now_ns();
	end = begin_ns + duration_ns;
	while (before < end) {
		unsigned at = (unsigned)(next_random(&thread->state) % file_count);
		size_t tick;

		transact(thread, &files[at], record, next_random(&thread->state) % (files[at].records / threads), known[at]);
		after = now_ns();
		if (thread->transactions == thread->room) {
			thread->room = thread->room ? 2 * thread->room : 4096;
			thread->took_ns = realloc(thread->took_ns, thread->room * sizeof(*thread->took_ns));
			if (!thread->took_ns)
				fail("memory", "none");
		}
		thread->took_ns[thread->transactions++] = after - before;
		tick = (size_t)((after - begin_ns) / TICK_NS);
		if (tick < tick_count)
			thread->ticks[tick]++;
		before = after;
	}
	for (unsigned i = 0; i < file_count; i++)
		free(known[i]);
	free(known);
	free(record);
	return NULL;
}

static int64_t idle_ns(void)
{
	char text[512] = {0};
	long long user = 0, nice = 0, system = 0, idle = 0, wait = 0;
	int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) < 0)
			text[0] = 0;
		close(fd);
	}
	if (sscanf(text, "cpu %lld %lld %lld %lld %lld", &user, &nice, &system, &idle, &wait) != 5)
		return 0;
	return (idle + wait) * (NANOS / sysconf(_SC_CLK_TCK));
}

static int64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * NANOS + time.tv_nsec;
}

static void open_file(struct file *file, const char *name)
{
	pthread_rwlockattr_t fair;
	struct stat found;
	uint64_t bytes;

	file->name = name;
	file->fd = open(name, O_RDWR | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (file->fd < 0 || fstat(file->fd, &found) != 0)
		fail(name, strerror(errno));
	bytes = (uint64_t)found.st_size;
	if (S_ISBLK(found.st_mode) && ioctl(file->fd, BLKGETSIZE64, &bytes) != 0)
		fail(name, strerror(errno));
	file->records = bytes / record_bytes;
	if (file->records < threads)
		fail(name, "fewer records than threads");
	/* A thread that wants to write gets its turn, as in a file system. */
	pthread_rwlockattr_init(&fair);
	pthread_rwlockattr_setkind_np(&fair, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&file->lock, &fair);
	pthread_rwlockattr_destroy(&fair);
}

static int by_size(const void *one, const void *other)
{
	const int64_t *a = one, *b = other;

	return (*a > *b) - (*a < *b);
}

static void report(struct thread *all, int64_t elapsed, int64_t cpu, int64_t idle)
{
	size_t transactions = 0, at = 0;
	uint64_t updates = 0;
	int64_t lock_ns = 0;
	int64_t *took;

	for (unsigned i = 0; i < threads; i++) {
		transactions += all[i].transactions;
		updates += all[i].updates;
		lock_ns += all[i].lock_ns;
	}
	took = calloc(transactions + 1, sizeof(*took));
	if (!took || transactions == 0)
		fail("transactions", "none");
	for (unsigned i = 0; i < threads; i++) {
		if (all[i].transactions)
			memcpy(took + at, all[i].took_ns, all[i].transactions * sizeof(*took));
		at += all[i].transactions;
	}
	qsort(took, transactions, sizeof(*took), by_size);
	printf("result transactions=%zu updates=%llu elapsed_ns=%lld lock_ns=%lld cpu_ns=%lld machine_idle_ns=%lld", transactions,
	       (unsigned long long)updates, (long long)elapsed, (long long)lock_ns, (long long)cpu, (long long)idle);
	printf(" p50_ns=%lld p99_ns=%lld max_ns=%lld\nticks", (long long)took[(transactions - 1) / 2],
	       (long long)took[(transactions - 1) - (transactions - 1) / 100], (long long)took[transactions - 1]);
	for (size_t tick = 0; tick < tick_count; tick++) {
		uint64_t ended = 0;

		for (unsigned i = 0; i < threads; i++)
			ended += all[i].ticks[tick];
		printf(" %llu", (unsigned long long)ended);
	}
	printf("\n");
	fflush(stdout);
	free(took);
}

int main(int argc, char **argv)
{
	struct thread *all;
	int64_t cpu, idle, elapsed;

	if (argc < 9) {
		fputs("usage: updater RECORD_BYTES THREADS MILLISECONDS UPDATE_PERCENT SEED direct|buffered exclusive|shared FILE...\n",
		      stderr);
		return 2;
	}
	record_bytes = (size_t)strtoull(argv[1], NULL, 10);
	threads = (unsigned)strtoul(argv[2], NULL, 10);
	duration_ns = (int64_t)strtoull(argv[3], NULL, 10) * 1000000;
	update_percent = (unsigned)strtoul(argv[4], NULL, 10);
	seed = strtoull(argv[5], NULL, 10);
	direct = strcmp(argv[6], "direct") == 0;
	exclusive = strcmp(argv[7], "exclusive") == 0;
	file_count = (unsigned)argc - 8;
	tick_count = (size_t)(duration_ns / TICK_NS);
	if (record_bytes < 2 * sizeof(uint64_t) || threads == 0)
		fail("arguments", "a number is too small");
	files = calloc(file_count, sizeof(*files));
	all = calloc(threads, sizeof(*all));
	if (!files || !all)
		fail("memory", "none");
	for (unsigned i = 0; i < file_count; i++)
		open_file(&files[i], argv[8 + i]);
	pthread_barrier_init(&begin, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++) {
		all[i].number = i;
		all[i].state = seed + i;
		all[i].ticks = calloc(tick_count + 1, sizeof(*all[i].ticks));
		if (!all[i].ticks || pthread_create(&all[i].id, NULL, run, &all[i]) != 0)
			fail("threads", "not so many");
	}
	cpu = cpu_ns();
	idle = idle_ns();
	begin_ns = now_ns();
	pthread_barrier_wait(&begin);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(all[i].id, NULL);
	elapsed = now_ns() - begin_ns;
	cpu = cpu_ns() - cpu;
	idle = idle_ns() - idle;
	for (unsigned i = 0; i < file_count; i++)
		if (close(files[i].fd) != 0)
			fail(files[i].name, strerror(errno));
	report(all, elapsed, cpu, idle);
	for (unsigned i = 0; i < threads; i++) {
		free(all[i].took_ns);
		free(all[i].ticks);
	}
	free(all);
	free(files);
	return 0;
}
