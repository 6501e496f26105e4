/* Reads an events file for plans, using only memory of the library's own. See pf_plan_events.h. */
#include "pf_plan_events.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../common/memory.h"
#include "../layer/layer_error.h"
#include "../os/os_call.h"
#include "../stats/stats_trace.h"
#include "../trace/trace_event.h"
#include "pf_plan_sort.h"

/* The most that is kept of all recorded files together. */
#define READS_MAX ((size_t)4 << 20)
#define FILES_MAX ((size_t)1 << 20)
#define PATH_BYTES_MAX ((size_t)96 << 20)

/* Times, offsets and sizes are not larger than this, as in Event.java: 36 years, or one EiB. */
#define MOST ((int64_t)1 << 60)

/* The longest path that is kept, and the longest request of a program, bytes. */
#define ONE_PATH_MAX ((size_t)16 << 10)
#define LENGTH_MAX 0x7ffff000

/* One open of a file, as a trace layer defined it. */
struct opened {
	uint32_t id, place, sample;
	uint32_t group, channel;
	size_t at;		/* where its path begins in the text of paths */
	const char *path;
};

struct reading {
	struct mio_pf_plan_events *events;
	struct mio_trace_block *block;
	int fd;
	uint64_t blocks;
	struct opened *files;
	size_t file_room, file_count;
	int is_open;		/* the definition that is being read is that of a trace layer */
};

/* ---- orders */

static int by_path(const void *one, const void *other)
{
	const struct opened *a = one, *b = other;
	int order = strcmp(a->path, b->path);

	return order != 0 ? order < 0 : a->id < b->id;
}

static int by_id(const void *one, const void *other)
{
	return ((const struct opened *)one)->id < ((const struct opened *)other)->id;
}

static int by_time(const void *one, const void *other)
{
	const struct mio_pf_planned_read *a = one, *b = other;

	if (a->group != b->group)
		return a->group < b->group;
	return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->sequence < b->sequence;
}

/* ---- the file */

/* Reads so many bytes, or as many as there are. Returns their number, or -errno. */
static int64_t fill(int fd, void *memory, size_t bytes, int64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		long rc = mio_os_call_pread(fd, (char *)memory + done, bytes - done, offset + (int64_t)done);

		if (rc == -EINTR)
			continue;
		if (rc < 0)
			return rc;
		if (rc == 0)
			break;
		done += (size_t)rc;
	}
	return (int64_t)done;
}

/* 0, or -EINVAL, and words gets the reason. */
static int check_header(const struct mio_trace_header *header, int64_t bytes, const char *name, struct mio_text *words)
{
	const char *why = NULL;

	if (bytes < (int64_t)sizeof(*header) || memcmp(header->magic, MIO_TRACE_FILE_MAGIC, sizeof(header->magic)) != 0)
		why = " is no events file; trace/events=FILE makes one";
	else if (header->byte_order != MIO_TRACE_BYTE_ORDER)
		why = " is of a machine with another byte order";
	else if (header->major != MIO_TRACE_MAJOR)
		why = " has another version of the events format; use the MIO that wrote it";
	else if (header->header_bytes != MIO_TRACE_HEADER_BYTES || header->block_bytes != MIO_TRACE_BLOCK_BYTES ||
		 header->block_header_bytes != offsetof(struct mio_trace_block, records) ||
		 header->record_bytes != MIO_TRACE_RECORD_BYTES)
		why = " is damaged: its header is not that of version 1";
	if (!why)
		return 0;
	mio_text_add(words, name);
	mio_text_add(words, why);
	return -EINVAL;
}

/* Reads the header of a block. 1, 0 if it is no block, or -errno. */
static int read_head(struct reading *reading, uint64_t number)
{
	const size_t head = offsetof(struct mio_trace_block, records);
	int64_t bytes = fill(reading->fd, reading->block, head, MIO_TRACE_HEADER_BYTES + (int64_t)number * MIO_TRACE_BLOCK_BYTES);

	return bytes < 0 ? (int)bytes : bytes == (int64_t)head && atomic_load(&reading->block->magic) == MIO_TRACE_BLOCK_MAGIC;
}

/* Counts the blocks: as many as the header claims, even if the file is longer; and those that follow, if a part of the header was lost. 0 or -errno. */
static int count_blocks(struct reading *reading, uint64_t claimed, int64_t size)
{
	uint64_t most = size > MIO_TRACE_HEADER_BYTES ? (uint64_t)(size - MIO_TRACE_HEADER_BYTES - 1) / MIO_TRACE_BLOCK_BYTES + 1 : 0;
	int rc = 1;

	reading->blocks = claimed < most ? claimed : most;
	while (reading->blocks < most && (rc = read_head(reading, reading->blocks)) == 1)
		reading->blocks++;
	return rc < 0 ? rc : 0;
}

/* Reads a block, if it is of this kind. Returns the number of its records, 0 if it is not, or -errno. */
static int64_t read_block(struct reading *reading, uint64_t number, uint16_t kind)
{
	const size_t head = offsetof(struct mio_trace_block, records);
	struct mio_trace_block *block = reading->block;
	int64_t at = MIO_TRACE_HEADER_BYTES + (int64_t)number * MIO_TRACE_BLOCK_BYTES;
	int64_t bytes = read_head(reading, number);

	if (bytes != 1 || block->kind != kind)
		return bytes < 0 ? bytes : 0;
	bytes = fill(reading->fd, block->records, sizeof(block->records), at + (int64_t)head);
	return bytes < 0 ? bytes : bytes / MIO_TRACE_RECORD_BYTES;
}

/* ---- definitions */

static int grow(struct reading *reading)
{
	size_t room = reading->file_room ? 2 * reading->file_room : 64;
	struct opened *files = mio_memory_take(room * sizeof(*files));

	if (!files)
		return -ENOMEM;
	if (reading->file_count)
		memcpy(files, reading->files, reading->file_count * sizeof(*files));
	mio_memory_give(reading->files, reading->file_room * sizeof(*files));
	reading->files = files;
	reading->file_room = room;
	return 0;
}

static void finish(struct reading *reading)
{
	if (reading->is_open)
		mio_text_add_char(&reading->events->paths, 0);
	reading->is_open = 0;
}

static int define(struct reading *reading, const struct mio_trace_definition *definition)
{
	struct mio_text *paths = &reading->events->paths;

	if (definition->layer != MIO_TRACE_OF_TRACE || reading->file_count == FILES_MAX ||
	    paths->length > PATH_BYTES_MAX)
		return 0;
	if (reading->file_count == reading->file_room && grow(reading) < 0)
		return -ENOMEM;
	reading->files[reading->file_count++] = (struct opened){
		.id = definition->file, .place = definition->place, .sample = definition->sample, .at = paths->length};
	reading->is_open = 1;
	return 0;
}

static void name(struct reading *reading, const struct mio_trace_text *text)
{
	const struct opened *file = reading->is_open ? &reading->files[reading->file_count - 1] : NULL;
	struct mio_text *paths = &reading->events->paths;

	if (file && text->id == file->id && text->kind == MIO_TRACE_TEXT_PATH && text->bytes <= MIO_TRACE_TEXT_BYTES &&
	    paths->length - file->at < ONE_PATH_MAX)
		mio_text_add_bytes(paths, text->text, text->bytes);
}

/* Reads the definitions in a block. A definition is in one block with all its texts. */
static int read_definitions(struct reading *reading, int64_t records)
{
	int rc = 0;

	for (int64_t i = 0; i < records && rc == 0; i++) {
		const union mio_trace_record *record = &reading->block->records[i];

		switch (record->event.type) {
		case MIO_TRACE_RECORD_PROCESS:
			finish(reading);
			break;
		case MIO_TRACE_RECORD_FILE:
			finish(reading);
			rc = define(reading, &record->definition);
			break;
		case MIO_TRACE_RECORD_TEXT:
			name(reading, &record->text);
			break;
		default:
			break;
		}
	}
	finish(reading);
	return reading->events->paths.failed ? -ENOMEM : rc;
}

/* Makes a group of the files of each path. Afterwards files are ordered by their numbers. */
static int make_groups(struct reading *reading)
{
	struct mio_pf_plan_events *events = reading->events;
	struct mio_pf_plan_group *group = NULL;

	for (size_t i = 0; i < reading->file_count; i++)
		reading->files[i].path = events->paths.bytes + reading->files[i].at;
	mio_pf_plan_sort(reading->files, reading->file_count, sizeof(*reading->files), by_path);
	events->group_room = reading->file_count + 1;
	events->groups = mio_memory_take(events->group_room * sizeof(*events->groups));
	if (!events->groups)
		return -ENOMEM;
	for (size_t i = 0; i < reading->file_count; i++) {
		struct opened *file = &reading->files[i];

		if (!group || strcmp(group->path, file->path) != 0) {
			group = &events->groups[events->group_count++];
			*group = (struct mio_pf_plan_group){.path = file->path, .place = file->place};
		}
		file->group = (uint32_t)(events->group_count - 1);
		file->channel = group->channels++;
		group->place = file->place < group->place ? file->place : group->place;
		group->sampled |= file->sample > 1;
	}
	mio_pf_plan_sort(reading->files, reading->file_count, sizeof(*reading->files), by_id);
	return 0;
}

/* ---- reads */

/* The file of that number, if the topmost trace layer defined it; or NULL. */
static const struct opened *find(const struct reading *reading, uint32_t id)
{
	size_t from = 0, to = reading->file_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (reading->files[middle].id < id)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == reading->file_count || reading->files[from].id != id ||
	    reading->files[from].place != reading->events->groups[reading->files[from].group].place)
		return NULL;
	return &reading->files[from];
}

/* False for figures that only a damaged file has, and for an offset that no file has; twin of Event.canBeRead. */
static int can_be_read(const struct mio_trace_event *event)
{
	return event->start_ns >= -MOST && event->duration_ns >= 0 && event->duration_ns <= MOST &&
	       event->start_ns <= MOST - event->duration_ns && event->offset <= MOST &&
	       event->requested <= MOST && event->delivered >= 0 && event->delivered <= MOST &&
	       (event->requested < 0 || event->delivered <= event->requested);
}

static void add_read(struct reading *reading, const struct mio_trace_event *event)
{
	struct mio_pf_plan_events *events = reading->events;
	int is_read = event->operation == MIO_TRACE_READ;
	/* An asynchronous request is recorded when it is submitted: what it delivers is not known then. */
	int64_t length = is_read ? event->delivered : event->requested;
	const struct opened *file;

	if ((!is_read && event->operation != MIO_TRACE_AREAD) || (event->flags & MIO_TRACE_FLAG_FAILED) ||
	    event->offset < 0 || length <= 0 || !can_be_read(event))
		return;
	file = find(reading, event->file);
	if (!file)
		return;
	if (events->read_count == events->read_room) {
		events->is_cut = 1;
		return;
	}
	events->reads[events->read_count] = (struct mio_pf_planned_read){
		.offset = event->offset,
		.length = (uint32_t)(length < LENGTH_MAX ? length : LENGTH_MAX),
		.channel = file->channel,
		.end_ns = event->start_ns + event->duration_ns,
		.group = file->group,
		.sequence = (uint32_t)events->read_count,
	};
	events->read_count++;
}

static int take_reads(struct reading *reading)
{
	struct mio_pf_plan_events *events = reading->events;
	uint64_t most = reading->blocks * MIO_TRACE_BLOCK_RECORDS;

	/* Memory that is not touched costs nothing. */
	events->read_room = most < READS_MAX ? (size_t)most : READS_MAX;
	events->reads = mio_memory_take((events->read_room + 1) * sizeof(*events->reads));
	return events->reads ? 0 : -ENOMEM;
}

static int read_events(struct reading *reading)
{
	int64_t records = 0;

	for (uint64_t number = 0; number < reading->blocks && records >= 0 && !reading->events->is_cut; number++) {
		records = read_block(reading, number, MIO_TRACE_BLOCK_EVENTS);
		/* A record without a type is unfinished or lost. */
		for (int64_t i = 0; i < records; i++)
			if (reading->block->records[i].event.type == MIO_TRACE_RECORD_CALL)
				add_read(reading, &reading->block->records[i].event);
	}
	return (int)(records < 0 ? records : 0);
}

static void share_out(struct mio_pf_plan_events *events)
{
	mio_pf_plan_sort(events->reads, events->read_count, sizeof(*events->reads), by_time);
	for (size_t i = events->read_count; i-- > 0;) {
		struct mio_pf_plan_group *group = &events->groups[events->reads[i].group];

		group->first = i;
		group->count++;
	}
}

/* The blocks that the header claims, at most as many as the file may have: with a false claim the reader would go through all the holes of a sparse file. */
static uint64_t claimed_blocks(struct mio_trace_header *header)
{
	uint64_t claimed = atomic_load(&header->claimed);
	uint64_t limit = header->limit_bytes > 0 ? (uint64_t)header->limit_bytes / MIO_TRACE_BLOCK_BYTES : 0;

	return limit > 0 && limit < claimed ? limit : claimed;
}

static int read_whole(struct reading *reading, uint64_t claimed, int64_t size)
{
	int64_t records = 0;
	int rc = count_blocks(reading, claimed, size);

	for (uint64_t number = 0; number < reading->blocks && rc == 0; number++) {
		records = read_block(reading, number, MIO_TRACE_BLOCK_DEFINITIONS);
		rc = records < 0 ? (int)records : read_definitions(reading, records);
	}
	rc = rc < 0 ? rc : make_groups(reading);
	rc = rc < 0 ? rc : take_reads(reading);
	rc = rc < 0 ? rc : read_events(reading);
	if (rc == 0)
		share_out(reading->events);
	return rc;
}

static int read_opened(struct mio_pf_plan_events *events, int fd, const char *name, struct mio_text *words)
{
	struct reading reading = {.events = events, .fd = fd};
	struct mio_trace_header *header;
	struct stat found;
	int rc = (int)mio_os_call_stat(fd, &found);

	if (rc < 0)
		return rc;
	if (!S_ISREG(found.st_mode)) {
		mio_text_add(words, name);
		mio_text_add(words, " is no events file; trace/events=FILE makes one");
		return -EINVAL;
	}
	reading.block = mio_memory_take(sizeof(*reading.block));
	if (!reading.block)
		return -ENOMEM;
	header = (struct mio_trace_header *)(void *)reading.block;
	rc = check_header(header, fill(fd, header, sizeof(*header), 0), name, words);
	if (rc == 0)
		rc = read_whole(&reading, claimed_blocks(header), found.st_size);
	mio_memory_give(reading.files, reading.file_room * sizeof(*reading.files));
	mio_memory_give(reading.block, sizeof(*reading.block));
	return rc;
}

int mio_pf_plan_events_read(struct mio_pf_plan_events *events, const char *name, struct mio_text *words)
{
	/* O_NONBLOCK: if it is a pipe, the open does not wait for a writer. */
	int fd = (int)mio_os_call_open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc = fd;

	memset(events, 0, sizeof(*events));
	if (fd >= 0) {
		rc = read_opened(events, fd, name, words);
		mio_os_call_close(fd);
	}
	if (rc == -ENOENT) {
		mio_text_add(words, "there is no file ");
		mio_text_add(words, name);
	} else if (rc < 0 && words->length == 0) {
		mio_text_add(words, name);
		mio_text_add(words, ": ");
		mio_text_add(words, mio_error_words(rc));
	}
	return rc;
}

void mio_pf_plan_events_end(struct mio_pf_plan_events *events)
{
	if (events->reads)
		mio_memory_give(events->reads, (events->read_room + 1) * sizeof(*events->reads));
	if (events->groups)
		mio_memory_give(events->groups, events->group_room * sizeof(*events->groups));
	mio_text_clear(&events->paths);
	memset(events, 0, sizeof(*events));
}
