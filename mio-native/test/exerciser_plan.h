#ifndef MIO_TEST_EXERCISER_PLAN_H
#define MIO_TEST_EXERCISER_PLAN_H

/*
 * The operations of Java's DoorExerciser in the same order, with the same numbers and bytes: the same seed gives the same list. The
 * golden case twin/exerciser/operations.txt verifies this on both sides.
 *
 * What is drawn depends on the numbers drawn before, on which channels are open and on which file each name has. The plan tracks
 * this by itself, without asking the files. The channel number in an operation tells the executor whether the open succeeds.
 * Channels are numbered from 0; when one is closed, the later ones move down by one.
 */

#include <stdio.h>
#include <string.h>

#include "java_random.h"

enum { PLAN_CHANNELS = 4, PLAN_PLACE_MAX = 150000, PLAN_ROUND = 200, PLAN_THREADS = 3, PLAN_THREAD_CALLS = 60 };

enum plan_kind {
	/* Operations on a channel. They use bytes, length, place, parts and direct. */
	PLAN_READ, PLAN_SCATTER, PLAN_WRITE, PLAN_GATHER, PLAN_WRITE_HERE, PLAN_TRUNCATE, PLAN_SIZE, PLAN_FORCE, PLAN_MAP, PLAN_WRITE_MAPPED,
	PLAN_LOCK,
	/* The same, and they use other. */
	PLAN_TRANSFER_TO, PLAN_TRANSFER_FROM,
	/* Operations on an asynchronous channel. They use bytes, length and place. */
	PLAN_LATER_READ, PLAN_LATER_WRITE, PLAN_LATER_TRUNCATE,
	/* Operations on a name. */
	PLAN_CREATE, PLAN_LINK, PLAN_SIZE_OF, PLAN_READ_ALL, PLAN_SKIP, PLAN_APPEND, PLAN_OVERWRITE, PLAN_COPY, PLAN_REPLACE, PLAN_RENAME,
	PLAN_DELETE, PLAN_COMPARE,
	/* The new channel gets the number in channel; -1 if the name has no file and the open fails. */
	PLAN_OPEN,
	PLAN_CLOSE,
	/* Writes bytes to one.dat; then threads with these seeds use it. */
	PLAN_THREADS_BEGIN,
};

/* The open options that Java uses. */
enum plan_mode { PLAN_READS_WRITES, PLAN_READS_WRITES_CREATES, PLAN_READS, PLAN_WRITES, PLAN_APPENDS_CREATES, PLAN_MODES };

struct plan_operation {
	enum plan_kind kind;
	int channel;
	int other;
	const char *name;
	const char *to;	/* the target name of PLAN_COPY */
	enum plan_mode mode;
	int asynchronous;
	int length;
	int place;
	const unsigned char *bytes;	/* length bytes, or NULL if the operation has none */
	int parts;
	int direct;
	int forced;	/* of PLAN_COMPARE: compares with the kernel's content, too */
	int64_t seeds[PLAN_THREADS];
};

struct plan {
	struct java_random random;
	void (*does)(void *context, const struct plan_operation *operation);
	void *context;
	int cursor;
	int open;
	struct {
		int ruled;
		int asynchronous;
		int file;
	} channels[PLAN_CHANNELS];
	int last_file;
	int files[3];	/* the file of one.dat, of one.hard and of two.dat; 0: none */
	unsigned char bytes[PLAN_PLACE_MAX];
};

/* one.dat and two.dat match a rule. one.hard and one.link, a hard link and a symbolic link to one.dat, match none. */
static const char *const plan_names[] = {"one.dat", "one.hard", "one.link", "two.dat"};

static int plan_below(struct plan *plan, int bound)
{
	return java_random_below(&plan->random, bound);
}

static void plan_do(struct plan *plan, struct plan_operation operation)
{
	plan->does(plan->context, &operation);
}

static int *plan_file(struct plan *plan, const char *name)
{
	return &plan->files[strcmp(name, "two.dat") == 0 ? 2 : strcmp(name, "one.hard") == 0];
}

static const unsigned char *plan_bytes(struct plan *plan, int length)
{
	java_random_bytes(&plan->random, plan->bytes, (size_t)length);
	return plan->bytes;
}

static void plan_create(struct plan *plan)
{
	int length = plan_below(plan, PLAN_PLACE_MAX);

	plan_do(plan, (struct plan_operation){PLAN_CREATE, .name = "one.dat", .length = length, .bytes = plan_bytes(plan, length)});
	if (plan->files[0] == 0)
		plan->files[0] = ++plan->last_file;
	plan_do(plan, (struct plan_operation){.kind = PLAN_LINK});
	plan->files[1] = plan->files[0];
}

static void plan_close_one(struct plan *plan)
{
	int index = plan_below(plan, plan->open);

	plan_do(plan, (struct plan_operation){PLAN_CLOSE, .channel = index});
	plan->open--;
	memmove(&plan->channels[index], &plan->channels[index + 1],
		sizeof(plan->channels[0]) * (size_t)(plan->open - index));
}

static void plan_close_all(struct plan *plan)
{
	while (plan->open > 0)
		plan_close_one(plan);
}

static int plan_is_cached(const struct plan *plan, int file)
{
	for (int i = 0; i < plan->open; i++)
		if (plan->channels[i].ruled && plan->channels[i].file == file)
			return 1;
	return 0;
}

static void plan_open_or_close(struct plan *plan)
{
	struct plan_operation operation = {PLAN_OPEN, .channel = -1};
	int ruled;
	int *file;

	if (plan->open == PLAN_CHANNELS || (plan->open > 0 && plan_below(plan, 3) == 0)) {
		plan_close_one(plan);
		return;
	}
	operation.name = plan_names[plan_below(plan, 4)];
	operation.mode = (enum plan_mode)plan_below(plan, PLAN_MODES);
	operation.asynchronous = plan_below(plan, 4) == 0 && operation.mode != PLAN_APPENDS_CREATES;
	ruled = strstr(operation.name, ".dat") != NULL;
	file = plan_file(plan, operation.name);
	/* By a name without a rule, an open has pages only if the file is cached already. The plan opens only then. */
	if (!ruled && !plan_is_cached(plan, *file))
		return;
	if (*file == 0 && (operation.mode == PLAN_READS_WRITES_CREATES || operation.mode == PLAN_APPENDS_CREATES))
		*file = ++plan->last_file;
	if (*file != 0)
		operation.channel = plan->open;
	plan_do(plan, operation);
	if (*file != 0) {
		plan->channels[plan->open].ruled = ruled;
		plan->channels[plan->open].asynchronous = operation.asynchronous;
		plan->channels[plan->open++].file = *file;
	}
}

static int plan_length(struct plan *plan)
{
	switch (plan_below(plan, 5)) {
	case 0:
		return plan_below(plan, 200);
	case 1:
		return 512 * (1 + plan_below(plan, 16));
	case 2:
	case 3:
		return plan_below(plan, 3000);
	default:
		return plan_below(plan, 40000);
	}
}

/* Makes streams in both directions, strides and random jumps. */
static int plan_place(struct plan *plan, int length)
{
	int cursor = plan->cursor;

	switch (plan_below(plan, 8)) {
	case 0:
	case 1:
	case 2:
		break;
	case 3:
	case 4:
		cursor -= 2 * length;
		break;
	case 5:
		cursor += 3 * length;
		break;
	default:
		cursor = plan_below(plan, PLAN_PLACE_MAX);
	}
	cursor = cursor < 0 ? 0 : cursor > PLAN_PLACE_MAX ? PLAN_PLACE_MAX : cursor;
	plan->cursor = cursor + length;
	return cursor;
}

static void plan_channel_step(struct plan *plan, int channel)
{
	static const struct {
		int below;
		enum plan_kind kind;
	} kinds[] = {{380, PLAN_READ}, {450, PLAN_SCATTER}, {780, PLAN_WRITE}, {850, PLAN_GATHER}, {880, PLAN_WRITE_HERE},
		     {900, PLAN_TRUNCATE}, {940, PLAN_SIZE}, {944, PLAN_FORCE}, {949, PLAN_MAP}, {950, PLAN_WRITE_MAPPED},
		     {965, PLAN_LOCK}};
	struct plan_operation operation = {PLAN_READ, .channel = channel};
	int what;

	operation.length = plan_length(plan);
	operation.place = plan_place(plan, operation.length);
	operation.bytes = plan_bytes(plan, operation.length);
	operation.parts = 1 + plan_below(plan, 3);
	operation.direct = java_random_boolean(&plan->random);
	what = plan_below(plan, 1000);
	if (what >= 965) {
		operation.kind = what % 2 == 0 ? PLAN_TRANSFER_TO : PLAN_TRANSFER_FROM;
		operation.other = plan_below(plan, plan->open);
		if (plan->channels[operation.other].asynchronous ||
		    plan->channels[operation.other].file == plan->channels[channel].file)
			return;
	} else {
		int i = 0;

		while (what >= kinds[i].below)
			i++;
		operation.kind = kinds[i].kind;
	}
	plan_do(plan, operation);
}

static void plan_asynchronous_step(struct plan *plan, int channel)
{
	struct plan_operation operation = {PLAN_LATER_READ, .channel = channel};
	int reads;

	operation.length = 1 + plan_length(plan);
	operation.place = plan_place(plan, operation.length);
	operation.bytes = plan_bytes(plan, operation.length);
	reads = java_random_boolean(&plan->random);
	operation.kind = plan_below(plan, 30) == 0 ? PLAN_LATER_TRUNCATE : reads ? PLAN_LATER_READ : PLAN_LATER_WRITE;
	plan_do(plan, operation);
}

static void plan_file_step(struct plan *plan)
{
	static const enum plan_kind kinds[] = {PLAN_SIZE_OF, PLAN_SIZE_OF, PLAN_SIZE_OF, PLAN_READ_ALL, PLAN_SKIP, PLAN_APPEND,
					       PLAN_OVERWRITE, PLAN_COPY, PLAN_COPY, PLAN_REPLACE, PLAN_RENAME, PLAN_DELETE,
					       PLAN_CLOSE, PLAN_COMPARE};
	struct plan_operation operation = {PLAN_SIZE_OF, .name = plan_names[plan_below(plan, 4)]};
	int *file = plan_file(plan, operation.name);
	int what;

	operation.length = plan_length(plan);
	operation.bytes = plan_bytes(plan, operation.length);
	what = plan_below(plan, 14);
	operation.kind = kinds[what];
	if (operation.kind == PLAN_CLOSE) {
		plan_close_all(plan);
		return;
	}
	if (operation.kind == PLAN_COMPARE)
		operation.forced = java_random_boolean(&plan->random);
	if (operation.kind == PLAN_REPLACE || operation.kind == PLAN_RENAME || operation.kind == PLAN_DELETE)
		operation.name = "one.dat";
	if (operation.kind == PLAN_COPY) {
		operation.name = what == 7 ? "one.dat" : "two.dat";
		operation.to = what == 7 ? "two.dat" : "three.dat";
	}
	plan_do(plan, operation);
	if ((operation.kind == PLAN_APPEND || operation.kind == PLAN_OVERWRITE) && *file == 0)
		*file = ++plan->last_file;
	/* A new file takes the name; channels that have the old file open keep it. */
	if (what == 7)
		plan->files[2] = ++plan->last_file;
	if (operation.kind == PLAN_REPLACE)
		plan->files[0] = ++plan->last_file;
	if (operation.kind == PLAN_DELETE) {
		plan->files[0] = 0;
		plan_create(plan);
	}
}

static void plan_step(struct plan *plan)
{
	int what = plan_below(plan, 1000);

	if (what < 900 && plan->open > 0) {
		int channel = plan_below(plan, plan->open);

		if (plan->channels[channel].asynchronous)
			plan_asynchronous_step(plan, channel);
		else
			plan_channel_step(plan, channel);
	} else if (what < 960) {
		plan_open_or_close(plan);
	} else {
		plan_file_step(plan);
	}
}

static void plan_compare(struct plan *plan, int forced)
{
	plan_do(plan, (struct plan_operation){PLAN_COMPARE, .name = "one.dat", .forced = forced});
	plan_do(plan, (struct plan_operation){PLAN_COMPARE, .name = "two.dat", .forced = forced});
}

/* Every channel is closed first: from then on only opens that the gate lets in may ask the kernel. */
static void plan_threads(struct plan *plan)
{
	struct plan_operation operation = {PLAN_THREADS_BEGIN, .name = "one.dat", .length = 20000};

	plan_close_all(plan);
	operation.bytes = plan_bytes(plan, operation.length);
	for (int i = 0; i < PLAN_THREADS; i++)
		operation.seeds[i] = java_random_long(&plan->random);
	plan_do(plan, operation);
}

/* Creates the files and does so many calls. At the end every channel is closed. */
static void plan_run(struct plan *plan, int64_t seed, int calls, void (*does)(void *, const struct plan_operation *),
		     void *context)
{
	int done = 0;

	memset(plan, 0, sizeof(*plan));
	plan->random = java_random_begin(seed);
	plan->does = does;
	plan->context = context;
	plan_create(plan);
	while (done < calls) {
		for (int i = 0; i < PLAN_ROUND; i++)
			plan_step(plan);
		done += PLAN_ROUND;
		if (plan_below(plan, 4) == 0) {
			plan_threads(plan);
			done += PLAN_THREADS * PLAN_THREAD_CALLS;
		}
		plan_compare(plan, plan_below(plan, 10) == 0);
	}
	plan_close_all(plan);
	plan_compare(plan, 1);
}

#endif
