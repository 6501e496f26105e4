#include "stats_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/utsname.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "../layer/layer_error.h"
#include "stats_text.h"

#define PROGRAM_BYTES 256
#define PATIENCE_NS INT64_C(2000000000)

/* The last part of a name, for use in a file name; "" if that is . or .., which would lead elsewhere. */
static const char *leaf(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash ? slash + 1 : name;

	return strcmp(last, ".") == 0 || strcmp(last, "..") == 0 ? "" : last;
}

const char *mio_stats_program(void)
{
	/* If several threads write it, they write the same bytes. The last byte is never written, so the name always ends. */
	static char program[PROGRAM_BYTES];
	char link[PROGRAM_BYTES];
	const char *name = program_invocation_name;
	long length;

	if (program[0])
		return program;
	if (!name || !*leaf(name)) {
		length = mio_raw4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", link, sizeof(link) - 1);
		link[length > 0 ? length : 0] = 0;
		name = link;
	}
	if (!*leaf(name))
		name = "unknown";
	name = leaf(name);
	memcpy(program, name, strnlen(name, PROGRAM_BYTES - 1));
	return program;
}

void mio_stats_add_host(struct mio_text *text)
{
	struct utsname name;

	memset(&name, 0, sizeof(name));
	if (mio_raw1(SYS_uname, &name) < 0 || !name.nodename[0])
		mio_text_add(text, "unknown");
	else
		mio_text_add(text, name.nodename);
}

void mio_stats_add_expanded(struct mio_text *text, const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char letter = name[i] == '%' && i + 1 < length ? name[i + 1] : 0;

		i++;
		if (letter == 'p') {
			mio_text_add_number(text, mio_raw0(SYS_getpid));
		} else if (letter == 'h') {
			mio_stats_add_host(text);
		} else if (letter == 'x') {
			mio_text_add(text, mio_stats_program());
		} else if (letter == '%') {
			mio_text_add_char(text, '%');
		} else {
			i--;
			mio_text_add_char(text, name[i]);
		}
	}
}

static void add_parts(struct mio_text *text, const char *path, size_t root)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && path[0] == '.' && path[1] == '.') {
			size_t at = text->length;

			while (at > root && text->bytes[at - 1] != '/')
				at--;
			mio_text_cut(text, at > root ? at - 1 : root);
		} else if (length > 0 && !(length == 1 && path[0] == '.')) {
			mio_text_add_char(text, '/');
			mio_text_add_bytes(text, path, length);
		}
		path += length + (path[length] == '/');
	}
}

void mio_stats_add_absolute(struct mio_text *text, const char *directory, const char *path)
{
	size_t root = text->length;

	if (path[0] != '/' && !directory[0]) {
		mio_text_add(text, "./");
		mio_text_add(text, path);
		return;
	}
	if (path[0] != '/')
		add_parts(text, directory, root);
	add_parts(text, path, root);
	if (text->length == root)
		mio_text_add_char(text, '/');
}

static _Atomic int closed[3];

void mio_stats_standard_closed(unsigned int first, unsigned int last)
{
	for (unsigned int fd = first; fd <= last && fd < sizeof(closed) / sizeof(closed[0]); fd++)
		atomic_store_explicit(&closed[fd], 1, memory_order_relaxed);
}

void mio_stats_standard_copied(int fd)
{
	if (fd >= 0 && (size_t)fd < sizeof(closed) / sizeof(closed[0]))
		atomic_store_explicit(&closed[fd], 0, memory_order_relaxed);
}

int mio_stats_is_standard(int fd)
{
	return !atomic_load_explicit(&closed[fd], memory_order_relaxed);
}

void mio_stats_host_line(const char *text)
{
	struct mio_text line = {0};
	size_t written;

	mio_text_add(&line, "mio: ");
	mio_text_add(&line, text);
	mio_text_add_char(&line, '\n');
	if (!line.failed && mio_stats_is_standard(2))
		mio_stats_write(2, line.bytes, line.length, &written);
	mio_text_clear(&line);
}

void mio_stats_say_lost(const char *name, int error, const char *lost)
{
	struct mio_text line = {0};

	mio_text_add(&line, "cannot write what the program has written to ");
	mio_stats_add_name(&line, name);
	mio_text_add(&line, ": ");
	mio_text_add(&line, mio_error_words(error));
	mio_text_add(&line, "; ");
	mio_text_add(&line, lost);
	mio_text_add(&line, " (close or fsync would have told it; pf/through writes at once)");
	mio_stats_host_line(mio_text_string(&line));
	mio_text_clear(&line);
}

/* The bit of a signal in a signal mask of the kernel, where signal 1 has the lowest bit. */
static uint64_t bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* Waits until the reader has made room, 1; or until the time until, 0. */
static int is_read(int fd, int64_t until)
{
	struct pollfd asked = {.fd = fd, .events = POLLOUT};
	long rc = -EINTR;

	while (rc == -EINTR) {
		int64_t left = until - mio_clock_ns();
		struct timespec wait = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};

		if (left <= 0)
			return 0;
		rc = mio_raw5(SYS_ppoll, &asked, 1, &wait, NULL, 0);
	}
	return rc > 0;
}

int mio_stats_write(int fd, const char *bytes, size_t count, size_t *written)
{
	uint64_t raised = bit(SIGPIPE) | bit(SIGXFSZ);
	struct timespec at_once = {0, 0};
	uint64_t before = 0;
	uint64_t pending = 0;
	int64_t until = 0;
	long rc = 0;

	/* The kernel sends both signals to this thread alone. They are blocked, and taken back before the thread can get them. */
	mio_raw4(SYS_rt_sigprocmask, SIG_BLOCK, &raised, &before, sizeof(before));
	mio_raw2(SYS_rt_sigpending, &pending, sizeof(pending));
	*written = 0;
	while (*written < count && (rc >= 0 || rc == -EINTR)) {
		rc = mio_raw3(SYS_write, fd, bytes + *written, count - *written);
		if (rc == 0)
			rc = -EIO;
		if (rc > 0) {
			*written += (size_t)rc;
			until = 0;
		}
		if (rc == -EAGAIN) {
			until = until ? until : mio_clock_ns() + PATIENCE_NS;
			rc = is_read(fd, until) ? 0 : rc;
		}
	}
	raised &= ~pending;
	if (rc == -EPIPE || rc == -EFBIG)
		while (mio_raw4(SYS_rt_sigtimedwait, &raised, NULL, &at_once, sizeof(raised)) > 0)
			;
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	return rc < 0 ? (int)rc : 0;
}
