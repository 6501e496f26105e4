#include "trace_events.h"

#include <string.h>

#include "../common/clock.h"
#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "../layer/layer_error.h"
#include "../stats/stats_process.h"
#include "../stats/stats_text.h"

/* One events file of this process, by its name. */
struct file {
	struct file *next;
	char *path;
	struct mio_trace_writer *writer;	/* NULL: the file could not be made or joined */
};

struct watch {
	struct mio_page_watch watch;
	struct mio_trace_writer *writer;
	uint32_t file;
};

static struct mio_lock lock;
static struct file *files;
static _Atomic uint64_t requests;

uint64_t mio_trace_events_number(void)
{
	return atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed) + 1;
}

/* ---- files */

static char *copy_of(const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = mio_memory_take(bytes);

	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

/* FNV-1a */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325U;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
	return hash;
}

static int64_t realtime_ns(void)
{
	struct timespec now;

	mio_clock_read(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static const char *words(int error)
{
	if (error == -EEXIST)
		return "what is there is no events file";
	if (error == -ELOOP)
		return "what is there is a symbolic link, and no events are written through one";
	return mio_error_words(error);
}

static void say_failure(const char *path, int error)
{
	struct mio_text line = {0};

	mio_text_add(&line, "cannot write events to ");
	mio_stats_add_name(&line, path);
	mio_text_add(&line, ": ");
	mio_text_add(&line, words(error));
	mio_text_add(&line, "; the program runs on without them (give another file in the option events)");
	mio_stats_host_line(mio_text_string(&line));
	mio_text_clear(&line);
}

/* The caller holds the lock. */
static struct mio_trace_writer *make_writer(struct mio_stats_output *output, const char *path, int64_t limit)
{
	struct mio_text host = {0};
	struct mio_trace_writer *writer = NULL;
	struct mio_trace_facts facts = {
		.path = path,
		.limit_bytes = limit,
		.tree = hash_of(mio_stats_output_tree(output)),
		.process = (uint32_t)mio_raw0(SYS_getpid),
		.parent = (uint32_t)mio_raw0(SYS_getppid),
		.door = MIO_TRACE_DOOR_NATIVE,
		.realtime_ns = realtime_ns(),
		.monotonic_ns = mio_clock_ns(),
		.program = mio_stats_program(),
		.library = "libmio " MIO_VERSION,
	};
	int rc;

	mio_stats_add_host(&host);
	facts.host = mio_text_string(&host);
	rc = mio_trace_writer_make(&facts, &writer);
	if (rc < 0)
		say_failure(path, rc);
	/* The name of the host is in the header of the file by now. */
	mio_text_clear(&host);
	return writer;
}

static struct file *find_or_make(struct mio_stats_output *output, const char *path, int64_t limit)
{
	struct file *file = files;

	while (file && strcmp(file->path, path) != 0)
		file = file->next;
	if (file)
		return file;
	file = mio_memory_take(sizeof(*file));
	if (!file)
		return NULL;
	file->path = copy_of(path);
	if (!file->path) {
		mio_memory_give(file, sizeof(*file));
		return NULL;
	}
	file->writer = make_writer(output, file->path, limit);
	file->next = files;
	files = file;
	return file;
}

struct mio_trace_writer *mio_trace_events_file(struct mio_stats_output *output, const struct mio_layer_spec *layer)
{
	struct mio_text path = {0};
	struct file *file = NULL;

	mio_stats_output_path(output, layer->values[MIO_TRACE_OPTION_EVENTS].text, &path);
	mio_lock_acquire(&lock);
	if (!path.failed && path.length > 0)
		file = find_or_make(output, mio_text_string(&path),
				    layer->values[MIO_TRACE_OPTION_EVENTS_LIMIT].number);
	mio_lock_release(&lock);
	mio_text_clear(&path);
	return file ? file->writer : NULL;
}

void mio_trace_events_stay(struct mio_stats_output *output, const struct mio_layer_spec *layer)
{
	struct mio_text path = {0};
	struct mio_trace_writer *writer = NULL;

	mio_stats_output_path(output, layer->values[MIO_TRACE_OPTION_EVENTS].text, &path);
	if (!path.failed && path.length > 0 && !mio_stats_others_make(mio_text_string(&path)))
		writer = mio_trace_events_file(output, layer);
	mio_text_clear(&path);
	if (writer)
		mio_trace_writer_stay(writer);
}

void mio_trace_events_exit(void)
{
	mio_lock_acquire(&lock);
	for (struct file *file = files; file; file = file->next)
		if (file->writer)
			mio_trace_writer_end(file->writer);
	mio_lock_release(&lock);
}

void mio_trace_events_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	for (struct file *file = files; file; file = file->next)
		if (file->writer)
			mio_trace_writer_forked(file->writer);
}

/* ---- calls */

static uint32_t define(struct mio_trace_writer *writer, struct mio_trace_definition *definition,
		       const struct mio_trace_station *station, const struct mio_open_request *request)
{
	struct mio_trace_words words[] = {
		{MIO_TRACE_TEXT_PATH, request->name},
		{MIO_TRACE_TEXT_LAYER, station->name},
		{MIO_TRACE_TEXT_ABOVE, station->above},
		{MIO_TRACE_TEXT_BELOW, station->below},
		{MIO_TRACE_TEXT_PATH, NULL},
	};

	definition->place = (uint8_t)(station->place < 255 ? station->place : 255);
	definition->opened_ns = mio_trace_writer_ns(writer, request->opened_ns);
	definition->device = request->device;
	definition->inode = request->inode;
	definition->oflags = request->oflags;
	definition->mode = request->mode;
	definition->size_bytes = request->size_bytes;
	return mio_trace_writer_define(writer, definition, words);
}

void mio_trace_events_begin(struct mio_trace_events *events, struct mio_trace_writer *writer, uint32_t sample,
			    const struct mio_trace_station *station, const struct mio_open_request *request)
{
	struct mio_trace_definition definition = {.layer = MIO_TRACE_OF_TRACE, .sample = sample};
	struct mio_trace_event opened = {
		.type = MIO_TRACE_RECORD_CALL,
		.operation = MIO_TRACE_OPEN,
		.duration_ns = request->open_ns,
		.offset = MIO_TRACE_NO_OFFSET,
	};

	events->sample = sample;
	events->file = writer ? define(writer, &definition, station, request) : 0;
	if (events->file == 0)
		return;
	events->writer = writer;
	opened.file = events->file;
	mio_trace_writer_put_ns(writer, &opened, request->opened_ns);
}

/* 1 if sampling records this call. Opens, closes and failed calls are always recorded. */
static int is_taken(struct mio_trace_events *events, const struct mio_trace_call *call)
{
	if (events->sample <= 1 || call->result < 0 || call->operation == MIO_TRACE_CLOSE)
		return 1;
	if (call->number)
		return call->number % events->sample == 0;
	return (atomic_fetch_add_explicit(&events->calls, 1, memory_order_relaxed) + 1) % events->sample == 0;
}

void mio_trace_events_record(struct mio_trace_events *events, const struct mio_trace_call *call, int type)
{
	struct mio_trace_event event = {
		.type = (uint16_t)type,
		.operation = (uint8_t)call->operation,
		.flags = (uint8_t)((call->result < 0 ? MIO_TRACE_FLAG_FAILED : 0) |
				   (call->appends ? MIO_TRACE_FLAG_APPEND : 0)),
		.file = events->file,
		.duration_ns = call->ns,
		.offset = call->offset,
		.requested = call->requested,
		.delivered = call->result > 0 ? call->result : 0,
		.error = call->result < 0 && call->result != INT64_MIN ? (int32_t)-call->result : 0,
		.number = call->number,
	};

	if (is_taken(events, call))
		mio_trace_writer_put_ticks(events->writer, &event, call->began);
}

/* ---- pages */

static void watch_page(struct mio_page_watch *watching, const struct mio_page_news *news)
{
	struct watch *watch = (struct watch *)watching;
	struct mio_trace_event event = {
		.type = MIO_TRACE_RECORD_PAGE,
		.operation = (uint8_t)news->operation,
		.flags = (uint8_t)((news->result < 0 ? MIO_TRACE_FLAG_FAILED : 0) |
				   (news->asynchronous ? MIO_TRACE_FLAG_ASYNCHRONOUS : 0)),
		.file = watch->file,
		.offset = news->offset,
		.requested = news->bytes,
		.delivered = news->result > 0 ? news->result : 0,
		.error = news->result < 0 ? (int32_t)-news->result : 0,
		.number = (uint64_t)news->frame,
	};

	/* Most events take no time: for these, ticks are enough, which are cheaper than the kernel's clock. */
	if (!news->began_ns) {
		mio_trace_writer_put_ticks(watch->writer, &event, mio_clock_ticks());
		return;
	}
	event.duration_ns = mio_clock_ns() - news->began_ns;
	mio_trace_writer_put_ns(watch->writer, &event, news->began_ns);
}

static void watch_release(struct mio_page_watch *watching)
{
	mio_memory_give(watching, sizeof(struct watch));
}

struct mio_page_watch *mio_trace_watch_make(struct mio_trace_writer *writer, const struct mio_trace_station *station,
					    const struct mio_open_request *request, const struct mio_trace_pages *pages)
{
	struct mio_trace_definition definition = {
		.layer = MIO_TRACE_OF_PF,
		.page_bytes = pages->page_bytes,
		.frames = pages->frames,
		.cache = pages->cache,
		.sample = 1,
	};
	struct watch *watch = writer ? mio_memory_take(sizeof(*watch)) : NULL;

	if (!watch)
		return NULL;
	mio_clock_ticks_begin();
	watch->watch.page = watch_page;
	watch->watch.release = watch_release;
	watch->writer = writer;
	watch->file = define(writer, &definition, station, request);
	if (watch->file)
		return &watch->watch;
	mio_memory_give(watch, sizeof(*watch));
	return NULL;
}
