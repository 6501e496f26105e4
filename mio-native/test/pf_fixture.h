#ifndef MIO_TEST_PF_FIXTURE_H
#define MIO_TEST_PF_FIXTURE_H

/* Opens cache layers over a memory file, as the stack does. Twin of PfFixture. */

#include "../src/common/memory.h"
#include "../src/pf/pf_cache.h"
#include "../src/pf/pf_file.h"
#include "../src/pf/pf_layer.h"
#include "../src/pf/pf_open.h"
#include "assert.h"
#include "pf_memory_file.h"

#include <fcntl.h>
#include <unistd.h>

#define ASSERT_TEXT(expected, actual) \
	do { \
		const char *e_ = (expected), *a_ = (actual); \
		if (strcmp(e_, a_) != 0) { \
			fprintf(stderr, "%s:%d: expected\n%s\nwas\n%s\n", __FILE__, __LINE__, e_, a_); \
			exit(1); \
		} \
	} while (0)

static int64_t frames_taken, frames_given;

/* Frames are filled with 0xEE, because their old content must never show. */
static inline void *frames_take(size_t bytes)
{
	void *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign(&memory, 4096, bytes));
	memset(memory, 0xEE, bytes);
	frames_taken += (int64_t)bytes;
	return memory;
}

static inline void frames_give(void *memory, size_t bytes)
{
	frames_given += (int64_t)bytes;
	free(memory);
}

static const struct mio_pf_frame_memory frames_of_test = {frames_take, frames_give};

static inline int64_t size_of_text(const char *text, const char **end)
{
	char *rest;
	int64_t number = strtoll(text, &rest, 10);

	if (*rest == 'k' || *rest == 'm' || *rest == 'g') {
		number <<= *rest == 'k' ? 10 : *rest == 'm' ? 20 : 30;
		rest++;
	}
	*end = rest;
	return number;
}

static inline void set_option(struct mio_layer_spec *spec, int option, int on, int64_t number, int64_t second)
{
	spec->values[option].setting = on ? MIO_SETTING_ON : MIO_SETTING_OFF;
	spec->values[option].number = number;
	spec->values[option].second = second;
}

static inline void set_range(struct mio_layer_spec *spec, int option, const char *value)
{
	const char *end;
	int64_t first, second;

	value += *value == '{';
	first = size_of_text(value, &end);
	second = *end == ':' ? size_of_text(end + 1, &end) : first;
	set_option(spec, option, 1, strcmp(value, "auto") == 0 ? 0 : first, strcmp(value, "auto") == 0 ? 0 : second);
}

static inline void set_flag(struct mio_layer_spec *spec, const char *word)
{
	static const struct {
		const char *word;
		int option, on;
	} flags[] = {
		{"pffw", MIO_PF_OPTION_PFFW, 1},	   {"norelease", MIO_PF_OPTION_RELEASE, 0},
		{"private", MIO_PF_OPTION_GLOBAL, 0},	   {"synchronous", MIO_PF_OPTION_ASYNCHRONOUS, 0},
		{"direct", MIO_PF_OPTION_DIRECT, 1},	   {"retain", MIO_PF_OPTION_RETAIN, 1},
		{"listio", MIO_PF_OPTION_LISTIO, 1},	   {"scratch", MIO_PF_OPTION_SCRATCH, 1},
		{"through", MIO_PF_OPTION_BEHIND, 0},	   {"stats", MIO_PF_OPTION_STATS, 1},
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(word, flags[i].word) == 0) {
			spec->values[flags[i].option].setting = flags[i].on ? MIO_SETTING_ON : MIO_SETTING_OFF;
			return;
		}
	}
	fprintf(stderr, "unknown option %s\n", word);
	exit(1);
}

static inline void set_word(struct mio_layer_spec *spec, char *word)
{
	static const struct {
		const char *word;
		int option;
	} numbers[] = {
		{"cache", MIO_PF_OPTION_CACHE_SIZE}, {"page", MIO_PF_OPTION_PAGE_SIZE},
		{"stride", MIO_PF_OPTION_STRIDE},    {"discovered_direct", MIO_PF_OPTION_DISCOVERED_DIRECT},
		{"streams", MIO_PF_OPTION_STREAMS},  {"global", MIO_PF_OPTION_GLOBAL},
	};
	char *value = strchr(word, '=');
	const char *end;

	if (!value) {
		set_flag(spec, word);
		return;
	}
	*value++ = 0;
	if (strcmp(word, "pref") == 0)
		set_range(spec, MIO_PF_OPTION_PREFETCH, value);
	else if (strcmp(word, "passthru") == 0)
		set_range(spec, MIO_PF_OPTION_PASSTHRU, value);
	else if (strcmp(word, "replace") == 0)
		spec->values[MIO_PF_OPTION_REPLACE].text = strcmp(value, "lru") == 0 ? "lru" : "auto";
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(word, numbers[i].word) == 0)
			set_option(spec, numbers[i].option, 1, size_of_text(value, &end), -1);
	}
}

/* The spec for the options that follow pf/ in a rule, over the defaults of the cache. */
static inline struct mio_layer_spec pf_spec(const char *options)
{
	struct mio_layer_spec spec = {.kind = MIO_LAYER_PF, .typed_name = "pf"};
	char copy[256], *rest = copy, *word;

	for (int i = 0; i < MIO_PF_OPTIONS; i++)
		spec.values[i] = (struct mio_option_value){MIO_SETTING_OFF, 0, -1, -1, "", NULL};
	set_option(&spec, MIO_PF_OPTION_RELEASE, 1, -1, -1);
	set_option(&spec, MIO_PF_OPTION_GLOBAL, 1, 0, -1);
	set_option(&spec, MIO_PF_OPTION_ASYNCHRONOUS, 1, -1, -1);
	set_option(&spec, MIO_PF_OPTION_CACHE_SIZE, 1, 64 << 10, -1);
	set_option(&spec, MIO_PF_OPTION_PAGE_SIZE, 1, 4 << 10, -1);
	set_option(&spec, MIO_PF_OPTION_PREFETCH, 1, 0, 0);
	set_option(&spec, MIO_PF_OPTION_STRIDE, 1, 1, -1);
	set_option(&spec, MIO_PF_OPTION_PASSTHRU, 1, 0, 0);
	set_option(&spec, MIO_PF_OPTION_BEHIND, 1, -1, -1);
	set_option(&spec, MIO_PF_OPTION_DISCOVERED_DIRECT, 1, 0, -1);
	set_option(&spec, MIO_PF_OPTION_STREAMS, 1, 16, -1);
	spec.values[MIO_PF_OPTION_REPLACE].text = "auto";
	spec.values[MIO_PF_OPTION_UNIT].text = "bytes";
	snprintf(copy, sizeof(copy), "%s", options);
	while ((word = strsep(&rest, "/")) != NULL)
		set_word(&spec, word);
	return spec;
}

static inline const char *pf_engine(void)
{
	return "memory";
}

static inline uint64_t new_inode(void)
{
	static uint64_t inodes;

	return ++inodes;
}

enum { TEST_DEVICE = 77 };

static inline int pf_try_open_as(const char *options, struct mio_layer *below, struct mio_open_request request,
				 struct mio_layer **layer)
{
	struct mio_layer_spec spec = pf_spec(options);
	struct mio_pf_file *file = mio_pf_file_enter(request.device, request.inode);
	int rc = mio_pf_layer_make(&spec, below, file, &request, pf_engine, layer);

	if (rc < 0)
		mio_pf_file_leave(file);
	return rc;
}

static inline struct mio_layer *pf_open_as(const char *options, struct mio_layer *below, struct mio_open_request request)
{
	struct mio_layer *layer;

	if (mio_pf_frame_memory != &frames_of_test)
		mio_pf_frame_memory = &frames_of_test;
	ASSERT_EQUAL(0, pf_try_open_as(options, below, request, &layer));
	return layer;
}

static inline struct mio_open_request pf_request(uint64_t inode, int oflags, int64_t sector_bytes)
{
	return (struct mio_open_request){
		.name = "test",
		.oflags = oflags,
		.device = TEST_DEVICE,
		.inode = inode,
		.cacheable = 1,
		.sector_bytes = sector_bytes,
	};
}

static inline struct mio_layer *pf_open(const char *options, struct memory_file *below, uint64_t inode)
{
	return pf_open_as(options, &below->layer, pf_request(inode, O_RDWR, 512));
}

static inline struct mio_pf_file *pf_file(struct mio_layer *layer)
{
	return ((struct mio_pf_open *)layer)->file;
}

/* Closes the layer as the front layer and the door do. */
static inline int pf_close(struct mio_layer *layer)
{
	struct mio_pf_file *file = pf_file(layer);
	int rc;

	mio_pf_file_alone(file);
	rc = layer->ops->close(layer);
	mio_pf_file_unalone(file);
	mio_pf_file_leave(file);
	layer->ops->release(layer);
	return rc;
}

static inline struct mio_stats_pf pf_counters(struct mio_layer *layer)
{
	struct mio_stats_pf pf;

	ASSERT(mio_pf_open_snapshot((struct mio_pf_open *)layer, MIO_STATS_INTER, 0, &pf));
	return pf;
}

static inline int64_t pf_write(struct mio_layer *layer, int with, int64_t offset, int64_t length)
{
	unsigned char *bytes = malloc((size_t)length + 1);
	int64_t rc;

	ASSERT(bytes);
	memset(bytes, with, (size_t)length);
	rc = layer->ops->write(layer, bytes, (size_t)length, offset);
	free(bytes);
	return rc;
}

#define WRITES(layer, with, offset, length) ASSERT_EQUAL(length, pf_write(layer, with, offset, length))

/* Reads bytes that should all be with. Returns the read's result, or -1000 minus the index of the first different byte. */
static inline int64_t pf_read(struct mio_layer *layer, int with, int64_t offset, int64_t length)
{
	unsigned char *bytes = malloc((size_t)length + 1);
	int64_t rc;

	ASSERT(bytes);
	rc = layer->ops->read(layer, bytes, (size_t)length, offset);
	for (int64_t i = 0; i < rc; i++) {
		if (bytes[i] != (unsigned char)with) {
			rc = -1000 - i;
			break;
		}
	}
	free(bytes);
	return rc;
}

#define READS(layer, with, offset, length) ASSERT_EQUAL(length, pf_read(layer, with, offset, length))

/* 1 if length bytes at offset of the file below all have the value with. */
static inline int holds(struct memory_file *file, int with, int64_t offset, int64_t length)
{
	if (offset + length > file->size)
		return 0;
	for (int64_t i = 0; i < length; i++) {
		if (file->bytes[offset + i] != (unsigned char)with)
			return 0;
	}
	return 1;
}

/* The number whose digits in base 3 are the binary digits of i. No three such numbers are equally spaced. */
static inline int64_t scattered(int64_t i)
{
	int64_t number = 0, digit = 1;

	for (; i > 0; i /= 2, digit *= 3)
		number += i % 2 * digit;
	return number;
}

#endif
