#include "os_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "../common/text.h"
#include "os_call.h"

#define STACK_BYTES ((size_t)256 << 10)
/* More than a thread that ends has ever taken; a number that is another thread's by now must not be waited for. */
#define LOOKS_MAX 100000

#define THREAD_NAME_BYTES 32

/* Of a directory, by the kernel's interface. */
struct entry {
	uint64_t inode;
	int64_t next;
	uint16_t length;
	uint8_t type;
	char name[];
};

union work {
	void *data;
	void (*run)(void);
};

static void *begin(void *data)
{
	union work work = {.data = data};

	mio_raw2(SYS_prctl, PR_SET_NAME, "mio-io");
	work.run();
	return NULL;
}

static int create(void (*run)(void), size_t stack_bytes)
{
	union work work = {.run = run};
	pthread_attr_t attributes;
	pthread_t thread;
	int rc = pthread_attr_init(&attributes);

	if (rc != 0)
		return rc;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (stack_bytes)
		rc = pthread_attr_setstacksize(&attributes, stack_bytes);
	if (rc == 0)
		rc = pthread_create(&thread, &attributes, begin, work.data);
	pthread_attr_destroy(&attributes);
	return rc;
}

int mio_os_thread_start(void (*run)(void))
{
	int errno_before = errno;
	sigset_t all;
	sigset_t before;
	int rc;

	/* By libc, which leaves out the signals that its own setuid() needs to reach every thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = create(run, STACK_BYTES);
	/* A program with much thread-local data needs more. */
	if (rc == EINVAL)
		rc = create(run, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = errno_before;
	return -rc;
}

int mio_os_thread_number(void)
{
	return (int)mio_raw0(SYS_gettid);
}

/* Whether the kernel has a thread called name in this process. 0 also if it does not tell. */
static int is_there(const char *name)
{
	char entries[1024];
	char path[64];
	char found[THREAD_NAME_BYTES];
	int there = 0;
	long directory = mio_os_call_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long bytes;

	if (directory < 0)
		return 0;
	while (!there && (bytes = mio_raw3(SYS_getdents64, directory, entries, sizeof(entries))) > 0) {
		for (long at = 0; at < bytes && !there;) {
			const struct entry *entry = (const struct entry *)(const void *)(entries + at);
			long fd = -1;

			if (entry->name[0] != '.') {
				strcpy(path, "/proc/self/task/");
				strncat(path, entry->name, 16);
				strcat(path, "/comm");
				fd = mio_os_call_open(path, O_RDONLY | O_CLOEXEC);
			}
			if (fd >= 0) {
				memset(found, 0, sizeof(found));
				mio_os_call_read((int)fd, found, sizeof(found) - 1);
				mio_os_call_close((int)fd);
				there = strncmp(found, name, strlen(name)) == 0 && found[strlen(name)] == '\n';
			}
			at += entry->length;
		}
	}
	mio_os_call_close((int)directory);
	return there;
}

void mio_os_thread_gone(int number)
{
	static const char worker[] = "iou-wrk-";
	long process = mio_raw0(SYS_getpid);
	struct mio_text name = {0};
	int looks = 0;

	/* The kernel has nothing to wait for here; it is a matter of microseconds. */
	while (looks++ < LOOKS_MAX && mio_raw3(SYS_tgkill, process, number, 0) == 0)
		mio_raw0(SYS_sched_yield);
	mio_text_add(&name, worker);
	mio_text_add_number(&name, number);
	while (looks++ < LOOKS_MAX && is_there(mio_text_string(&name)))
		mio_raw0(SYS_sched_yield);
	mio_text_clear(&name);
}
