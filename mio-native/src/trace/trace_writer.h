#ifndef MIO_TRACE_WRITER_H
#define MIO_TRACE_WRITER_H

/*
 * Writes one events file of this process (docs/format/events.md). Twin of EventWriter.
 *
 * An event is one record in a mapped block: no system call, no memory taken, no lock waited for. A thread owns a lane, and so its
 * block, for the few stores of a record, as it owns a stripe of counters. When a block is full the next one comes out of some
 * that the process has claimed; of these it claims more under a lock. Without space events are dropped and counted.
 */

#include "trace_file.h"

struct mio_trace_writer;

/* The text of a definition; NULL ends a list of them. */
struct mio_trace_words {
	enum mio_trace_text_kind kind;
	const char *text;
};

/* 0 and a writer, for good, or -errno. facts are kept; see mio_trace_file_open. */
int mio_trace_writer_make(const struct mio_trace_facts *facts, struct mio_trace_writer **made);

/* Nanoseconds since time zero. */
int64_t mio_trace_writer_ns(const struct mio_trace_writer *writer, int64_t clock_ns);

/* Record an event as it is. */
void mio_trace_writer_put(struct mio_trace_writer *writer, const struct mio_trace_event *event);
/* The same, of the calling thread, that began at that reading of mio_clock_ticks. start and thread are filled in. */
void mio_trace_writer_put_ticks(struct mio_trace_writer *writer, struct mio_trace_event *event, uint64_t began);
/* The same, of the calling thread, that began at that reading of mio_clock_ns. */
void mio_trace_writer_put_ns(struct mio_trace_writer *writer, struct mio_trace_event *event, int64_t began_ns);

/* Define a file; its id is filled in. words: its texts. 0 if there is no space: it cannot have events. */
uint32_t mio_trace_writer_define(struct mio_trace_writer *writer, struct mio_trace_definition *definition,
				 const struct mio_trace_words *words);

/* Record that pf/auto decided something for a file, ns after time zero; without space it is dropped, and counted. words: its texts. */
void mio_trace_writer_decide(struct mio_trace_writer *writer, uint32_t file, int64_t ns, uint32_t thread,
			     const struct mio_trace_words *words);

/* Give back the blocks that are claimed and not begun; the process ends, though threads may still write. */
void mio_trace_writer_end(struct mio_trace_writer *writer);
/* See mio_trace_file_stay. */
void mio_trace_writer_stay(struct mio_trace_writer *writer);
/* In a forked child: the parent's blocks are the parent's. */
void mio_trace_writer_forked(struct mio_trace_writer *writer);

#endif
