#ifndef MIO_STATS_TRACE_H
#define MIO_STATS_TRACE_H

/* What one trace layer counted for one open file, at one moment. Twin of TraceSnapshot, TraceReport and TraceJson. */

#include "stats.h"
#include "stats_text.h"

/* Columns of a row. TIMED: count and seconds; TRANSFER: also those of a transfer; ASYNCHRONOUS: also a suspend row below it. */
enum mio_trace_shape { MIO_TRACE_TIMED, MIO_TRACE_TRANSFER, MIO_TRACE_ASYNCHRONOUS };

/*
 * The operations that are counted, in the order in which the report prints them (reference 4.3), and the names of their rows. Twin
 * of TraceOperation. fsync and mmap are additions of this MIO.
 */
#define MIO_TRACE_OPERATION_LIST(X) \
	X(OPEN, "open", TIMED) \
	X(WRITE, "write", TRANSFER) \
	X(AWRITE, "awrite", ASYNCHRONOUS) \
	X(READ, "read", TRANSFER) \
	X(AREAD, "aread", ASYNCHRONOUS) \
	X(SEEK, "seek", TIMED) \
	X(FCNTL, "fcntl", TIMED) \
	X(FSTAT, "fstat", TIMED) \
	X(FSYNC, "fsync", TIMED) \
	X(MMAP, "mmap", TIMED) \
	X(TRUNC, "trunc", TIMED) \
	X(CLOSE, "close", TIMED)

enum mio_trace_operation {
#define X(name, label, shape) MIO_TRACE_##name,
	MIO_TRACE_OPERATION_LIST(X)
#undef X
	MIO_TRACE_OPERATIONS
};

/* How a request lies relative to the one before it on the same open file. */
#define MIO_TRACE_PATTERN_LIST(X) \
	X(SEQUENTIAL, "sequential") /* begins where the last one ended */ \
	X(BACKWARD, "backward")	    /* ends where the last one began */ \
	X(STRIDED, "strided")	    /* as far from the last one as the last one was from the one before */ \
	X(RANDOM, "random")	    /* none of these */

enum mio_trace_pattern {
#define X(name, label) MIO_TRACE_##name,
	MIO_TRACE_PATTERN_LIST(X)
#undef X
	MIO_TRACE_PATTERNS
};

/* Entry 0 of a histogram counts zeros, entry i counts values from 2^(i-1) to 2^i - 1. */
enum { MIO_TRACE_BUCKETS = 65, MIO_TRACE_BINS = 64 };

/* Counters of one operation. Byte counts are zero for operations that move no data. */
struct mio_trace_row {
	int64_t count;
	int64_t ns;			/* time in the layers below; of asynchronous requests, the time to submit */
	int64_t requested, delivered;	/* bytes */
	int64_t smallest, largest;	/* smallest and largest request, bytes; 0 without requests */
	int64_t suspends, suspend_ns;
	int64_t errors;			/* calls that failed */
};

struct mio_trace_error {
	const char *name;
	int64_t count;
};

/* Only in the JSON. Sizes of the arrays: MIO_TRACE_BUCKETS for histograms, MIO_TRACE_PATTERNS, MIO_TRACE_BINS for activity. */
struct mio_trace_distributions {
	const int64_t *read_ns, *write_ns, *read_bytes, *write_bytes;
	const int64_t *pattern_bytes;
	int64_t activity_bin_ns;
	const int64_t *activity_read, *activity_written;
	const struct mio_trace_error *errors;	/* in the order of their names */
	int error_count;
};

struct mio_stats_trace {
	enum mio_stats_event event;
	const char *above, *below, *file;
	const struct mio_stats_unit *unit;
	const struct mio_trace_row *rows;	/* MIO_TRACE_OPERATIONS rows */
	int64_t extensions;			/* operations that made the file longer (reference 4.4 g) */
	int64_t current_size, max_size;		/* bytes */
	int mode;				/* permission bits, -1 if unknown */
	const char *file_system_type;
	int64_t sector_bytes;
	unsigned int oflags;
	const char *oflag_names;
	int direct;				/* 1: opened for direct I/O, so there is an ill form row */
	int64_t ill_formed, misaligned;
	int64_t seek_delta;			/* sum of new position minus old position, bytes */
	int64_t opened_ns, now_ns;		/* nanoseconds since the library began */
	struct mio_trace_distributions distributions;
};

const char *mio_trace_operation_label(enum mio_trace_operation operation);
enum mio_trace_shape mio_trace_operation_shape(enum mio_trace_operation operation);

/* Bytes delivered by reads and writes of either kind (reference 4.4 a). */
int64_t mio_stats_trace_total_bytes(const struct mio_stats_trace *trace);
/* Nanoseconds in reads, writes and waits for them (reference 4.4 b). */
int64_t mio_stats_trace_transfer_ns(const struct mio_stats_trace *trace);
/* Mean move of the position, bytes, truncated toward zero (reference 4.4 f). */
int64_t mio_stats_trace_average_seek(const struct mio_stats_trace *trace);

void mio_stats_trace_classic(const struct mio_stats_trace *trace, struct mio_text *text);
void mio_stats_trace_json(const struct mio_stats_trace *trace, struct mio_text *text);

#endif
