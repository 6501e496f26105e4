#ifndef MIO_TEST_PLAN_EVENTS_H
#define MIO_TEST_PLAN_EVENTS_H

/* Makes events files, as trace/events would, with reads of a file named "test" through several opens. */

#include "../src/trace/trace_event.h"
#include "assert.h"

#include <unistd.h>

enum { EVENTS_OPENS = 4 };

struct plan_events {
	char path[64];
	FILE *file;
	struct mio_trace_block block;
	int records;
	int64_t time;
};

static inline void plan_events_block(struct plan_events *events, uint16_t kind)
{
	memset(&events->block, 0, sizeof(events->block));
	atomic_store(&events->block.magic, MIO_TRACE_BLOCK_MAGIC);
	events->block.kind = kind;
	events->records = 0;
}

static inline void plan_events_write(struct plan_events *events)
{
	ASSERT_EQUAL(1, fwrite(&events->block, sizeof(events->block), 1, events->file));
}

/* place: that of the trace layer in its stack; sample: one call in so many is recorded. */
static inline void plan_events_define(struct plan_events *events, uint32_t id, uint8_t place, uint32_t sample,
				      const char *path)
{
	union mio_trace_record *record = &events->block.records[events->records];

	record[0].definition = (struct mio_trace_definition){
		.type = MIO_TRACE_RECORD_FILE, .layer = MIO_TRACE_OF_TRACE, .place = place, .file = id, .sample = sample};
	record[1].text = (struct mio_trace_text){
		.type = MIO_TRACE_RECORD_TEXT, .kind = MIO_TRACE_TEXT_PATH, .bytes = (uint8_t)strlen(path), .id = id};
	memcpy(record[1].text.text, path, strlen(path));
	events->records += 2;
}

/* The opens 1 to 4 are of "test", in the topmost trace layer at place 1. Open 5 is of a lower trace layer, and open 6 of another file. */
static inline void plan_events_begin(struct plan_events *events, uint32_t sample)
{
	static struct mio_trace_header header;
	static const char rest[MIO_TRACE_HEADER_BYTES - sizeof(struct mio_trace_header)];

	memset(events, 0, sizeof(*events));
	strcpy(events->path, "/tmp/mio-plan.XXXXXX");
	events->file = fdopen(mkstemp(events->path), "w");
	ASSERT(events->file);
	memcpy(header.magic, MIO_TRACE_FILE_MAGIC, sizeof(header.magic));
	header.byte_order = MIO_TRACE_BYTE_ORDER;
	header.major = MIO_TRACE_MAJOR;
	header.header_bytes = MIO_TRACE_HEADER_BYTES;
	header.block_bytes = MIO_TRACE_BLOCK_BYTES;
	header.block_header_bytes = 64;
	header.record_bytes = MIO_TRACE_RECORD_BYTES;
	ASSERT_EQUAL(1, fwrite(&header, sizeof(header), 1, events->file));
	ASSERT_EQUAL(1, fwrite(rest, sizeof(rest), 1, events->file));
	plan_events_block(events, MIO_TRACE_BLOCK_DEFINITIONS);
	for (uint32_t id = 1; id <= EVENTS_OPENS; id++)
		plan_events_define(events, id, 1, sample, "test");
	plan_events_define(events, EVENTS_OPENS + 1, 3, 1, "test");
	plan_events_define(events, EVENTS_OPENS + 2, 1, 1, "/somewhere/else");
	plan_events_write(events);
	plan_events_block(events, MIO_TRACE_BLOCK_EVENTS);
}

static inline void plan_events_read(struct plan_events *events, uint32_t open, int64_t offset, int64_t length)
{
	if (events->records == MIO_TRACE_BLOCK_RECORDS) {
		plan_events_write(events);
		plan_events_block(events, MIO_TRACE_BLOCK_EVENTS);
	}
	events->block.records[events->records++].event = (struct mio_trace_event){
		.type = MIO_TRACE_RECORD_CALL,
		.operation = 3,
		.file = open,
		.start_ns = events->time++,
		.offset = offset,
		.requested = length,
		.delivered = length,
	};
}

static inline void plan_events_end(struct plan_events *events)
{
	plan_events_write(events);
	ASSERT_EQUAL(0, fclose(events->file));
}

#endif
