#ifndef MIO_TRACE_EVENT_H
#define MIO_TRACE_EVENT_H

/* The bytes of events files: docs/format/events.md. Twin of io.mio.events.EventFormat. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define MIO_TRACE_FILE_MAGIC "MIOEVENT"
#define MIO_TRACE_BLOCK_MAGIC 0x424f494dU
#define MIO_TRACE_BYTE_ORDER 0x01020304U

enum {
	MIO_TRACE_MAJOR = 1,
	MIO_TRACE_MINOR = 0,
	/* As large as a block, so that blocks can be mapped with any page size of the machine. */
	MIO_TRACE_HEADER_BYTES = 65536,
	MIO_TRACE_BLOCK_BYTES = 65536,
	MIO_TRACE_RECORD_BYTES = 64,
	MIO_TRACE_BLOCK_RECORDS = 1023,
	MIO_TRACE_TEXT_BYTES = 56
};

enum { MIO_TRACE_DOOR_NATIVE = 1, MIO_TRACE_DOOR_JVM = 2 };

enum { MIO_TRACE_BLOCK_EVENTS = 1, MIO_TRACE_BLOCK_DEFINITIONS = 2 };

enum mio_trace_record_type {
	MIO_TRACE_RECORD_CALL = 1,
	MIO_TRACE_RECORD_END = 2,	/* end of an asynchronous request */
	MIO_TRACE_RECORD_PAGE = 3,
	MIO_TRACE_RECORD_DROPPED = 4,
	MIO_TRACE_RECORD_PROCESS = 16,
	MIO_TRACE_RECORD_FILE = 17,
	MIO_TRACE_RECORD_TEXT = 18,
	MIO_TRACE_RECORD_DECISION = 19
};

enum { MIO_TRACE_FLAG_FAILED = 1, MIO_TRACE_FLAG_APPEND = 2, MIO_TRACE_FLAG_ASYNCHRONOUS = 4 };

enum { MIO_TRACE_OF_TRACE = 1, MIO_TRACE_OF_PF = 2 };

enum mio_trace_text_kind {
	MIO_TRACE_TEXT_PATH = 1,
	MIO_TRACE_TEXT_LAYER = 2,
	MIO_TRACE_TEXT_ABOVE = 3,
	MIO_TRACE_TEXT_BELOW = 4,
	MIO_TRACE_TEXT_PROGRAM = 5,
	MIO_TRACE_TEXT_WHAT = 6,	/* what a cache layer decided */
	MIO_TRACE_TEXT_REASON = 7	/* why */
};

/* Offset of an event without an offset. */
#define MIO_TRACE_NO_OFFSET ((int64_t)-1)

struct mio_trace_event {
	uint16_t type;
	uint8_t operation, flags;
	uint32_t file;
	int64_t start_ns, duration_ns;
	int64_t offset, requested, delivered;
	int32_t error;		/* positive errno, or 0 */
	uint32_t thread;
	uint64_t number;	/* number of the asynchronous request; of a page event, the frame */
};

struct mio_trace_dropped {
	uint16_t type;
	uint8_t unused[6];
	int64_t first_ns, duration_ns, count;
	int64_t more[4];
};

struct mio_trace_process {
	uint16_t type;
	uint16_t unused;
	uint32_t process;
	int64_t began_ns;
	uint32_t parent, door;
	int64_t more[5];
};

struct mio_trace_definition {
	uint16_t type;
	uint8_t layer, place;
	uint32_t file;
	int64_t opened_ns;
	uint64_t device, inode;
	int32_t oflags, mode;
	int64_t size_bytes;
	uint32_t page_bytes, frames, cache, sample;
};

struct mio_trace_text {
	uint16_t type;
	uint8_t kind, bytes;
	uint32_t id;
	char text[MIO_TRACE_TEXT_BYTES];
};

struct mio_trace_decision {
	uint16_t type, unused;
	uint32_t id;
	int64_t ns;
	uint32_t file, thread;
	int64_t more[5];
};

union mio_trace_record {
	struct mio_trace_event event;
	struct mio_trace_dropped dropped;
	struct mio_trace_process process;
	struct mio_trace_definition definition;
	struct mio_trace_text text;
	struct mio_trace_decision decision;
	uint64_t words[8];
};

struct mio_trace_block {
	_Atomic uint32_t magic;
	uint16_t kind, lane;
	uint32_t process, unused;
	int64_t began_ns;
	int64_t more[5];
	union mio_trace_record records[MIO_TRACE_BLOCK_RECORDS];
};

struct mio_trace_header {
	char magic[8];
	uint32_t byte_order;
	uint16_t major, minor;
	uint32_t header_bytes, block_bytes, block_header_bytes, record_bytes;
	uint32_t process, door;
	int64_t realtime_ns, monotonic_ns;
	uint64_t tree;
	int64_t limit_bytes;
	char unused_a[56];
	_Atomic uint64_t claimed;	/* number of blocks claimed so far */
	char unused_b[56];
	_Atomic uint64_t dropped;	/* number of events dropped so far */
	char unused_c[56];
	_Atomic uint32_t files;
	char unused_d[252];
	char program[256], host[256], library[256];
	char unused_e[2816];
};

_Static_assert(sizeof(union mio_trace_record) == MIO_TRACE_RECORD_BYTES, "all records have one size");
_Static_assert(sizeof(struct mio_trace_event) == 64 && offsetof(struct mio_trace_event, number) == 56, "event");
_Static_assert(sizeof(struct mio_trace_dropped) == 64 && offsetof(struct mio_trace_dropped, count) == 24, "dropped");
_Static_assert(sizeof(struct mio_trace_process) == 64 && offsetof(struct mio_trace_process, parent) == 16, "process");
_Static_assert(sizeof(struct mio_trace_definition) == 64 && offsetof(struct mio_trace_definition, sample) == 60, "file");
_Static_assert(sizeof(struct mio_trace_text) == 64 && offsetof(struct mio_trace_text, text) == 8, "text");
_Static_assert(sizeof(struct mio_trace_decision) == 64 && offsetof(struct mio_trace_decision, file) == 16, "decision");
_Static_assert(sizeof(struct mio_trace_block) == MIO_TRACE_BLOCK_BYTES, "block");
_Static_assert(offsetof(struct mio_trace_block, records) == 64 && offsetof(struct mio_trace_block, began_ns) == 16, "block");
_Static_assert(sizeof(struct mio_trace_header) == 4096, "header");
_Static_assert(offsetof(struct mio_trace_header, realtime_ns) == 40 && offsetof(struct mio_trace_header, tree) == 56 &&
		       offsetof(struct mio_trace_header, claimed) == 128 &&
		       offsetof(struct mio_trace_header, dropped) == 192 &&
		       offsetof(struct mio_trace_header, files) == 256 &&
		       offsetof(struct mio_trace_header, program) == 512 &&
		       offsetof(struct mio_trace_header, library) == 1024,
	       "header");

#endif
