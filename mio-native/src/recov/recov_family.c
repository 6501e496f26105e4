/* Processes, by what /proc tells. */
#include "recov_family.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>

#include "../common/clock.h"
#include "../common/raw.h"
#include "recov_command.h"

#define FAMILY_MAX 256
/* So long it is waited for all who are told to stop: one that waits for a device starts nobody. */
#define STOP_NS_MAX ((int64_t)100 * 1000 * 1000)

/* Runs on the storage of another thread, too, which waits meanwhile: keeps no sanitizer's books there, and takes no memory. */
#define GUEST __attribute__((no_sanitize("thread")))

/* Adds text, and process behind it. Returns where it ends. */
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

/* Adds the children that a thread of process has started; returns how many there are then. path: of its directory, which ends at `end`. */
GUEST static int add_children_of(const char *thread, char *path, char *end, int *all, int count)
{
	char digits[1024];
	int number = 0;
	long got;
	long fd;

	add(add(add(end, "/", 0), thread, 0), "/children", 0);
	fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return count;
	while ((got = mio_raw3(SYS_read, fd, digits, sizeof(digits))) > 0)
		for (long i = 0; i < got; i++) {
			if (digits[i] >= '0' && digits[i] <= '9') {
				number = number * 10 + (digits[i] - '0');
				continue;
			}
			if (number > 0 && count < FAMILY_MAX)
				all[count++] = number;
			number = 0;
		}
	mio_raw1(SYS_close, fd);
	return count;
}

/* Adds the children of process; returns how many there are then. */
GUEST static int add_children(int process, int *all, int count)
{
	_Alignas(struct mio_raw_entry) char threads[1024];
	char path[64];
	char *end = add(add(path, "/proc/", process), "/task", 0);
	long fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	long got;

	if (fd < 0)
		return count;
	while ((got = mio_raw3(SYS_getdents64, fd, threads, sizeof(threads))) > 0)
		for (long at = 0; at < got;) {
			const struct mio_raw_entry *thread = (const struct mio_raw_entry *)(const void *)(threads + at);

			if (thread->name[0] != '.')
				count = add_children_of(thread->name, path, end, all, count);
			at += thread->length;
		}
	mio_raw1(SYS_close, fd);
	return count;
}

/* 1 if it does nothing more: it has stopped, or ended. */
GUEST static int stands(int process)
{
	char path[64];
	char text[256];
	long fd, got, at;

	add(add(path, "/proc/", process), "/stat", 0);
	fd = mio_raw4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 1;
	got = mio_raw3(SYS_read, fd, text, sizeof(text));
	mio_raw1(SYS_close, fd);
	/* Behind its name, which may have any letters. */
	for (at = got - 1; at >= 0 && text[at] != ')'; at--)
		;
	return at < 0 || at + 2 >= got || text[at + 2] == 'T' || text[at + 2] == 't' || text[at + 2] == 'Z' || text[at + 2] == 'X';
}

/* A process that is just being started is among its parent's children a while later; then the parent stops. */
GUEST static void await_stop(int process, int64_t until_ns)
{
	while (!stands(process) && mio_clock_ns() < until_ns)
		mio_raw0(SYS_sched_yield);
}

GUEST void mio_recov_family_kill(int process)
{
	int64_t until_ns = mio_clock_ns() + STOP_NS_MAX;
	int all[FAMILY_MAX];
	int count = 1;

	all[0] = process;
	if (mio_raw2(SYS_kill, process, SIGSTOP) < 0)
		return;
	for (int i = 0; i < count; i++) {
		int next = count;

		await_stop(all[i], until_ns);
		count = add_children(all[i], all, count);
		/* Before their parent ends: none of them then ends by itself, and its number is nobody else's. */
		for (; next < count; next++)
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
