/* Finds the descendants of a process in /proc, and kills them. */
#include "recov_family.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "recov_command.h"

/* On the stack, which is the program's and may be small. */
#define FAMILY_MAX 192
/* How long in all to wait until processes have stopped, nanoseconds. A process that does not stop because it waits for a device starts no others. */
#define STOP_NS_MAX ((int64_t)100 * 1000 * 1000)

/* For functions that may run on the thread-local storage of another thread, which waits meanwhile: no sanitizer's records, no allocation. */
#define GUEST __attribute__((no_sanitize("thread")))

/* Writes text, then the number process, to `to`. Returns the end. */
GUEST static char *add(char *to, const char *text, int process)
{
	char digits[16];
	int count = 0;

	while (*text)
		*to++ = *text++;
	for (; process > 0; process /= 10)
		digits[count++] = (char)('0' + process % 10);
	while (count > 0)
		*to++ = digits[--count];
	*to = 0;
	return to;
}

/* What the threads of a process tell of it. */
struct found {
	int *all;	/* processes, at most FAMILY_MAX */
	int count;
	int moves;	/* 1: a thread still runs and may start another process */
};

/* Adds the children that a thread has started. path: directory of the thread in /proc; `end` is its end. */
GUEST static void add_children(char *path, char *end, struct found *found)
{
	char digits[512];
	int number = 0;
	long got;
	long fd;

	add(end, "/children", 0);
	fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	while ((got = mio_raw3(SYS_read, fd, digits, sizeof(digits))) > 0)
		for (long i = 0; i < got; i++) {
			if (digits[i] >= '0' && digits[i] <= '9') {
				number = number * 10 + (digits[i] - '0');
				continue;
			}
			if (number > 0 && found->count < FAMILY_MAX)
				found->all[found->count++] = number;
			number = 0;
		}
	mio_raw1(SYS_close, fd);
}

/* Sets found->moves if the thread has neither stopped nor ended. path, end: as above. */
GUEST static void add_moves(char *path, char *end, struct found *found)
{
	char text[256];
	long fd, got, at;

	add(end, "/stat", 0);
	fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	got = mio_raw3(SYS_read, fd, text, sizeof(text));
	mio_raw1(SYS_close, fd);
	/* The state follows the name, which may have any characters, brackets too. */
	for (at = got - 1; at >= 0 && text[at] != ')'; at--)
		;
	found->moves |= at >= 0 && at + 2 < got && text[at + 2] != 'T' && text[at + 2] != 't' && text[at + 2] != 'Z' && text[at + 2] != 'X';
}

/* 1 if name is the number of a thread. */
GUEST static int is_number(const char *name)
{
	int length = 0;

	while (name[length] >= '0' && name[length] <= '9')
		length++;
	return length > 0 && length <= 10 && !name[length];
}

GUEST static void look_at_threads(int process, void (*look)(char *path, char *end, struct found *found), struct found *found)
{
	_Alignas(struct mio_raw_entry) char threads[512];
	char path[64];
	char *end = add(add(path, "/proc/", process), "/task/", 0);
	long fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	long got;

	if (fd < 0)
		return;
	while ((got = mio_raw3(SYS_getdents64, fd, threads, sizeof(threads))) > 0)
		for (long at = 0; at < got;) {
			const struct mio_raw_entry *thread = (const struct mio_raw_entry *)(const void *)(threads + at);

			if (is_number(thread->name))
				look(path, add(end, thread->name, 0), found);
			at += thread->length;
		}
	mio_raw1(SYS_close, fd);
}

/* Waits until all threads of a process have stopped: a process that one of them is just starting is among the children only after that. */
GUEST static void await_stop(int process, int64_t until_ns)
{
	for (;;) {
		struct found found = {0};

		look_at_threads(process, add_moves, &found);
		if (!found.moves || mio_clock_ns() >= until_ns)
			return;
		mio_raw0(SYS_sched_yield);
	}
}

GUEST void mio_recov_family_kill(int process)
{
	int64_t until_ns = mio_clock_ns() + STOP_NS_MAX;
	int all[FAMILY_MAX];
	struct found found = {.all = all, .count = 1};

	all[0] = process;
	if (mio_raw2(SYS_kill, process, SIGSTOP) < 0)
		return;
	for (int i = 0; i < found.count; i++) {
		int next = found.count;

		await_stop(all[i], until_ns);
		look_at_threads(all[i], add_children, &found);
		/* Stop the children before their parent ends: a stopped process cannot end by itself, so its number stays its own. */
		for (; next < found.count; next++)
			mio_raw2(SYS_kill, all[next], SIGSTOP);
		mio_raw2(SYS_kill, all[i], SIGKILL);
	}
}

int mio_recov_rights_are_raised(void)
{
	int errno_before = errno;
	unsigned long secure = getauxval(AT_SECURE);
	unsigned int real;
	unsigned int effective;
	unsigned int saved;
	int raised = secure != 0;

	errno = errno_before;
	if (mio_raw3(SYS_getresuid, &real, &effective, &saved) < 0 || real != effective)
		raised = 1;
	if (mio_raw3(SYS_getresgid, &real, &effective, &saved) < 0 || real != effective)
		raised = 1;
	return raised;
}
