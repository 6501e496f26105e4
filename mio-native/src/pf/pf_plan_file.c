#include "pf_plan_file.h"

#include <string.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "pf_plan_events.h"

/* An events file that plans are made of. */
struct plan_file {
	struct plan_file *next;
	struct mio_text path;
	struct mio_text failure;	/* why it has no plans */
	struct mio_pf_plan_events events;
	struct mio_pf_plan_run *runs;
};

static struct mio_lock lock;
static struct plan_file *files;

/* With the lock. NULL without memory. */
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
	file->next = files;
	files = file;
	return file;
}

static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The group of the same name, else the only one that ends alike; or NULL. */
static struct mio_pf_plan_group *recorded(const struct plan_file *file, const char *name)
{
	struct mio_pf_plan_group *alike = NULL;
	int count = 0;

	for (size_t i = 0; i < file->events.group_count; i++) {
		struct mio_pf_plan_group *group = &file->events.groups[i];

		if (group->count == 0)
			continue;
		if (strcmp(group->path, name) == 0)
			return group;
		if (strcmp(last_of(group->path), last_of(name)) == 0) {
			alike = group;
			count++;
		}
	}
	return count == 1 ? alike : NULL;
}

static struct mio_pf_plan_run *make(struct plan_file *file, const struct mio_pf_plan_group *group, int64_t page_bytes)
{
	struct mio_pf_plan_run *run = mio_memory_take(sizeof(*run));

	if (!run)
		return NULL;
	if (mio_pf_plan_begin(&run->plan, file->events.reads + group->first, group->count, group->channels,
			      page_bytes) < 0) {
		mio_memory_give(run, sizeof(*run));
		return NULL;
	}
	run->path = group->path;
	run->next = file->runs;
	file->runs = run;
	return run;
}

static struct mio_pf_plan_run *find_or_make(struct plan_file *file, const struct mio_pf_plan_group *group,
					    int64_t page_bytes)
{
	struct mio_pf_plan_run *run = file->runs;

	while (run && (run->path != group->path || run->plan.page_bytes != page_bytes))
		run = run->next;
	return run ? run : make(file, group, page_bytes);
}

static struct mio_pf_plan_run *take(struct plan_file *file, const char *name, int64_t page_bytes, struct mio_text *words)
{
	const struct mio_pf_plan_group *group;
	struct mio_pf_plan_run *run = NULL;

	if (file->failure.length > 0) {
		mio_text_add(words, "no plan: ");
		mio_text_add(words, mio_text_string(&file->failure));
		return NULL;
	}
	group = recorded(file, name);
	if (!group)
		mio_text_add(words, "no plan: the events file has no read of it");
	else if (group->sampled)
		mio_text_add(words, "no plan: events_sample left reads of it out");
	else
		run = find_or_make(file, group, page_bytes);
	if (!run) {
		if (words->length == 0)
			mio_text_add(words, "no plan: no memory for it");
		return NULL;
	}
	if (run->in_use) {
		mio_text_add(words, "no plan: another file of that name goes by it");
		return NULL;
	}
	run->in_use = 1;
	mio_text_add(words, "goes by a plan of ");
	mio_text_add_number(words, run->plan.count);
	mio_text_add(words, " pages");
	if (file->events.is_cut)
		mio_text_add(words, ", which does not have all reads of the events file");
	return run;
}

struct mio_pf_plan_run *mio_pf_plan_take(const char *path, const char *name, int64_t page_bytes, struct mio_text *words)
{
	struct mio_pf_plan_run *run = NULL;
	struct plan_file *file;

	mio_lock_acquire(&lock);
	file = find_or_read(path);
	if (file)
		run = take(file, name, page_bytes, words);
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
