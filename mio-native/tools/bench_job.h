#ifndef MIO_TOOLS_BENCH_JOB_H
#define MIO_TOOLS_BENCH_JOB_H

/*
 * The rules of a worker of `mio bench`, without the calls: which records in which order, what is in them, and how times are counted.
 * Twins in Java: WorkerJob, Sequence, Content, Histogram. docs/format/bench-worker.md has the rules, twin/bench/ the golden cases.
 */
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thread's noise is this much larger than a record, so that neighbouring records of a file have different noise. */
#define BENCH_NOISE_BYTES (1 << 18)
#define BENCH_ALIGN_BYTES 4096
#define BENCH_STAMP_BYTES 4096
#define BENCH_STAMP_BYTES_VERIFIED 512
#define BENCH_BUCKETS 252

/* The numbers of the tests are part of the seeds. */
enum bench_test {
	BENCH_WRITE,
	BENCH_REWRITE,
	BENCH_READ,
	BENCH_REREAD,
	BENCH_RANDOM_READ,
	BENCH_RANDOM_WRITE,
	BENCH_BACKWARD,
	BENCH_RECORD_REWRITE,
	BENCH_STRIDED,
	BENCH_MIXED,
	BENCH_SOLVER,
	BENCH_INTERLEAVED,
	BENCH_NESTED,
	BENCH_ZIPF,
	BENCH_LOOP,
	BENCH_TESTS
};

static const char *const bench_test_names[BENCH_TESTS] = {
	"write",    "rewrite",	      "read",	 "reread", "random-read", "random-write",
	"backward", "record-rewrite", "strided", "mixed",  "solver",
	"interleaved", "nested",      "zipf",	 "loop",
};

struct bench_job {
	int test;
	uint64_t record_bytes;	/* at least 1 */
	uint64_t file_records;	/* of each file, at least 1 */
	uint64_t threads;	/* threads of all workers together */
	uint64_t first;		/* number of the first thread of this worker, from 0 */
	uint64_t count;		/* threads of this worker */
	uint64_t stride;	/* records, at least 1 */
	uint64_t seed;
	uint64_t mix_percent;	/* percentage of reads in a mixed test */
	uint64_t generation;	/* generation of what is written, 1 to 255 */
	uint64_t known;		/* generation of all that the files hold; 0: what this worker has written */
	uint64_t direct, flush, close, verify;	/* 0 or 1 */
};

/* The next number of splitmix64 whose state is z. */
static inline uint64_t bench_mix(uint64_t z)
{
	z += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* One thread's way through its section of a file. */
struct bench_sequence {
	const struct bench_job *job;
	size_t file;
	uint64_t first_record, records;	/* the section; may be empty */
	uint64_t done;			/* calls so far */
	uint64_t at, start;		/* position of tests that need one; in a solver, start is the number of the pass */
	uint64_t keys[5];		/* keys of the four rounds of the permutation, and of mixed and zipf */
	unsigned half_bits;
	uint64_t digest;
};

/* thread: 0 to job->threads - 1. Threads of the same file have sections side by side. */
static inline void bench_sequence_begin(struct bench_sequence *sequence, const struct bench_job *job, uint64_t thread, size_t files)
{
	uint64_t file = thread % files;
	uint64_t part = thread / files;
	uint64_t parts = (job->threads - file + files - 1) / files;
	uint64_t seed = bench_mix(job->seed ^ (uint64_t)(job->test + 1) << 32 ^ thread);
	unsigned __int128 all = job->file_records;

	memset(sequence, 0, sizeof(*sequence));
	sequence->job = job;
	sequence->file = (size_t)file;
	sequence->first_record = (uint64_t)(all * part / parts);
	sequence->records = (uint64_t)(all * (part + 1) / parts) - sequence->first_record;
	for (unsigned i = 0; i < 5; i++)
		sequence->keys[i] = bench_mix(seed + i + 1);
	sequence->half_bits = 1;
	while (sequence->half_bits < 32 && sequence->records > UINT64_C(1) << (2 * sequence->half_bits))
		sequence->half_bits++;
	sequence->digest = thread + 1;
}

/* A permutation of 0 to records - 1: a Feistel network on the next power of four, repeated until the result is below records. */
static inline uint64_t bench_permuted(const struct bench_sequence *sequence, uint64_t index)
{
	uint64_t mask = (UINT64_C(1) << sequence->half_bits) - 1;

	do {
		uint64_t left = index >> sequence->half_bits;
		uint64_t right = index & mask;

		for (unsigned i = 0; i < 4; i++) {
			uint64_t next = left ^ (bench_mix(sequence->keys[i] ^ right) & mask);

			left = right;
			right = next;
		}
		index = left << sequence->half_bits | right;
	} while (index >= sequence->records);
	return index;
}

/*
 * Records that a pass of the solver leaves out. A solver writes, reads forward, backward, forward, backward, and begins again: 18 passes in
 * all. The last pass that writes and the pass after it leave out the first third of the records.
 */
static inline uint64_t bench_solver_left_out(const struct bench_sequence *sequence)
{
	return sequence->start == 15 || sequence->start == 16 ? sequence->records / 3 : 0;
}

/* The next record of eight readers in turns, each of which has an eighth of the records. */
static inline uint64_t bench_interleaved_next(struct bench_sequence *sequence)
{
	uint64_t part = (sequence->records + 7) / 8;
	uint64_t index;

	do {
		index = sequence->at % 8 * part + sequence->at / 8;
		sequence->at++;
	} while (index >= sequence->records);
	return index;
}

/* The next record of rows of four records, which are four apart: one row in each block of 64 records, then another row in each block. */
static inline uint64_t bench_nested_next(struct bench_sequence *sequence)
{
	uint64_t blocks = (sequence->records + 63) / 64;
	uint64_t index;

	do {
		uint64_t row = sequence->start % 4 + sequence->start / 4 * 16;

		index = sequence->at / 4 * 64 + row + sequence->at % 4 * 4;
		if (++sequence->at == blocks * 4) {
			sequence->at = 0;
			sequence->start++;
		}
	} while (index >= sequence->records);
	return index;
}

/* A random record: a rank from 1, each power of two of which is as likely as the next one, then permuted. */
static inline uint64_t bench_popular(const struct bench_sequence *sequence, uint64_t index)
{
	unsigned powers = 64 - (unsigned)__builtin_clzll(sequence->records);
	uint64_t drawn = bench_mix(sequence->keys[4] + index);
	uint64_t first = UINT64_C(1) << (drawn % powers);

	return bench_permuted(sequence, (first + (bench_mix(drawn) & (first - 1)) - 1) % sequence->records);
}

/* Begins the next pass at the end of a pass. Returns 1 after the last pass, else 0. */
static inline int bench_solver_is_done(struct bench_sequence *sequence)
{
	if (sequence->at == sequence->records - bench_solver_left_out(sequence)) {
		sequence->at = 0;
		sequence->start++;
	}
	return sequence->records == 0 || sequence->start == 18;
}

static inline uint64_t bench_solver_next(struct bench_sequence *sequence, int *writes)
{
	uint64_t pass = sequence->start % 5;
	uint64_t at = sequence->at++;

	*writes = pass == 0;
	return pass == 2 || pass == 4 ? sequence->records - 1 - at : bench_solver_left_out(sequence) + at;
}

static inline int bench_sequence_is_over(struct bench_sequence *sequence)
{
	if (sequence->job->test == BENCH_SOLVER)
		return bench_solver_is_done(sequence);
	return sequence->done == (sequence->job->test == BENCH_LOOP ? 3 * sequence->records : sequence->records);
}

/* The next call. Returns 0 at the end; else 1, with the record of the file in *record, and *writes 1 for a write. */
static inline int bench_sequence_next(struct bench_sequence *sequence, uint64_t *record, int *writes)
{
	uint64_t index = sequence->done;

	if (bench_sequence_is_over(sequence))
		return 0;
	*writes = 0;
	switch (sequence->job->test) {
	case BENCH_WRITE:
	case BENCH_REWRITE:
		*writes = 1;
		break;
	case BENCH_RANDOM_WRITE:
		*writes = 1;
		index = bench_permuted(sequence, index);
		break;
	case BENCH_RANDOM_READ:
		index = bench_permuted(sequence, index);
		break;
	case BENCH_MIXED:
		*writes = bench_mix(sequence->keys[4] + index) % 100 >= sequence->job->mix_percent;
		index = bench_permuted(sequence, index);
		break;
	case BENCH_BACKWARD:
		index = sequence->records - 1 - index;
		break;
	case BENCH_RECORD_REWRITE:
		*writes = 1;
		index = 0;
		break;
	case BENCH_STRIDED:
		if (sequence->at >= sequence->records)
			sequence->at = ++sequence->start;
		index = sequence->at;
		sequence->at = sequence->job->stride > UINT64_MAX - index ? UINT64_MAX : index + sequence->job->stride;
		break;
	case BENCH_SOLVER:
		index = bench_solver_next(sequence, writes);
		break;
	case BENCH_INTERLEAVED:
		index = bench_interleaved_next(sequence);
		break;
	case BENCH_NESTED:
		index = bench_nested_next(sequence);
		break;
	case BENCH_ZIPF:
		index = bench_popular(sequence, index);
		break;
	case BENCH_LOOP:
		index %= sequence->records;
		break;
	default:
		break;
	}
	sequence->done++;
	*record = sequence->first_record + index;
	sequence->digest = bench_mix(sequence->digest ^ (*record * 2 + (uint64_t)*writes));
	return 1;
}

/* Fills noise, the memory for contents of records: BENCH_NOISE_BYTES and a record. Bytes that stamps overwrite are overwritten by the next stamps. */
static inline void bench_content_noise(const struct bench_job *job, unsigned char *noise)
{
	uint64_t state = job->seed;

	for (uint64_t at = 0; at < BENCH_NOISE_BYTES + job->record_bytes; at++) {
		if (at % 8 == 0)
			state = bench_mix(state + at);
		noise[at] = (unsigned char)(state >> (8 * (at % 8)));
	}
}

/*
 * Makes the content of the record at that offset of the file, in the noise. Eight bytes in every 4096 (with verify in every 512) tell
 * where the bytes belong and which generation they are. So no two blocks of a file are the same.
 */
static inline unsigned char *bench_content_record(const struct bench_job *job, unsigned char *noise, uint64_t offset,
						  uint64_t generation)
{
	unsigned char *record = noise + offset % BENCH_NOISE_BYTES / BENCH_ALIGN_BYTES * BENCH_ALIGN_BYTES;
	uint64_t step = job->verify ? BENCH_STAMP_BYTES_VERIFIED : BENCH_STAMP_BYTES;

	for (uint64_t at = 0; at < job->record_bytes; at += step) {
		uint64_t stamp = htole64(bench_mix(bench_mix(job->seed + offset + at) + generation));
		uint64_t rest = job->record_bytes - at;

		memcpy(record + at, &stamp, rest < sizeof(stamp) ? rest : sizeof(stamp));
	}
	return record;
}

/* The bucket of a time: four buckets for each power of two. */
static inline unsigned bench_bucket(uint64_t ns)
{
	unsigned power;

	if (ns < 4)
		return (unsigned)ns;
	power = 63 - (unsigned)__builtin_clzll(ns);
	return (power - 1) * 4 + (unsigned)(ns >> (power - 2) & 3);
}

/* Reads the words key=value after the command. Returns NULL, or the word that is wrong. */
static inline const char *bench_job_parse(struct bench_job *job, char *words)
{
	struct {
		const char *key;
		uint64_t *value;
		uint64_t least, most;
	} keys[] = {
		{"record_bytes", &job->record_bytes, 1, UINT64_C(1) << 30},
		{"file_records", &job->file_records, 1, INT64_MAX},
		{"threads", &job->threads, 1, 65536},
		{"first", &job->first, 0, 65535},
		{"count", &job->count, 1, 65536},
		{"stride", &job->stride, 1, INT64_MAX},
		{"seed", &job->seed, 0, INT64_MAX},
		{"mix_percent", &job->mix_percent, 0, 100},
		{"generation", &job->generation, 1, 255},
		{"known", &job->known, 0, 255},
		{"direct", &job->direct, 0, 1},
		{"flush", &job->flush, 0, 1},
		{"close", &job->close, 0, 1},
		{"verify", &job->verify, 0, 1},
	};
	const unsigned count = sizeof(keys) / sizeof(*keys);
	static char twice[64];
	char *rest = NULL;
	unsigned seen = 0;

	job->test = -1;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *value = strchr(word, '=');
		char *end = NULL;
		unsigned i = 0;

		if (!value)
			return word;
		*value++ = 0;
		if (strcmp(word, "test") == 0) {
			if (job->test >= 0)
				return "test twice";
			for (int test = 0; test < BENCH_TESTS; test++)
				if (strcmp(value, bench_test_names[test]) == 0)
					job->test = test;
			if (job->test < 0)
				return "test";
			continue;
		}
		while (i < count && strcmp(word, keys[i].key) != 0)
			i++;
		if (i == count)
			return word;
		if (seen & 1u << i) {
			snprintf(twice, sizeof(twice), "%s twice", word);
			return twice;
		}
		if (*value < '0' || *value > '9')
			return word;
		errno = 0;
		*keys[i].value = strtoull(value, &end, 10);
		if (errno != 0 || *end || *keys[i].value < keys[i].least || *keys[i].value > keys[i].most)
			return keys[i].key;
		seen |= 1u << i;
	}
	for (unsigned i = 0; i < count; i++)
		if (!(seen & 1u << i))
			return keys[i].key;
	if (job->test < 0)
		return "test";
	if (job->first + job->count > job->threads)
		return "count";
	return job->file_records > (uint64_t)INT64_MAX / job->record_bytes ? "file_records" : NULL;
}

#endif
