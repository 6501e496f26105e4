/*
 * The reports of all files open in this process. Twin of FileReport and OpenReports. The open holds its report, and so does a thread
 * that goes through all reports; the last holder frees it. Only one thread at a time writes the report of a file, and none is
 * written after that of its close: so an older report never follows a newer one.
 */
#include <stdatomic.h>
#include <string.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "stats_file.h"
#include "stats_output.h"

struct line {
	struct line *next;
	const char *target;
	int inter;
	struct mio_stats_source source;
};

struct mio_file_report {
	struct mio_stats_output *output;
	struct line *lines;	/* lowest layer first */
	struct mio_lock lock;	/* held while the report is written */
	int closed;
	_Atomic int holders;
	struct mio_file_report *next, *before;	/* in the list of open files, under open_lock */
	int is_open;
	unsigned int generation;	/* number of forks when it was made: a forked child does not have the parent's reports */
};

static struct mio_lock open_lock;
static struct mio_file_report *first;
static struct mio_file_report *last;
static size_t open_count;
static unsigned int generation;

const char *mio_stats_event_label(enum mio_stats_event event)
{
	static const char *const labels[] = {"close", "exit", "inter"};

	return labels[event];
}

struct mio_file_report *mio_file_report_make(struct mio_stats_output *output)
{
	struct mio_file_report *report = mio_memory_take(sizeof(*report));

	if (report) {
		report->output = output;
		report->generation = generation;
		atomic_store_explicit(&report->holders, 1, memory_order_relaxed);
	}
	return report;
}

void mio_file_report_add(struct mio_file_report *report, const char *target, int inter, struct mio_stats_source source)
{
	struct line *line = mio_memory_take(sizeof(*line));
	struct line **end = &report->lines;

	/* Without memory the block of this layer is missing in the report; the open must not fail for that. */
	if (!line)
		return;
	line->target = target;
	line->inter = inter;
	line->source = source;
	while (*end)
		end = &(*end)->next;
	*end = line;
}

int mio_file_report_has_inter(const struct mio_file_report *report)
{
	for (const struct line *line = report->lines; line; line = line->next)
		if (line->inter)
			return 1;
	return 0;
}

static void let_go(struct mio_file_report *report)
{
	if (atomic_fetch_sub_explicit(&report->holders, 1, memory_order_acq_rel) != 1)
		return;
	while (report->lines) {
		struct line *line = report->lines;

		report->lines = line->next;
		mio_memory_give(line, sizeof(*line));
	}
	mio_memory_give(report, sizeof(*report));
}

void mio_file_report_open(struct mio_file_report *report)
{
	if (!report->lines)
		return;
	mio_lock_acquire(&open_lock);
	report->before = last;
	*(last ? &last->next : &first) = report;
	last = report;
	report->is_open = 1;
	open_count++;
	mio_lock_release(&open_lock);
}

static int is_written(const struct mio_file_report *report, const struct line *line, int only_inter)
{
	/* Only blocks that are written are made, because a block asks the file system, which costs system calls. */
	return line->target && (line->inter || !only_inter) && mio_stats_output_has(report->output, line->target);
}

/* Adds the block of line to text, with what comes before a block; or nothing. Returns the number of blocks added. */
static int add_block(const struct mio_file_report *report, const struct line *line, enum mio_stats_event event,
		     int json, struct mio_text *text)
{
	size_t begin = text->length;
	size_t block;

	if (!json)
		mio_stats_output_add_preamble(report->output, 0, text);
	block = text->length;
	line->source.block(line->source.context, event, json, text);
	if (text->length > block)
		return 1;
	mio_text_cut(text, begin);
	return 0;
}

/* Writes all blocks that go to the same file as that of line, as one entry. */
static void write_file(const struct mio_file_report *report, const struct line *line, struct mio_stats_file *file,
		       enum mio_stats_event event, int only_inter)
{
	struct mio_text text = {0};
	int blocks = 0;

	for (; line; line = line->next)
		if (is_written(report, line, only_inter) &&
		    mio_stats_output_file(report->output, line->target) == file)
			blocks += add_block(report, line, event, file->json, &text);
	if (blocks > 0) {
		if (!file->json)
			mio_text_add(&text, mio_stats_separator);
		mio_stats_output_write(report->output, file, 0, 0, &text);
	}
	mio_text_clear(&text);
}

static int is_done(const struct mio_file_report *report, const struct line *line, const struct mio_stats_file *file,
		   int only_inter)
{
	for (const struct line *before = report->lines; before != line; before = before->next)
		if (is_written(report, before, only_inter) &&
		    mio_stats_output_file(report->output, before->target) == file)
			return 1;
	return 0;
}

static int has_moved(const struct mio_file_report *report)
{
	for (const struct line *line = report->lines; line; line = line->next)
		if (line->source.moved && line->source.moved(line->source.context))
			return 1;
	return 0;
}

static void write_report(struct mio_file_report *report, enum mio_stats_event event, int only_inter, int only_moved)
{
	mio_lock_acquire(&report->lock);
	/* After the close the layers may be gone. */
	if (!report->closed && (!only_moved || has_moved(report))) {
		report->closed = event == MIO_STATS_CLOSE;
		for (const struct line *line = report->lines; line; line = line->next) {
			struct mio_stats_file *file = NULL;

			if (is_written(report, line, only_inter))
				file = mio_stats_output_file(report->output, line->target);
			if (file && !is_done(report, line, file, only_inter))
				write_file(report, line, file, event, only_inter);
		}
	}
	mio_lock_release(&report->lock);
}

void mio_file_report_close(struct mio_file_report *report)
{
	if (report->is_open && report->generation == generation) {
		/* The report stays in the list until it is written, so that a thread that ends the process finds it and waits. */
		write_report(report, MIO_STATS_CLOSE, 0, 0);
		mio_lock_acquire(&open_lock);
		*(report->before ? &report->before->next : &first) = report->next;
		*(report->next ? &report->next->before : &last) = report->before;
		open_count--;
		report->is_open = 0;
		mio_lock_release(&open_lock);
	}
	let_go(report);
}

/* Writes the reports of all files open now, in the order of their opens. Not under the lock, so that others can open and close files meanwhile. */
static void write_all(enum mio_stats_event event, int only_inter, int only_moved)
{
	struct mio_file_report **all;
	size_t count = 0;
	size_t room;

	mio_lock_acquire(&open_lock);
	room = open_count;
	all = room ? mio_memory_take(room * sizeof(struct mio_file_report *)) : NULL;
	for (struct mio_file_report *report = all ? first : NULL; report; report = report->next) {
		atomic_fetch_add_explicit(&report->holders, 1, memory_order_relaxed);
		all[count++] = report;
	}
	mio_lock_release(&open_lock);
	for (size_t i = 0; i < count; i++) {
		if (!only_inter || mio_file_report_has_inter(all[i]))
			write_report(all[i], event, only_inter, only_moved);
		let_go(all[i]);
	}
	mio_memory_give(all, room * sizeof(struct mio_file_report *));
}

void mio_file_reports_exit(void)
{
	write_all(MIO_STATS_EXIT, 0, 0);
}

void mio_file_reports_exec(void)
{
	/* inter: if the exec fails, a later report of the file replaces this one. */
	write_all(MIO_STATS_INTER, 0, 1);
}

void mio_file_reports_inter(void)
{
	write_all(MIO_STATS_INTER, 1, 0);
}

void mio_file_reports_forked(void)
{
	memset(&open_lock, 0, sizeof(open_lock));
	first = NULL;
	last = NULL;
	open_count = 0;
	generation++;
}
