/*
 * Threads that only the kernel knows, for the preload library. The C library takes memory for a thread from the program's malloc. But a thread
 * begins when there is work for it, in a read, write or open whose caller may be an allocator that holds its lock. A program's life has no call
 * that surely comes earlier and is not one of these.
 *
 * Such a thread has thread-local storage of its own: zeros, as far as MIO's variables and errno reach from the thread pointer. It may use those
 * parts of the C library that need not know the thread: memory and strings, the clock; no malloc, no locks, no streams, no other libraries. The
 * work of a backend needs no more. A command (recov) is run by processes that only the kernel knows, too. The C library's setuid does not reach
 * such a thread: so mio_os_stop comes before it, mio_os_go_on after. A brief thread that takes longer than mio_os_stop waits (recov between two
 * attempts, or with its command) ends with the rights it began with.
 *
 * The memory of a thread that has ended is used by the next one; it is never given back, as its last user is the thread itself.
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
/* Holds at least one page on every machine. */
#define GUARD_BYTES ((size_t)64 << 10)
/* Around the known variables: others of the same libraries, and what the C library keeps at the thread pointer. */
#define AROUND_BYTES ((size_t)16 << 10)
/* Variables that exist from the start are nearer to the thread pointer than this. */
#define FAR_BYTES ((size_t)8 << 20)
#define ALIGN_BYTES ((size_t)64)
#define AWAIT_NS (INT64_C(2) * 1000000000)
#define LOOK_NS INT64_C(200000)

struct thread {
	struct thread *next;
	void (*run)(void);
	char *stack_end;
	uintptr_t *storage;
	_Atomic uint32_t runs;	/* not 0 while it runs; the kernel sets it to 0 when it has ended */
};

static struct mio_lock lock;
static struct thread *_Atomic threads;	/* grows only */
/* These, and later, are protected by lock. */
static int stopped, stopped_for_good;
static void (*later)(void);	/* a brief run to be started after the stop; there is one kind of them */
/* Bytes of thread-local storage below and above the thread pointer; 0: such threads are not available. */
static size_t below_bytes, above_bytes;

#if defined(__x86_64__)

static uintptr_t *thread_pointer(void)
{
	uintptr_t *pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* What compiled code finds there: the pointer itself, twice, and the secrets that protect stacks and pointers. */
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

/* Makes memory for a thread. From low to high: a guard, the stack, storage, the struct. */
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

/* Finds or makes memory for a thread, and marks it as in use. The caller holds lock. */
static struct thread *take(void)
{
	struct thread *thread;

	for (thread = threads; thread && atomic_load(&thread->runs); thread = thread->next)
		;
	if (thread)
		/* Clears what the thread before has left in its storage. */
		memset(thread->stack_end, 0, below_bytes + above_bytes);
	else
		thread = make();
	if (thread)
		atomic_store(&thread->runs, 1);
	return thread;
}

/* Whether a thread may begin: 0 and its memory, 1 if it begins later, or -errno. A stop that comes after this sees the memory that was taken. */
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
	/* mio_os_thread_kernel_start has promised to run it. */
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

	/* The kernel signals the end of a thread to only one waiter, so this looks again and again. */
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
