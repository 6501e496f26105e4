/* Files of time zones as in RFC 8536: the times of changes, then what holds from each change on. */
#include <fcntl.h>
#include <string.h>

#include "../common/memory.h"
#include "../common/raw.h"
#include "stats_time.h"

#define FILE_BYTES_MAX ((size_t)64 << 10)
#define HEADER_BYTES 44
#define TYPE_BYTES 6

/* One of the two parts of a file. The second part has the same contents, but 8 bytes for each time instead of 4. */
struct part {
	const unsigned char *times, *indexes, *types, *end;
	size_t count, kinds, time_bytes;
};

static uint32_t word(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t time_at(const struct part *part, size_t i)
{
	const unsigned char *at = part->times + i * part->time_bytes;

	if (part->time_bytes == 4)
		return (int32_t)word(at);
	return (int64_t)((uint64_t)word(at) << 32 | word(at + 4));
}

static int cut(const unsigned char *at, const unsigned char *last, size_t time_bytes, struct part *part)
{
	uint64_t bytes;

	if (last - at < HEADER_BYTES || memcmp(at, "TZif", 4) != 0)
		return 0;
	part->time_bytes = time_bytes;
	part->count = word(at + 32);
	part->kinds = word(at + 36);
	bytes = (uint64_t)part->count * (time_bytes + 1) + (uint64_t)part->kinds * TYPE_BYTES + word(at + 40) +
		(uint64_t)word(at + 28) * (time_bytes + 4) + word(at + 24) + word(at + 20);
	if (part->kinds == 0 || bytes > (uint64_t)(last - at) - HEADER_BYTES)
		return 0;
	part->times = at + HEADER_BYTES;
	part->indexes = part->times + part->count * time_bytes;
	part->types = part->indexes + part->count;
	part->end = part->times + bytes;
	return 1;
}

static int open_parts(const unsigned char *file, size_t bytes, struct part *part)
{
	const unsigned char *last = file + bytes;

	if (!cut(file, last, 4, part))
		return 0;
	return file[4] < '2' || cut(part->end, last, 8, part);
}

static int64_t offset_of(const struct part *part, size_t kind)
{
	return kind < part->kinds ? (int32_t)word(part->types + kind * TYPE_BYTES) : 0;
}

int64_t mio_stats_zone_offset(const struct mio_stats_zone *zone, int64_t seconds)
{
	int64_t offset = 0;
	struct part part;
	size_t low = 0;
	size_t high;

	if (!zone->file || !open_parts(zone->file, zone->file_bytes, &part)) {
		if (zone->rule)
			mio_stats_rule_offset(zone->rule, seconds, &offset);
		return offset;
	}
	high = part.count;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (time_at(&part, middle) <= seconds)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == part.count && zone->rule && mio_stats_rule_offset(zone->rule, seconds, &offset))
		return offset;
	return offset_of(&part, low == 0 ? 0 : part.indexes[low - 1]);
}

static void set_rule(struct mio_stats_zone *zone, const char *rule, size_t length)
{
	zone->rule = mio_memory_take(length + 1);
	zone->rule_bytes = length + 1;
	if (zone->rule)
		memcpy(zone->rule, rule, length);
}

/* Finds the rule, which follows the second part, between two line ends. */
static void find_rule(struct mio_stats_zone *zone, const struct part *part)
{
	const unsigned char *last = zone->file + zone->file_bytes;
	const unsigned char *end;

	if (part->time_bytes != 8 || part->end >= last || *part->end != '\n')
		return;
	end = memchr(part->end + 1, '\n', (size_t)(last - part->end) - 1);
	if (end && end > part->end + 1)
		set_rule(zone, (const char *)part->end + 1, (size_t)(end - part->end) - 1);
}

static int read_file(struct mio_stats_zone *zone, const char *name)
{
	long fd = mio_raw4(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	unsigned char *file = fd < 0 ? NULL : mio_memory_take(FILE_BYTES_MAX);
	size_t bytes = 0;
	struct part part;
	long got = 1;

	while (file && bytes < FILE_BYTES_MAX && (got > 0 || got == -EINTR)) {
		got = mio_raw3(SYS_read, fd, file + bytes, FILE_BYTES_MAX - bytes);
		bytes += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		mio_raw1(SYS_close, fd);
	if (file && open_parts(file, bytes, &part)) {
		zone->file = mio_memory_take(bytes);
		zone->file_bytes = bytes;
	}
	if (zone->file) {
		memcpy(zone->file, file, bytes);
		open_parts(zone->file, bytes, &part);
		find_rule(zone, &part);
	}
	mio_memory_give(file, FILE_BYTES_MAX);
	return zone->file != NULL;
}

void mio_stats_zone_read(struct mio_stats_zone *zone, const char *tz)
{
	struct mio_text name = {0};
	int64_t offset;

	memset(zone, 0, sizeof(*zone));
	if (!tz) {
		read_file(zone, "/etc/localtime");
		return;
	}
	tz += *tz == ':';
	if (*tz != '/')
		mio_text_add(&name, "/usr/share/zoneinfo/");
	mio_text_add(&name, tz);
	if (*tz && !read_file(zone, mio_text_string(&name)) && mio_stats_rule_offset(tz, 0, &offset))
		set_rule(zone, tz, strlen(tz));
	mio_text_clear(&name);
}

void mio_stats_zone_free(struct mio_stats_zone *zone)
{
	mio_memory_give(zone->file, zone->file_bytes);
	mio_memory_give(zone->rule, zone->rule_bytes);
	memset(zone, 0, sizeof(*zone));
}
