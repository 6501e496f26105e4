#include "os_thread.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "../common/text.h"
#include "os_call.h"
#include "os_thread_kernel.h"

#define STACK_BYTES ((size_t)256 << 10)
/*
 * More looks than any thread that ends has taken. There is a limit because the number may be another thread's by now, which must
 * not be waited for.
 */
#define LOOKS_MAX 100000

#define WORKER_LOOKS_MAX 50

/* Beginning of the names that the kernel gives its own threads for rings. */
#define WORKER "iou-wrk-"

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

static int start(void (*run)(void), int brief)
{
	int errno_before = errno;
	sigset_t all;
	sigset_t before;
	int rc;

	if (mio_os_thread_kernel_is_allowed())
		return mio_os_thread_kernel_start(run, brief);
	/* Through libc, which leaves out the signals that its own setuid() needs to reach every thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = create(run, STACK_BYTES);
	/* A program with much thread-local data needs a larger stack. */
	if (rc == EINVAL)
		rc = create(run, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = errno_before;
	return -rc;
}

int mio_os_thread_start(void (*run)(void))
{
	return start(run, 0);
}

int mio_os_thread_start_brief(void (*run)(void))
{
	return start(run, 1);
}

int mio_os_thread_number(void)
{
	return (int)mio_raw0(SYS_gettid);
}

static int is_worker(const char *task)
{
	char name[sizeof(WORKER)] = "";
	struct mio_text path = {0};
	long fd = -1;

	mio_text_add(&path, "/proc/self/task/");
	mio_text_add(&path, task);
	mio_text_add(&path, "/comm");
	if (!path.failed)
		fd = mio_os_call_open(mio_text_string(&path), O_RDONLY | O_CLOEXEC);
	mio_text_clear(&path);
	if (fd < 0)
		return 0;
	mio_os_call_read((int)fd, name, sizeof(name) - 1);
	mio_os_call_close((int)fd);
	return strcmp(name, WORKER) == 0;
}

/* 1 if the process has threads of the kernel's that work for a ring. 0 also if that cannot be found out. */
static int has_workers(void)
{
	_Alignas(struct mio_raw_entry) char entries[512];
	int found = 0;
	long directory = mio_os_call_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long bytes;

	if (directory < 0)
		return 0;
	while (!found && (bytes = mio_raw3(SYS_getdents64, directory, entries, sizeof(entries))) > 0) {
		for (long at = 0; at < bytes && !found;) {
			const struct mio_raw_entry *entry = (const struct mio_raw_entry *)(const void *)(entries + at);

			found = entry->name[0] != '.' && is_worker(entry->name);
			at += entry->length;
		}
	}
	mio_os_call_close((int)directory);
	return found;
}

void mio_os_thread_gone(int number)
{
	long process = mio_raw0(SYS_getpid);

	/* The kernel offers nothing to wait for here; it takes microseconds. */
	for (int looks = 0; looks < LOOKS_MAX && mio_raw3(SYS_tgkill, process, number, 0) == 0; looks++)
		mio_raw0(SYS_sched_yield);
	/* They may also belong to a ring of the program's, so this has a limit. */
	for (int looks = 0; looks < WORKER_LOOKS_MAX && has_workers(); looks++)
		mio_raw0(SYS_sched_yield);
}
