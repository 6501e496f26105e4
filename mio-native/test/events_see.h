#ifndef MIO_TEST_EVENTS_SEE_H
#define MIO_TEST_EVENTS_SEE_H

/* For C tests of events files: inspects the bytes of a file, and makes writers from invented facts. */

#include "../src/trace/trace_writer.h"
#include "stats_place.h"

struct seen {
	unsigned char *bytes;
	size_t length;
	const struct mio_trace_header *header;
};

static inline struct seen see(const char *path)
{
	struct seen seen = {0};
	FILE *file = fopen(path, "r");
	struct stat found;

	ASSERT(file && fstat(fileno(file), &found) == 0);
	seen.length = (size_t)found.st_size;
	seen.bytes = calloc(1, seen.length + sizeof(struct mio_trace_block));
	ASSERT(seen.bytes && fread(seen.bytes, 1, seen.length, file) == seen.length);
	fclose(file);
	ASSERT(seen.length >= MIO_TRACE_HEADER_BYTES);
	seen.header = (const void *)seen.bytes;
	ASSERT(memcmp(seen.header->magic, MIO_TRACE_FILE_MAGIC, 8) == 0);
	return seen;
}

static inline void see_no_more(struct seen *seen)
{
	free(seen->bytes);
}

static inline int blocks_of(const struct seen *seen)
{
	return (int)((seen->length - MIO_TRACE_HEADER_BYTES) / MIO_TRACE_BLOCK_BYTES);
}

/* NULL if the block has not been begun. */
static inline struct mio_trace_block *block_of(const struct seen *seen, int number)
{
	struct mio_trace_block *block =
		(void *)(seen->bytes + MIO_TRACE_HEADER_BYTES + (size_t)number * MIO_TRACE_BLOCK_BYTES);

	return block->magic == MIO_TRACE_BLOCK_MAGIC ? block : NULL;
}

/* The next record of all blocks, NULL at the end. *block and *at are the cursor: they begin as 0 and -1. */
static inline const union mio_trace_record *next_record(const struct seen *seen, int *block, int *at)
{
	for (; *block < blocks_of(seen); (*block)++, *at = -1) {
		struct mio_trace_block *one = block_of(seen, *block);

		if (one && ++*at < MIO_TRACE_BLOCK_RECORDS && one->records[*at].event.type != 0)
			return &one->records[*at];
	}
	return NULL;
}

#define EACH_RECORD(seen, record) \
	for (int in_block = 0, at_record = -1, once = 1; once; once = 0) \
		for (const union mio_trace_record *record; (record = next_record(seen, &in_block, &at_record)) != NULL;)

/* Counts the events of a type and an operation; operation -1 counts those of every operation. */
static inline int count_events(const struct seen *seen, int type, int operation)
{
	int count = 0;

	EACH_RECORD(seen, record)
		count += record->event.type == type && (operation < 0 || record->event.operation == operation);
	return count;
}

static inline struct mio_trace_facts facts_of(const char *path)
{
	struct mio_trace_facts facts = {
		.path = path,
		.limit_bytes = 1 << 30,
		.tree = 7,
		.process = (uint32_t)getpid(),
		.parent = (uint32_t)getppid(),
		.door = MIO_TRACE_DOOR_NATIVE,
		.realtime_ns = 1,
		.monotonic_ns = 0,
		.program = "test",
		.host = "here",
		.library = "libmio",
	};

	return facts;
}

static inline struct mio_trace_writer *writer_of(const struct mio_trace_facts *facts)
{
	struct mio_trace_writer *writer = NULL;

	ASSERT_EQUAL(0, mio_trace_writer_make(facts, &writer));
	return writer;
}

static inline uint32_t define_file(struct mio_trace_writer *writer, const char *path)
{
	struct mio_trace_definition definition = {.layer = MIO_TRACE_OF_TRACE, .place = 1, .sample = 1};
	struct mio_trace_words words[] = {{MIO_TRACE_TEXT_PATH, path}, {MIO_TRACE_TEXT_PATH, NULL}};

	return mio_trace_writer_define(writer, &definition, words);
}

static inline void put_read(struct mio_trace_writer *writer, uint32_t file, int64_t start)
{
	struct mio_trace_event event = {.type = MIO_TRACE_RECORD_CALL,
					.operation = 3,
					.file = file,
					.start_ns = start,
					.offset = start,
					.requested = 10,
					.delivered = 10};

	mio_trace_writer_put(writer, &event);
}

#endif
