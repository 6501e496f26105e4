#include "pf_plan_file.h"

#include <errno.h>
#include <string.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/text.h"
#include "../layer/layer_error.h"
#include "pf_plan_events.h"
#include "pf_plan_sort.h"

/* A file in an events file, with the plans that were made for it. */
struct recorded {
	const char *path, *last;
	const struct mio_pf_plan_group *group;
	struct mio_pf_plan_run *runs;
};

/* An events file of which plans are made. */
struct plan_file {
	struct plan_file *next;
	struct mio_text path;
	struct mio_text failure;	/* why there are no plans, or empty */
	struct mio_pf_plan_events events;
	struct recorded *recorded;	/* ordered by the last component of their names, then by the whole name */
	size_t count;			/* of recorded */
};

static struct mio_lock lock;
static struct plan_file *files;

static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int is_before(const void *one, const void *other)
{
	const struct recorded *a = one, *b = other;
	int order = strcmp(a->last, b->last);

	return order != 0 ? order < 0 : strcmp(a->path, b->path) < 0;
}

/* Orders the recorded files, so that a program with very many files need not look through all of them at each open. */
static void put_in_order(struct plan_file *file)
{
	const struct mio_pf_plan_events *events = &file->events;

	file->recorded = mio_memory_take((events->group_count + 1) * sizeof(*file->recorded));
	if (!file->recorded) {
		mio_text_add(&file->failure, mio_error_words(ENOMEM));
		return;
	}
	for (size_t i = 0; i < events->group_count; i++) {
		const struct mio_pf_plan_group *group = &events->groups[i];

		if (group->count > 0)
			file->recorded[file->count++] = (struct recorded){group->path, last_of(group->path), group, NULL};
	}
	mio_pf_plan_sort(file->recorded, file->count, sizeof(*file->recorded), is_before);
}

/* The events file of that path, which is read at its first use. With the lock. NULL without memory. */
static struct plan_file *find_or_read(const char *path)
{
	struct plan_file *file = files;

	while (file && strcmp(mio_text_string(&file->path), path) != 0)
		file = file->next;
	if (file)
		return file;
	file = mio_memory_take(sizeof(*file));
	if (!file)
		return NULL;
	mio_text_add(&file->path, path);
	if (file->path.failed) {
		mio_memory_give(file, sizeof(*file));
		return NULL;
	}
	if (mio_pf_plan_events_read(&file->events, path, &file->failure) < 0)
		mio_pf_plan_events_end(&file->events);
	else
		put_in_order(file);
	file->next = files;
	files = file;
	return file;
}

/* The first recorded file that does not come before the wanted one, or the entry behind the last one. */
static struct recorded *first_from(const struct plan_file *file, const struct recorded *wanted)
{
	size_t from = 0, to = file->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (is_before(&file->recorded[middle], wanted))
			from = middle + 1;
		else
			to = middle;
	}
	return &file->recorded[from];
}

/* The recorded file of that name, or else the only one whose name has the same last component; or NULL. */
static struct recorded *find(const struct plan_file *file, const char *name)
{
	struct recorded wanted = {.path = name, .last = last_of(name)};
	const struct recorded *end = file->recorded + file->count;
	struct recorded *found = first_from(file, &wanted);

	if (found < end && strcmp(found->path, name) == 0)
		return found;
	wanted.path = "";
	found = first_from(file, &wanted);
	if (found == end || strcmp(found->last, wanted.last) != 0)
		return NULL;
	return found + 1 < end && strcmp(found[1].last, wanted.last) == 0 ? NULL : found;
}

static struct mio_pf_plan_run *make(const struct plan_file *file, struct recorded *recorded, int64_t page_bytes)
{
	const struct mio_pf_plan_group *group = recorded->group;
	struct mio_pf_plan_run *run = mio_memory_take(sizeof(*run));

	if (!run)
		return NULL;
	if (mio_pf_plan_begin(&run->plan, file->events.reads + group->first, group->count, group->channels,
			      page_bytes) < 0) {
		mio_memory_give(run, sizeof(*run));
		return NULL;
	}
	run->next = recorded->runs;
	recorded->runs = run;
	return run;
}

static struct mio_pf_plan_run *find_or_make(const struct plan_file *file, struct recorded *recorded, int64_t page_bytes)
{
	struct mio_pf_plan_run *run = recorded->runs;

	while (run && run->plan.page_bytes != page_bytes)
		run = run->next;
	return run ? run : make(file, recorded, page_bytes);
}

static struct mio_pf_plan_run *take(struct plan_file *file, const char *name, int64_t page_bytes, const char **none)
{
	struct recorded *recorded;
	struct mio_pf_plan_run *run;

	if (file->failure.length > 0) {
		*none = mio_text_string(&file->failure);
		return NULL;
	}
	recorded = find(file, name);
	if (!recorded) {
		*none = "the events file has no read of it";
		return NULL;
	}
	if (recorded->group->sampled) {
		*none = "events_sample left reads of it out";
		return NULL;
	}
	run = find_or_make(file, recorded, page_bytes);
	if (!run)
		return NULL;
	if (run->in_use) {
		*none = "another file of that name goes by it";
		return NULL;
	}
	run->in_use = 1;
	run->is_cut = file->events.is_cut;
	return run;
}

struct mio_pf_plan_run *mio_pf_plan_take(const char *path, const char *name, int64_t page_bytes, const char **none)
{
	struct mio_pf_plan_run *run = NULL;
	struct plan_file *file;

	*none = "no memory for it";
	if (!path)
		return NULL;
	mio_lock_acquire(&lock);
	file = find_or_read(path);
	if (file)
		run = take(file, name, page_bytes, none);
	mio_lock_release(&lock);
	return run;
}

void mio_pf_plan_give_back(struct mio_pf_plan_run *run)
{
	if (!run)
		return;
	mio_lock_acquire(&lock);
	mio_pf_plan_rewind(&run->plan);
	run->in_use = 0;
	mio_lock_release(&lock);
}

void mio_pf_plans_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	files = NULL;
}
