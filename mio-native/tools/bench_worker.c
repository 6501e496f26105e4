/*
 * Does what `mio bench` measures: reads and writes records of files, in an order and with contents that follow from a seed. It is a
 * plain program that knows nothing of MIO. Twin of BenchWorker in Java: same lines in, same lines out, same calls in between.
 *
 * It obeys lines on standard input (docs/format/bench-worker.md):
 *
 *   bench-worker 1          printed at the beginning
 *   plan KEY=VALUE...       prints the calls of the first thread, and makes none
 *   run KEY=VALUE...        opens the files, prints `prepared`, waits for `go`, then measures; ends with `done`
 *   warm KEY=VALUE...       the same, with the files after `--`
 *
 * Any failure is a line `failed TEXT`, a byte with a wrong value a line `wrong TEXT`; both end the program.
 */
#include "bench_job.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define NANOS 1000000000
#define LINE_BYTES 4096
#define RECORDS_MAX (INT32_MAX - 8)	/* most records of a file that are verified: an array of the twin holds no more */

/* What jobs with verify know of the records of a file. */
struct known {
	unsigned char *generations;	/* generation of each record; 0: not known */
	uint64_t records, record_bytes;
};

struct worker {
	size_t files;
	char **names;
	struct known *known;
	struct bench_job job;
	pthread_barrier_t begin;
};

struct thread {
	struct worker *worker;
	pthread_t id;
	struct bench_sequence sequence;
	int fd;
	unsigned char *noise;		/* memory in which records that are written or expected are made */
	unsigned char *data;		/* the present record in noise */
	unsigned char *found;		/* the record as it is read */
	int64_t begin_ns, end_ns, flush_ns, close_ns, most_ns;
	uint64_t calls;
	uint64_t latency[BENCH_BUCKETS];
};

/* What the process has used, and the busy time of all processors of the machine; 0 if not known. */
struct usage {
	int64_t cpu_ns, machine_ns, device_read_bytes, device_written_bytes;
};

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * NANOS + time.tv_nsec;
}

/* Prints one line and ends the process. Control characters become '?', because names of files may have any. */
__attribute__((noreturn, format(printf, 2, 3))) static void fail(const char *kind, const char *format, ...)
{
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
	char text[LINE_BYTES];
	va_list arguments;

	pthread_mutex_lock(&once);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	printf("%s %s\n", kind, text);
	fflush(stdout);
	_exit(1);
}

static size_t slurp(const char *name, char *text, size_t bytes)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, text, bytes - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = 0;
	return got > 0 ? (size_t)got : 0;
}

static int64_t number(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found ? strtoll(found + strlen(name), NULL, 10) : 0;
}

static void own_time(struct usage *usage)
{
	struct timespec own = {0};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
	usage->cpu_ns = (int64_t)own.tv_sec * NANOS + own.tv_nsec;
}

static void counters(struct usage *usage)
{
	char text[LINE_BYTES];
	long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0;

	slurp("/proc/self/io", text, sizeof(text));
	usage->device_read_bytes = number(text, "\nread_bytes: ");
	usage->device_written_bytes = number(text, "\nwrite_bytes: ");
	slurp("/proc/stat", text, sizeof(text));
	if (sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &system, &idle, &wait, &irq, &soft) == 7)
		usage->machine_ns = (user + nice + system + irq + soft) * (NANOS / sysconf(_SC_CLK_TCK));
}

/* Reads the clock last, so that the time for reading the counters does not count for the test. */
static struct usage usage_before(void)
{
	struct usage usage = {0};

	counters(&usage);
	own_time(&usage);
	return usage;
}

/* Reads the clock first, for the same reason. */
static struct usage usage_after(void)
{
	struct usage usage = {0};

	own_time(&usage);
	counters(&usage);
	return usage;
}

static void transfer(struct thread *thread, uint64_t offset, int writes)
{
	const struct worker *worker = thread->worker;
	uint64_t bytes = worker->job.record_bytes;

	for (uint64_t done = 0; done < bytes;) {
		ssize_t moved = writes ? pwrite(thread->fd, thread->data + done, bytes - done, (off_t)(offset + done))
				       : pread(thread->fd, thread->found + done, bytes - done, (off_t)(offset + done));

		if (moved < 0)
			fail("failed", "%s: %s at %llu: %s", worker->names[thread->sequence.file], writes ? "write" : "read",
			     (unsigned long long)(offset + done), strerror(errno));
		if (moved == 0)
			fail("failed", "%s: ends at %llu", worker->names[thread->sequence.file],
			     (unsigned long long)(offset + done));
		done += (uint64_t)moved;
	}
}

static void check(struct thread *thread, uint64_t offset, uint64_t generation)
{
	const struct worker *worker = thread->worker;
	uint64_t at = 0;

	if (generation == 0)
		fail("failed", "%s: read at %llu: nobody has told what is there", worker->names[thread->sequence.file],
		     (unsigned long long)offset);
	thread->data = bench_content_record(&worker->job, thread->noise, offset, generation);
	if (memcmp(thread->data, thread->found, worker->job.record_bytes) == 0)
		return;
	while (thread->data[at] == thread->found[at])
		at++;
	fail("wrong", "%s: byte %llu is 0x%02x, expected 0x%02x", worker->names[thread->sequence.file],
	     (unsigned long long)(offset + at), thread->found[at], thread->data[at]);
}

static void work(struct thread *thread)
{
	const struct bench_job *job = &thread->worker->job;
	unsigned char *generations = job->verify ? thread->worker->known[thread->sequence.file].generations : NULL;
	int64_t before = thread->begin_ns;
	uint64_t record;
	int writes;

	while (bench_sequence_next(&thread->sequence, &record, &writes)) {
		uint64_t offset = record * job->record_bytes;
		int64_t after;

		if (writes)
			thread->data = bench_content_record(job, thread->noise, offset, job->generation);
		if (job->verify) {
			if (writes)
				generations[record] = (unsigned char)job->generation;
			before = now_ns();
		}
		transfer(thread, offset, writes);
		after = now_ns();
		thread->latency[bench_bucket((uint64_t)(after - before))]++;
		if (after - before > thread->most_ns)
			thread->most_ns = after - before;
		if (job->verify && !writes)
			check(thread, offset, generations[record]);
		before = after;
		thread->calls++;
	}
}

static void finish(struct thread *thread)
{
	int64_t before = now_ns();

	if (close(thread->fd) != 0)
		fail("failed", "%s: close: %s", thread->worker->names[thread->sequence.file], strerror(errno));
	thread->close_ns = now_ns() - before;
}

static void *run_thread(void *argument)
{
	struct thread *thread = argument;
	const struct bench_job *job = &thread->worker->job;

	pthread_barrier_wait(&thread->worker->begin);
	thread->begin_ns = now_ns();
	work(thread);
	thread->end_ns = now_ns();
	if (job->flush) {
		if (fsync(thread->fd) != 0)
			fail("failed", "%s: fsync: %s", thread->worker->names[thread->sequence.file], strerror(errno));
		thread->flush_ns = now_ns() - thread->end_ns;
		thread->end_ns += thread->flush_ns;
	}
	if (job->close) {
		finish(thread);
		thread->end_ns = now_ns();
	}
	return NULL;
}

static void *memory(size_t bytes)
{
	void *got = NULL;

	if (posix_memalign(&got, BENCH_ALIGN_BYTES, bytes) != 0)
		fail("failed", "no memory for %zu bytes", bytes);
	return got;
}

/* Makes room for all records of the job. Forgets what is known of records of another size. */
static void prepare_known(struct worker *worker)
{
	const struct bench_job *job = &worker->job;

	for (size_t i = 0; i < worker->files; i++) {
		struct known *known = &worker->known[i];

		if (job->file_records > RECORDS_MAX)
			fail("failed", "no memory to verify %llu records", (unsigned long long)job->file_records);
		if (known->record_bytes != job->record_bytes)
			known->records = 0;
		if (known->records < job->file_records) {
			unsigned char *more = realloc(known->generations, job->file_records);

			if (!more)
				fail("failed", "no memory to verify %llu records", (unsigned long long)job->file_records);
			memset(more + known->records, 0, job->file_records - known->records);
			known->generations = more;
			known->records = job->file_records;
			known->record_bytes = job->record_bytes;
		}
		if (job->known)
			memset(known->generations, (int)job->known, job->file_records);
	}
}

static void prepare(struct worker *worker, struct thread *thread, uint64_t number)
{
	const struct bench_job *job = &worker->job;
	int writes = job->test == BENCH_WRITE || job->test == BENCH_REWRITE || job->test == BENCH_RANDOM_WRITE ||
		     job->test == BENCH_RECORD_REWRITE || job->test == BENCH_MIXED || job->test == BENCH_SOLVER;

	thread->worker = worker;
	bench_sequence_begin(&thread->sequence, job, number, worker->files);
	thread->noise = memory(BENCH_NOISE_BYTES + job->record_bytes);
	thread->found = memory(job->record_bytes);
	bench_content_noise(job, thread->noise);
	memset(thread->found, 0, job->record_bytes);
	/* Files that are written were made for the test, so a symbolic link in such a place is somebody else's. */
	thread->fd = open(worker->names[thread->sequence.file],
			  (writes ? O_RDWR | O_NOFOLLOW : O_RDONLY) | O_CLOEXEC | (job->direct ? O_DIRECT : 0));
	if (thread->fd < 0)
		fail("failed", "%s: open: %s", worker->names[thread->sequence.file], strerror(errno));
}

static void report(const struct worker *worker, const struct thread *threads, int64_t open_ns, const struct usage *before,
		   const struct usage *after)
{
	int64_t begin = INT64_MAX, end = INT64_MIN, flush = 0, close = 0, most = 0;
	uint64_t calls = 0, digest = 0;
	uint64_t latency[BENCH_BUCKETS] = {0};

	for (uint64_t i = 0; i < worker->job.count; i++) {
		const struct thread *thread = &threads[i];

		begin = thread->begin_ns < begin ? thread->begin_ns : begin;
		end = thread->end_ns > end ? thread->end_ns : end;
		flush = thread->flush_ns > flush ? thread->flush_ns : flush;
		close = thread->close_ns > close ? thread->close_ns : close;
		most = thread->most_ns > most ? thread->most_ns : most;
		calls += thread->calls;
		digest += thread->sequence.digest;
		for (unsigned bucket = 0; bucket < BENCH_BUCKETS; bucket++)
			latency[bucket] += thread->latency[bucket];
	}
	printf("result begin_ns=%lld end_ns=%lld bytes=%llu calls=%llu", (long long)begin, (long long)end,
	       (unsigned long long)(calls * worker->job.record_bytes), (unsigned long long)calls);
	printf(" cpu_ns=%lld machine_ns=%lld device_read_bytes=%lld device_written_bytes=%lld",
	       (long long)(after->cpu_ns - before->cpu_ns),
	       (long long)(after->machine_ns - before->machine_ns),
	       (long long)(after->device_read_bytes - before->device_read_bytes),
	       (long long)(after->device_written_bytes - before->device_written_bytes));
	printf(" open_ns=%lld flush_ns=%lld close_ns=%lld most_ns=%lld digest=%016llx\nlatency", (long long)open_ns,
	       (long long)flush, (long long)close, (long long)most, (unsigned long long)digest);
	for (unsigned bucket = 0; bucket < BENCH_BUCKETS; bucket++)
		if (latency[bucket])
			printf(" %u:%llu", bucket, (unsigned long long)latency[bucket]);
	printf("\ndone\n");
	fflush(stdout);
}

/* The next line without its end; 0 at the end of the input. */
static int next_line(char *line)
{
	size_t bytes;

	if (!fgets(line, LINE_BYTES, stdin))
		return 0;
	bytes = strlen(line);
	if (bytes > 0 && line[bytes - 1] == '\n')
		line[bytes - 1] = 0;
	else if (!feof(stdin))
		fail("failed", "line not understood: longer than %d bytes", LINE_BYTES - 2);
	return 1;
}

static void run(struct worker *worker)
{
	const struct bench_job *job = &worker->job;
	struct thread *threads = calloc(job->count, sizeof(*threads));
	struct usage before, after;
	int64_t began = now_ns();
	int64_t open_ns;
	char line[LINE_BYTES];

	if (!threads)
		fail("failed", "no memory for %llu threads", (unsigned long long)job->count);
	if (job->verify)
		prepare_known(worker);
	for (uint64_t i = 0; i < job->count; i++)
		prepare(worker, &threads[i], job->first + i);
	open_ns = now_ns() - began;
	pthread_barrier_init(&worker->begin, NULL, (unsigned)job->count + 1);
	for (uint64_t i = 0; i < job->count; i++)
		if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0)
			fail("failed", "no more than %llu threads can be started", (unsigned long long)i);
	puts("prepared");
	fflush(stdout);
	if (!next_line(line))
		_exit(0);
	if (strcmp(line, "go") != 0)
		fail("failed", "line not understood: not go");
	before = usage_before();
	pthread_barrier_wait(&worker->begin);
	for (uint64_t i = 0; i < job->count; i++)
		pthread_join(threads[i].id, NULL);
	if (!job->close)
		for (uint64_t i = 0; i < job->count; i++)
			finish(&threads[i]);
	/* After the closes, because writes that were kept back until then cost something, too. */
	after = usage_after();
	for (uint64_t i = 0; i < job->count; i++) {
		free(threads[i].noise);
		free(threads[i].found);
	}
	report(worker, threads, open_ns, &before, &after);
	pthread_barrier_destroy(&worker->begin);
	free(threads);
}

static void plan(const struct worker *worker)
{
	struct bench_sequence sequence;
	uint64_t record;
	int writes;

	bench_sequence_begin(&sequence, &worker->job, worker->job.first, worker->files);
	while (bench_sequence_next(&sequence, &record, &writes))
		printf("%c %zu %llu\n", writes ? 'w' : 'r', sequence.file,
		       (unsigned long long)(record * worker->job.record_bytes));
	printf("digest %016llx\ndone\n", (unsigned long long)sequence.digest);
	fflush(stdout);
}

static void set_files(struct worker *worker, char **names, size_t files)
{
	worker->names = names;
	worker->files = files;
	worker->known = calloc(files ? files : 1, sizeof(*worker->known));
	if (!worker->known)
		fail("failed", "no memory");
}

static void free_known(struct worker *worker)
{
	for (size_t i = 0; i < worker->files; i++)
		free(worker->known[i].generations);
	free(worker->known);
}

static void obey(struct worker *worker, struct worker *warm, char *line)
{
	struct worker *meant = strncmp(line, "warm ", 5) == 0 && warm->files > 0 ? warm : worker;
	int runs = meant == warm || strncmp(line, "run ", 4) == 0;
	const char *wrong = "command";

	if (runs || strncmp(line, "plan ", 5) == 0)
		wrong = bench_job_parse(&meant->job, strchr(line, ' ') + 1);
	if (wrong)
		fail("failed", "line not understood: %s", wrong);
	if (runs)
		run(meant);
	else
		plan(meant);
}

int main(int argc, char **argv)
{
	struct worker worker = {0}, warm = {0};
	char line[LINE_BYTES];
	int end = 1;

	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	if (end < 2) {
		fputs("usage: bench_worker FILE... [-- FILE...]\n", stderr);
		return 2;
	}
	set_files(&worker, argv + 1, (size_t)end - 1);
	set_files(&warm, argv + end + 1, end < argc ? (size_t)(argc - end - 1) : 0);
	puts("bench-worker 1");
	fflush(stdout);
	while (next_line(line))
		obey(&worker, &warm, line);
	free_known(&worker);
	free_known(&warm);
	return 0;
}
