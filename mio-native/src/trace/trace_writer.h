#ifndef MIO_TRACE_WRITER_H
#define MIO_TRACE_WRITER_H

/*
 * Writes one events file of this process (docs/format/events.md). Twin of EventWriter.
 *
 * An event is one record in a mapped block: recording it needs no system call, no memory and no lock. A thread owns a lane, and so its
 * block, for the few stores of a record, as it owns a stripe of counters. When a block is full, the lane takes one of the blocks that the
 * process has claimed; the process claims more of them under a lock. Without space, events are dropped and counted.
 */

#include "trace_file.h"

struct mio_trace_writer;

/* One text of a definition. A list of texts ends with text NULL. */
struct mio_trace_words {
	enum mio_trace_text_kind kind;
	const char *text;
};

/* 0 and a writer, which is never freed; or -errno (see mio_trace_file_open). facts are copied, their strings are not; host may go afterwards. */
int mio_trace_writer_make(const struct mio_trace_facts *facts, struct mio_trace_writer **made);

/* Converts a reading of mio_clock_ns to nanoseconds since time zero. */
int64_t mio_trace_writer_ns(const struct mio_trace_writer *writer, int64_t clock_ns);

/* Records an event as it is. */
void mio_trace_writer_put(struct mio_trace_writer *writer, const struct mio_trace_event *event);
/* The same for an event of the calling thread. began: the reading of mio_clock_ticks when it began. Fills in start_ns and thread. */
void mio_trace_writer_put_ticks(struct mio_trace_writer *writer, struct mio_trace_event *event, uint64_t began);
/* The same with a reading of mio_clock_ns. */
void mio_trace_writer_put_ns(struct mio_trace_writer *writer, struct mio_trace_event *event, int64_t began_ns);

/* Defines a file and fills in its id. words: its texts. Returns the id; 0: there is no space, and the file cannot have events. */
uint32_t mio_trace_writer_define(struct mio_trace_writer *writer, struct mio_trace_definition *definition,
				 const struct mio_trace_words *words);

/* Records a decision of a cache layer for a file, ns after time zero; without space it is dropped and counted. words: its texts. */
void mio_trace_writer_decide(struct mio_trace_writer *writer, uint32_t file, int64_t ns, uint32_t thread,
			     const struct mio_trace_words *words);

/* The process ends: gives back the blocks that are claimed and not begun. Threads may still write events. */
void mio_trace_writer_end(struct mio_trace_writer *writer);
/* See mio_trace_file_stay. */
void mio_trace_writer_stay(struct mio_trace_writer *writer);
/* For a forked child: it must no longer write to its parent's blocks. */
void mio_trace_writer_forked(struct mio_trace_writer *writer);

#endif
