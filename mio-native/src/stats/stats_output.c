/*
 * Where the reports of the process go. Twin of StatsOutput. One lock for all its files is enough: entries are written when
 * a file is closed and at the end of the process, never in a signal handler. TZ and the directory of relative names are those
 * at the beginning of the process.
 */
#include "stats_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "../common/lock.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "stats_file.h"
#include "stats_header.h"
#include "stats_hint.h"
#include "stats_json.h"
#include "stats_process.h"
#include "stats_recov.h"

#define DIRECTORY_BYTES 4096

#ifndef MIO_BUILT
#define MIO_BUILT "unknown"
#endif

/* A file that stays open while the process changes its rights. It is never freed, because kept never is. */
struct stay {
	struct stay *next;
	const char *name;
	struct mio_os_kept kept;
};

struct mio_stats_output {
	struct mio_lock lock;
	struct mio_stats_settings settings;
	struct mio_stats_file *files;
	struct stay *stays;
	struct mio_stats_tree tree;
	char token[128];
	struct mio_stats_zone zone;
	_Atomic int zone_is_known;
	_Atomic int hint_process;	/* the process that says where the reports are; 0: none */
	char terminal[64];	/* name of what standard error was when the process began; "": not known */
	struct mio_stats_events_hint events_hint;
	char directory[DIRECTORY_BYTES];	/* directory of relative names; "" if its name is not known */
};

static const char *after_blanks(const char *text)
{
	while (*text && (unsigned char)*text <= ' ')
		text++;
	return text;
}

static size_t length_without_blanks(const char *text)
{
	size_t length = strlen(text);

	while (length > 0 && (unsigned char)text[length - 1] <= ' ')
		length--;
	return length;
}

static const char *name_of(const struct mio_stats_output *output, const char *target)
{
	return after_blanks(strcmp(target, "mioout") == 0 ? output->settings.stats : target);
}

static void set_token(struct mio_stats_output *output)
{
	struct mio_text text = {0};

	mio_stats_tree_write(&output->tree, &text);
	memset(output->token, 0, sizeof(output->token));
	if (text.length < sizeof(output->token))
		memcpy(output->token, mio_text_string(&text), text.length);
	mio_text_clear(&text);
}

void mio_stats_output_owner(struct mio_stats_output *output, const char *token)
{
	struct mio_stats_file *file;

	if (!token || !mio_stats_tree_read(&output->tree, token)) {
		file = mio_stats_output_file(output, "mioout");
		mio_stats_tree_begin(&output->tree, file && !file->stream ? file->path : NULL);
	}
	set_token(output);
}

struct mio_stats_output *mio_stats_output_make_from(const struct mio_stats_settings *settings)
{
	struct mio_stats_output *output = mio_memory_take(sizeof(*output));

	if (!output)
		return NULL;
	output->settings = *settings;
	if (settings->tz) {
		size_t bytes = strlen(settings->tz) + 1;
		char *copy = mio_memory_take(bytes);

		if (copy)
			memcpy(copy, settings->tz, bytes);
		output->settings.tz = copy;
	}
	if (mio_raw2(SYS_getcwd, output->directory, sizeof(output->directory)) < 0 || output->directory[0] != '/')
		output->directory[0] = 0;
	mio_stats_program();
	output->hint_process = mio_stats_hint_process(settings->hint);
	/* The bytes after the name are zero and end it. */
	if (output->hint_process || settings->events_hint)
		mio_raw4(SYS_readlinkat, AT_FDCWD, "/proc/self/fd/2", output->terminal, sizeof(output->terminal) - 1);
	mio_stats_events_hint_begin(&output->events_hint, settings->events_hint);
	mio_stats_output_owner(output, settings->tree);
	return output;
}

const char *mio_stats_output_token(struct mio_stats_output *output)
{
	mio_lock_acquire(&output->lock);
	output->tree.shared = 1;
	mio_lock_release(&output->lock);
	return output->token;
}

const char *mio_stats_output_tree(const struct mio_stats_output *output)
{
	return output->token;
}

void mio_stats_output_path(const struct mio_stats_output *output, const char *name, struct mio_text *path)
{
	const char *begin = after_blanks(name);
	struct mio_text expanded = {0};

	mio_stats_add_expanded(&expanded, begin, length_without_blanks(begin));
	if (expanded.length > 0)
		mio_stats_add_absolute(path, output->directory, mio_text_string(&expanded));
	path->failed |= expanded.failed;
	mio_text_clear(&expanded);
}

void mio_stats_output_forked(struct mio_stats_output *output)
{
	memset(&output->lock, 0, sizeof(output->lock));
	output->files = NULL;
	output->tree.shared = 1;
	/* A file with % in its name may be the parent's alone (%p). */
	for (struct stay *stay = output->stays; stay; stay = stay->next)
		if (strchr(stay->name, '%'))
			mio_os_kept_close(&stay->kept);
	if (!output->zone_is_known)
		memset(&output->zone, 0, sizeof(output->zone));
}

int mio_stats_output_has(const struct mio_stats_output *output, const char *target)
{
	return *name_of(output, target) != 0;
}

/* The caller holds the lock. */
static struct mio_stats_file *find_or_make(struct mio_stats_output *output, const char *name)
{
	struct mio_stats_file *made = mio_stats_file_make(output->directory, name, length_without_blanks(name));
	struct mio_stats_file *file = output->files;

	if (!made)
		return NULL;
	while (file && strcmp(file->path, made->path) != 0)
		file = file->next;
	if (file) {
		mio_memory_give(made->path, made->path_bytes);
		mio_memory_give(made, sizeof(*made));
		return file;
	}
	made->next = output->files;
	output->files = made;
	return made;
}

/* The caller holds the lock. */
static struct mio_os_kept *kept_of(struct mio_stats_output *output, const char *name)
{
	for (struct stay *stay = output->stays; stay; stay = stay->next)
		if (strcmp(stay->name, name) == 0)
			return &stay->kept;
	return NULL;
}

struct mio_stats_file *mio_stats_output_file(struct mio_stats_output *output, const char *target)
{
	struct mio_stats_file *file;

	if (!mio_stats_output_has(output, target))
		return NULL;
	mio_lock_acquire(&output->lock);
	file = find_or_make(output, name_of(output, target));
	if (file && strcmp(target, "mioout") == 0)
		file->common = 1;
	if (file && !file->stay)
		file->stay = kept_of(output, name_of(output, target));
	mio_lock_release(&output->lock);
	return file;
}

void mio_stats_output_stay(struct mio_stats_output *output, const char *target)
{
	struct mio_stats_file *file = mio_stats_output_file(output, target);
	struct stay *stay;

	if (!file || file->stream)
		return;
	mio_lock_acquire(&output->lock);
	if (!file->stay && (stay = mio_memory_take(sizeof(*stay))) != NULL) {
		stay->name = name_of(output, target);
		stay->next = output->stays;
		output->stays = stay;
		file->stay = &stay->kept;
	}
	if (file->stay)
		mio_stats_file_stay(file, &output->tree);
	mio_lock_release(&output->lock);
}

static struct mio_stats_date local_date(struct mio_stats_output *output)
{
	if (!atomic_load_explicit(&output->zone_is_known, memory_order_acquire)) {
		mio_lock_acquire(&output->lock);
		if (!output->zone_is_known)
			mio_stats_zone_read(&output->zone, output->settings.tz);
		atomic_store_explicit(&output->zone_is_known, 1, memory_order_release);
		mio_lock_release(&output->lock);
	}
	return mio_stats_zone_date(&output->zone, mio_stats_now() / 1000);
}

void mio_stats_output_add_preamble(struct mio_stats_output *output, int always_clock, struct mio_text *text)
{
	struct mio_stats_date date;

	mio_text_add_char(text, '\n');
	if (!always_clock && !output->settings.timestamps)
		return;
	date = local_date(output);
	mio_stats_add_clock(text, &date);
	mio_text_add_char(text, '\n');
}

static void add_header(struct mio_stats_output *output, int json, struct mio_text *text)
{
	struct mio_text library = {0};
	struct mio_text host = {0};
	struct mio_stats_header header = {
		.date = local_date(output),
		.engine = output->settings.engine(),
		.program = mio_stats_program(),
		.stats = output->settings.stats,
		.debug = output->settings.debug,
		.files = output->settings.files,
		.defaults = output->settings.defaults,
		.keywords = output->settings.keywords,
	};

	mio_stats_add_host(&host);
	mio_text_add(&library, "libmio " MIO_VERSION "  Linux ");
	mio_text_add(&library, sizeof(void *) == 8 ? "64 bit addressing built " : "32 bit addressing built ");
	mio_stats_add_built(&library, MIO_BUILT);
	header.host = mio_text_string(&host);
	header.library = mio_text_string(&library);
	if (json)
		mio_stats_header_json(&header, text);
	else
		mio_stats_header_classic(&header, text);
	mio_text_clear(&library);
	mio_text_clear(&host);
}

void mio_stats_output_write(struct mio_stats_output *output, struct mio_stats_file *file, int opening, int later,
			    const struct mio_text *entry)
{
	struct mio_text header = {0};

	/* Without the lock, because this calls code outside stats. */
	add_header(output, file->json, &header);
	mio_lock_acquire(&output->lock);
	mio_stats_file_write(file, &output->tree, &header, opening, later, entry);
	mio_lock_release(&output->lock);
	mio_text_clear(&header);
}

void mio_stats_output_debug(struct mio_stats_output *output, const char *text, int opening)
{
	struct mio_stats_file *file = mio_stats_output_file(output, "mioout");
	struct mio_text entry = {0};

	if (!file)
		return;
	if (file->json) {
		struct mio_json json = mio_json_begin_line(&entry, "debug");

		mio_json_add_text(&json, "text", text);
		mio_json_end_line(&json);
	} else {
		mio_stats_output_add_preamble(output, 0, &entry);
		mio_text_add(&entry, text);
		mio_text_add(&entry, opening ? mio_stats_separator : "");
	}
	mio_stats_output_write(output, file, opening, 0, &entry);
	mio_text_clear(&entry);
}

void mio_stats_output_recovered(struct mio_stats_output *output, const char *target,
				const struct mio_recov_message *messages, int count)
{
	struct mio_stats_file *file = target && count > 0 ? mio_stats_output_file(output, target) : NULL;
	struct mio_text entry = {0};

	if (!file)
		return;
	if (!file->json)
		mio_stats_output_add_preamble(output, 1, &entry);
	for (int i = 0; i < count; i++) {
		if (file->json)
			mio_recov_message_json(&messages[i], &entry);
		else
			mio_recov_message_classic(&messages[i], &entry);
	}
	mio_stats_output_write(output, file, 0, 1, &entry);
	mio_text_clear(&entry);
}

void mio_stats_output_end(struct mio_stats_output *output)
{
	struct mio_stats_file *file;

	mio_lock_acquire(&output->lock);
	file = output->files;
	mio_lock_release(&output->lock);
	/* A file in the list stays there until a fork, so the list can be read without the lock. */
	for (; file; file = file->next) {
		struct mio_text header = {0};

		if (file->kept.length == 0)
			continue;
		add_header(output, file->json, &header);
		mio_lock_acquire(&output->lock);
		mio_stats_file_write_kept(file, &output->tree, &header);
		mio_lock_release(&output->lock);
		mio_text_clear(&header);
	}
}

/* Standard error if it is a terminal. If the program has closed it, as many do before they end, the terminal it was is opened again. Else -1. */
static int open_terminal(const struct mio_stats_output *output)
{
	struct termios terminal;
	int fd = 2;

	if (mio_raw3(SYS_fcntl, fd, F_GETFD, 0) == -EBADF && output->terminal[0])
		fd = (int)mio_raw4(SYS_openat, AT_FDCWD, output->terminal, O_WRONLY | O_NOCTTY | O_CLOEXEC, 0);
	if (fd < 0 || mio_raw3(SYS_ioctl, fd, TCGETS, &terminal) >= 0)
		return fd;
	if (fd != 2)
		mio_raw1(SYS_close, fd);
	return -1;
}

static void tell(int fd, void (*add)(struct mio_text *text, const char *path), const char *path)
{
	struct mio_text line = {0};
	size_t written;

	if (fd < 0)
		return;
	mio_text_add(&line, "mio: ");
	add(&line, path);
	mio_text_add_char(&line, '\n');
	if (!line.failed)
		mio_stats_write(fd, line.bytes, line.length, &written);
	mio_text_clear(&line);
	if (fd != 2)
		mio_raw1(SYS_close, fd);
}

/* Tells it even if standard error is no terminal: the user asked for the file, and it does not exist. */
static void tell_no_events(struct mio_stats_output *output)
{
	struct mio_stats_events_hint *hint = &output->events_hint;

	if (mio_stats_events_hint_is_due(hint))
		tell(mio_stats_events_hint_has_stderr(hint) ? 2 : open_terminal(output), mio_stats_events_hint_add, hint->path);
}

void mio_stats_output_hint(struct mio_stats_output *output)
{
	const struct mio_stats_file *written = NULL;

	tell_no_events(output);
	if (atomic_exchange(&output->hint_process, 0) != mio_raw0(SYS_getpid))
		return;
	/* Makes sure that the file of MIO_STATS is in the list: children may have written to it even if this process has not. */
	mio_stats_output_file(output, "mioout");
	mio_lock_acquire(&output->lock);
	for (const struct mio_stats_file *file = output->files; file; file = file->next)
		if (mio_stats_file_is_written(file, &output->tree) && (!written || file->common))
			written = file;
	mio_lock_release(&output->lock);
	if (written)
		tell(open_terminal(output), mio_stats_hint_add, written->path);
}
