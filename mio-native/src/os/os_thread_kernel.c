/*
 * Threads that are the kernel's alone, for the preload library. The C library takes memory for a thread from the program's malloc; but a
 * thread begins when there is something to do for it, in a read, write or open whose caller may be an allocator
 * that holds its lock. There is no call in a program's life that surely comes before and is not one of those.
 *
 * Such a thread has thread-local storage of its own: zeros, as far as MIO's variables and errno reach from the thread pointer. It may use
 * what the C library does without knowing the thread: memory and strings, the clock; no malloc, no locks, no streams, no other
 * libraries. That is all the work of a backend takes. A command (recov) is run by processes of the kernel's, too.
 * The C library's setuid does not reach it: mio_os_stop before, mio_os_go_on after. A brief one that takes longer than mio_os_stop waits
 * (recov between two attempts, or with its command) ends with the rights it began with.
 *
 * Memory of a thread that has ended is used by the next; it is never given back, as the last to use it is the thread itself.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "../common/clock.h"
#include "../common/clone.h"
#include "../common/lock.h"
#include "../common/raw.h"
#include "../layer/layer_open.h"
#include "os_thread.h"
#include "os_thread_kernel.h"

#define STACK_BYTES ((size_t)256 << 10)
/* A page on every machine. */
#define GUARD_BYTES ((size_t)64 << 10)
/* Around the variables that are known: others of the same libraries, and what the C library keeps at the thread pointer. */
#define AROUND_BYTES ((size_t)16 << 10)
/* Further from the thread pointer than storage that is there from the start. */
#define FAR_BYTES ((size_t)8 << 20)
#define ALIGN_BYTES ((size_t)64)
#define AWAIT_NS (INT64_C(2) * 1000000000)
#define LOOK_NS INT64_C(200000)

struct thread {
	struct thread *next;
	void (*run)(void);
	char *stack_end;
	uintptr_t *storage;
	_Atomic uint32_t runs;	/* 0 again when the kernel has ended it */
};

static struct mio_lock lock;
static struct thread *_Atomic threads;	/* grows only */
/* With the lock. */
static int stopped, stopped_for_good;
static void (*later)(void);	/* brief; there is one kind of them */
/* Of storage, below and above the thread pointer; 0: not to be had. */
static size_t below_bytes, above_bytes;

#if defined(__x86_64__)

static uintptr_t *thread_pointer(void)
{
	uintptr_t *pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* What compiled code finds there: itself, twice, and the secrets for stacks and pointers. */
static void begin_storage(uintptr_t *storage, const uintptr_t *creator)
{
	storage[0] = (uintptr_t)storage;
	storage[2] = (uintptr_t)storage;
	storage[5] = creator[5];
	storage[6] = creator[6];
}

#elif defined(__aarch64__)

static uintptr_t *thread_pointer(void)
{
	uintptr_t *pointer;

	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
	return pointer;
}

static void begin_storage(uintptr_t *storage, const uintptr_t *creator)
{
	(void)storage;
	(void)creator;
}

#else

static uintptr_t *thread_pointer(void)
{
	return NULL;
}

static void begin_storage(uintptr_t *storage, const uintptr_t *creator)
{
	(void)storage;
	(void)creator;
}

#endif

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t aligned(size_t bytes)
{
	return (bytes + ALIGN_BYTES - 1) & ~(ALIGN_BYTES - 1);
}

void mio_os_thread_kernel_allow(void)
{
	const uintptr_t known[] = {(uintptr_t)&mio_open_call, (uintptr_t)&errno};
	uintptr_t pointer = (uintptr_t)thread_pointer();
	size_t below = 0;
	size_t above = 0;

	for (size_t i = 0; pointer && i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i] < pointer)
			below = larger(below, pointer - known[i]);
		else
			above = larger(above, known[i] - pointer);
	}
	if (!pointer || below > FAR_BYTES || above > FAR_BYTES)
		return;
	above_bytes = aligned(above + AROUND_BYTES);
	below_bytes = aligned(below + AROUND_BYTES);
}

int mio_os_thread_kernel_is_allowed(void)
{
	return below_bytes != 0;
}

/* From low to high: a guard, the stack, storage, the struct. */
static struct thread *make(void)
{
	size_t bytes = GUARD_BYTES + STACK_BYTES + below_bytes + above_bytes + sizeof(struct thread);
	long memory = mio_raw6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	char *stack_end = (char *)memory + GUARD_BYTES + STACK_BYTES;
	struct thread *thread;

	if (memory < 0 && memory > -4096)
		return NULL;
	mio_raw3(SYS_mprotect, memory, GUARD_BYTES, PROT_NONE);
	thread = (void *)(stack_end + below_bytes + above_bytes);
	thread->stack_end = stack_end;
	thread->storage = (void *)(stack_end + below_bytes);
	thread->next = threads;
	threads = thread;
	return thread;
}

/* With the lock. Memory for a thread, which is its own from now on. */
static struct thread *take(void)
{
	struct thread *thread;

	for (thread = threads; thread && atomic_load(&thread->runs); thread = thread->next)
		;
	if (thread)
		/* Nothing of the one that was there before. */
		memset(thread->stack_end, 0, below_bytes + above_bytes);
	else
		thread = make();
	if (thread)
		atomic_store(&thread->runs, 1);
	return thread;
}

/* Whether it may begin: 0 and its memory, 1 if it will later, or -errno. One that is taken is seen by whoever stops them after that. */
static int enter(void (*run)(void), int brief, struct thread **thread)
{
	int rc = 0;

	mio_lock_acquire(&lock);
	if (brief && stopped && (!later || later == run)) {
		later = run;
		rc = 1;
	} else if (stopped || (stopped_for_good && !brief)) {
		rc = -EBUSY;
	} else {
		*thread = take();
		rc = *thread ? 0 : -ENOMEM;
	}
	mio_lock_release(&lock);
	return rc;
}

static void begin(void *context)
{
	struct thread *thread = context;

	mio_open_call = (struct mio_open_call){.fd = -1};
	mio_raw2(SYS_prctl, PR_SET_NAME, "mio-io");
	thread->run();
	for (;;)
		mio_raw1(SYS_exit, 0);
}

int mio_os_thread_kernel_start(void (*run)(void), int brief)
{
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
				    CLONE_SETTLS | CLONE_CHILD_CLEARTID;
	struct thread *thread = NULL;
	uint64_t all = ~(uint64_t)0;
	uint64_t before;
	long rc = enter(run, brief, &thread);

	if (rc != 0)
		return rc < 0 ? (int)rc : 0;
	begin_storage(thread->storage, thread_pointer());
	thread->run = run;
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	rc = mio_clone(flags, thread->stack_end, begin, thread, thread->storage, &thread->runs);
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
	if (rc < 0)
		atomic_store(&thread->runs, 0);
	return rc < 0 ? (int)rc : 0;
}

void mio_os_thread_kernel_stop(void)
{
	mio_lock_acquire(&lock);
	stopped++;
	mio_lock_release(&lock);
}

void mio_os_thread_kernel_stop_for_good(void)
{
	mio_lock_acquire(&lock);
	stopped_for_good = 1;
	mio_lock_release(&lock);
}

void mio_os_thread_kernel_go_on(void)
{
	void (*run)(void) = NULL;

	mio_lock_acquire(&lock);
	if (stopped > 0 && --stopped == 0) {
		run = later;
		later = NULL;
	}
	mio_lock_release(&lock);
	/* It was promised. */
	if (run && mio_os_thread_kernel_start(run, 1) < 0)
		run();
}

static int any_runs(void)
{
	for (struct thread *thread = threads; thread; thread = thread->next)
		if (atomic_load(&thread->runs))
			return 1;
	return 0;
}

int mio_os_thread_kernel_await(void)
{
	struct timespec look = {.tv_nsec = LOOK_NS};
	int64_t until = mio_clock_ns() + AWAIT_NS;

	/* The kernel says it where only one would hear it. */
	while (any_runs()) {
		if (mio_clock_ns() >= until)
			return 0;
		mio_raw2(SYS_nanosleep, &look, NULL);
	}
	return 1;
}

void mio_os_thread_kernel_forked(void)
{
	memset(&lock, 0, sizeof(lock));
	stopped = 0;
	stopped_for_good = 0;
	later = NULL;
	for (struct thread *thread = threads; thread; thread = thread->next)
		atomic_store(&thread->runs, 0);
}
