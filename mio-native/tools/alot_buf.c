/*
 * The workload of the original's example: writes a file in records, reads it forward, reads it backward, and checks every byte it
 * reads. It is a plain program that knows nothing of MIO. Twin of AlotBuf in Java: same arguments, same bytes, same lines.
 *
 * All records are the same noise, but each has its number at its start and every 512 bytes after. So a byte of another record or of
 * another place is found. To compare a record with the expected one costs little beside the transfer.
 *
 * Source: the document on MIO configuration by example, alot_buf: 140000 records of 102400 bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STAMP_BYTES 512
#define NANOS 1000000000

struct program {
	int fd;
	int64_t records;
	size_t record_bytes;
	unsigned char *expected;
	unsigned char *actual;
};

/* What the process has used so far: ns, calls of read and write on any file, bytes that the kernel fetched from storage; 0 if not known. */
struct usage {
	int64_t cpu_ns, reads, writes, device_bytes;
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec time = {0};

	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * NANOS + time.tv_nsec;
}

static int64_t number(const char *io, const char *name)
{
	const char *found = strstr(io, name);

	return found ? strtoll(found + strlen(name), NULL, 10) : 0;
}

static struct usage usage_now(void)
{
	struct usage usage = {.cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID)};
	char io[1024];
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? 0 : read(fd, io, sizeof(io) - 1);

	/* Kernels may be built without this file; the numbers are then not known. */
	if (fd >= 0)
		close(fd);
	io[bytes > 0 ? bytes : 0] = 0;
	usage.reads = number(io, "syscr: ");
	usage.writes = number(io, "syscw: ");
	usage.device_bytes = number(io, "\nread_bytes: ");
	return usage;
}

__attribute__((noreturn)) static void failed(const char *what)
{
	fprintf(stderr, "alot_buf: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void stamp(struct program *program, int64_t record)
{
	for (size_t at = 0; at + sizeof(record) <= program->record_bytes; at += STAMP_BYTES)
		for (size_t i = 0; i < sizeof(record); i++)
			program->expected[at + i] = (unsigned char)((uint64_t)record >> (8 * (sizeof(record) - 1 - i)));
}

static void seek(struct program *program, int64_t offset)
{
	if (lseek(program->fd, offset, SEEK_SET) != offset)
		failed("lseek");
}

static void write_all(struct program *program)
{
	seek(program, 0);
	for (int64_t record = 0; record < program->records; record++) {
		size_t done = 0;

		stamp(program, record);
		while (done < program->record_bytes) {
			ssize_t bytes = write(program->fd, program->expected + done, program->record_bytes - done);

			if (bytes < 0)
				failed("write");
			done += (size_t)bytes;
		}
	}
}

static void read_and_check(struct program *program, const char *pass, int64_t record)
{
	size_t done = 0;
	size_t wrong = 0;

	while (done < program->record_bytes) {
		ssize_t bytes = read(program->fd, program->actual + done, program->record_bytes - done);

		if (bytes < 0)
			failed("read");
		if (bytes == 0) {
			fprintf(stderr, "alot_buf: pass %s: file ends in record %lld, byte %zu\n", pass, (long long)record,
				done);
			exit(1);
		}
		done += (size_t)bytes;
	}
	stamp(program, record);
	if (memcmp(program->expected, program->actual, program->record_bytes) == 0)
		return;
	while (program->expected[wrong] == program->actual[wrong])
		wrong++;
	fprintf(stderr, "alot_buf: pass %s: record %lld, byte %zu (offset %lld) is 0x%02x, expected 0x%02x\n", pass,
		(long long)record, wrong, (long long)record * (long long)program->record_bytes + (long long)wrong,
		program->actual[wrong], program->expected[wrong]);
	exit(1);
}

static void read_forward(struct program *program)
{
	seek(program, 0);
	for (int64_t record = 0; record < program->records; record++)
		read_and_check(program, "forward", record);
}

static void read_backward(struct program *program)
{
	seek(program, program->records * (int64_t)program->record_bytes);
	for (int64_t record = program->records - 1; record >= 0; record--) {
		seek(program, record * (int64_t)program->record_bytes);
		read_and_check(program, "backward", record);
	}
}

static void timed(struct program *program, const char *pass, void (*run)(struct program *program))
{
	int64_t began = now_ns(CLOCK_MONOTONIC);
	int64_t bytes = program->records * (int64_t)program->record_bytes;
	int64_t ns;

	run(program);
	ns = now_ns(CLOCK_MONOTONIC) - began;
	printf("%-8s %9lld records %14lld bytes %13lld ns %10.1f MiB/s\n", pass, (long long)program->records,
	       (long long)bytes, (long long)ns, (double)bytes / (1 << 20) / ((double)(ns > 0 ? ns : 1) / NANOS));
	fflush(stdout);
}

/* Waits for a line on standard input. Returns how long that took, in nanoseconds. */
static int64_t rest(void)
{
	int64_t began = now_ns(CLOCK_MONOTONIC);
	char c = 0;

	puts("paused");
	fflush(stdout);
	while (c != '\n' && read(0, &c, 1) == 1)
		;
	return now_ns(CLOCK_MONOTONIC) - began;
}

static void prepare(struct program *program)
{
	int64_t noise = 88172645463325252;

	program->expected = malloc(program->record_bytes);
	program->actual = malloc(program->record_bytes);
	if (!program->expected || !program->actual)
		failed("memory for two records");
	for (size_t i = 0; i < program->record_bytes; i++) {
		/* xorshift: the same noise in every run */
		noise ^= (int64_t)((uint64_t)noise << 13);
		noise ^= (int64_t)((uint64_t)noise >> 7);
		noise ^= (int64_t)((uint64_t)noise << 17);
		program->expected[i] = (unsigned char)noise;
	}
}

int main(int argc, char **argv)
{
	struct program program = {0};
	struct usage before = usage_now();
	struct usage after;
	int64_t paused = 0;
	int64_t began;
	int64_t ns;
	int pauses = argc == 5 && strcmp(argv[4], "pause") == 0;

	if (argc >= 4) {
		program.record_bytes = (size_t)strtoull(argv[2], NULL, 10);
		program.records = strtoll(argv[3], NULL, 10);
	}
	if ((argc != 4 && !pauses) || program.record_bytes == 0 || program.records <= 0) {
		fputs("usage: alot_buf FILE RECORD_BYTES RECORDS [pause]\n", stderr);
		return 2;
	}
	prepare(&program);
	began = now_ns(CLOCK_MONOTONIC);
	program.fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (program.fd < 0)
		failed(argv[1]);
	timed(&program, "write", write_all);
	paused += pauses ? rest() : 0;
	timed(&program, "forward", read_forward);
	paused += pauses ? rest() : 0;
	timed(&program, "backward", read_backward);
	if (close(program.fd) != 0)
		failed("close");
	ns = now_ns(CLOCK_MONOTONIC) - began - paused;
	after = usage_now();
	printf("elapsed %lld ns, cpu %lld ns, calls %lld read %lld write, device %lld bytes\n", (long long)ns,
	       (long long)(after.cpu_ns - before.cpu_ns), (long long)(after.reads - before.reads),
	       (long long)(after.writes - before.writes), (long long)(after.device_bytes - before.device_bytes));
	free(program.expected);
	free(program.actual);
	return 0;
}
