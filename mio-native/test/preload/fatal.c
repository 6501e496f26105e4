/* Signals that end the process and signals that do not: bytes are there, the status is that of the signal, and handlers are the program's. */
#include "see.h"

#include <assert.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { BYTES = 70000 };

static char bytes[BYTES];
static int fd;

static void dirty(const char *name)
{
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	fill(bytes, BYTES, 1, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
}

static void fault(int number)
{
	volatile int zero = 0;
	char *place;

	switch (number) {
	case SIGSEGV:
		place = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*(volatile char *)place = 1;
		break;
	case SIGBUS: {
		int empty = open("empty", O_RDWR | O_CREAT, 0600);

		place = mmap(NULL, 4096, PROT_READ, MAP_SHARED, empty, 0);
		zero = *(volatile char *)place;
		break;
	}
	case SIGILL:
	case SIGTRAP:
		__builtin_trap();
	default:
		abort();
	}
	_exit(zero);
}

static void ended_by(const char *what, int number, int how)
{
	pid_t child = fork();

	if (child == 0) {
		struct sigaction now;

		dirty(what);
		MUST(sigaction(number, NULL, &now) == 0);
		MUST(now.sa_handler == SIG_DFL);
		if (how == 0) {
			raise(number);
		} else if (how == 1) {
			kill(getpid(), number);
			pause();
		} else if (how == 2) {
			fault(number);
		} else {
			/* The process sleeps in a read when the signal comes. */
			int ends[2];
			char byte;

			MUST(pipe(ends) == 0);
			alarm(1);
			MUST(read(ends[0], &byte, 1) < 0);
		}
		_exit(0);
	}
	await(what, child);
	outside(what);
}

static void on_signal(int number)
{
	static const char text[] = "written by the handler";

	if (pwrite(fd, text, sizeof(text) - 1, 80000) != (ssize_t)sizeof(text) - 1)
		_exit(77);
	_exit(number);
}

/* A handler of the program's writes and ends the process. */
static void handled(const char *what, int number, int how)
{
	pid_t child = fork();

	if (child == 0) {
		struct sigaction action = {.sa_handler = on_signal};
		struct sigaction old;

		dirty(what);
		sigemptyset(&action.sa_mask);
		MUST(sigaction(number, &action, &old) == 0 && old.sa_handler == SIG_DFL);
		MUST(sigaction(number, NULL, &old) == 0 && old.sa_handler == on_signal);
		if (how == 2)
			fault(number);
		raise(number);
		_exit(0);
	}
	await(what, child);
	outside(what);
}

static void on_once(int number)
{
	struct sigaction now;

	MUST(sigaction(number, NULL, &now) == 0);
	say("handled once, then %s", now.sa_handler == SIG_DFL ? "the default" : "something else");
}

/* One-time handlers, set before the first file with layers is opened or after; the second signal ends the process. */
static void handled_once(const char *what, int number, int how, int early)
{
	pid_t child = fork();

	if (child == 0) {
		struct sigaction action = {.sa_handler = on_once, .sa_flags = (int)SA_RESETHAND};
		struct sigaction old;

		sigemptyset(&action.sa_mask);
		if (early)
			MUST(sigaction(number, &action, NULL) == 0);
		dirty(what);
		if (!early)
			MUST(sigaction(number, &action, &old) == 0 && old.sa_handler == SIG_DFL);
		MUST(sigaction(number, NULL, &old) == 0 && old.sa_handler == on_once);
		MUST(old.sa_flags & (int)SA_RESETHAND);
		if (how == 2)
			fault(number);
		raise(number);
		raise(number);
		_exit(0);
	}
	await(what, child);
	outside(what);
}

static void on_abort(int number)
{
	say("handled %d", number);
}

/* When the handler has returned, the C library ends the process itself. */
static void aborted_within(void)
{
	pid_t child = fork();

	if (child == 0) {
		struct sigaction action = {.sa_handler = on_abort};

		sigemptyset(&action.sa_mask);
		MUST(sigaction(SIGABRT, &action, NULL) == 0);
		dirty("aborted");
		__assert_fail("no more than that", "fatal.c", 1, "main");
	}
	await("aborted", child);
	outside("aborted");
}

/* Signals ignored, blocked, back to the default: the same as without MIO. */
static void changed(void)
{
	pid_t child = fork();

	if (child == 0) {
		sigset_t set;
		void (*old)(int);

		dirty("changed");
		old = signal(SIGTERM, SIG_IGN);
		MUST(old == SIG_DFL);
		raise(SIGTERM);
		old = signal(SIGTERM, SIG_DFL);
		MUST(old == SIG_IGN);
		sigemptyset(&set);
		sigaddset(&set, SIGTERM);
		MUST(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
		raise(SIGTERM);
		MUST(write(fd, "blocked", 7) == 7);
		say("still here");
		MUST(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
		say("not any more");
		_exit(0);
	}
	await("changed", child);
	outside("changed");
}

static void on_own_stack(int number)
{
	(void)number;
	_exit(write(fd, "overflow", 8) == 8 ? 66 : 67);
}

static volatile int depth;

static __attribute__((noinline)) int overflow(int n)
{
	volatile char room[4096];

	memset((char *)(uintptr_t)room, n, sizeof(room));
	depth++;
	return depth < 1 ? 0 : overflow(n + 1) + room[5];
}

/* The stack is full, and the program's handler has a stack of its own. */
static void stack_overflow(void)
{
	pid_t child = fork();

	if (child == 0) {
		struct rlimit small = {1 << 18, 1 << 18};
		static char other[1 << 16];
		stack_t own = {.ss_sp = other, .ss_size = sizeof(other)};
		struct sigaction action = {.sa_handler = on_own_stack, .sa_flags = SA_ONSTACK};

		setrlimit(RLIMIT_STACK, &small);
		dirty("overflow");
		MUST(sigaltstack(&own, NULL) == 0);
		MUST(sigaction(SIGSEGV, &action, NULL) == 0);
		overflow(0);
		_exit(0);
	}
	await("overflow", child);
	outside("overflow");
}

int main(int argc, char **argv)
{
	struct rlimit none = {0, 0};

	begin(argc, argv);
	outside_begin();
	setrlimit(RLIMIT_CORE, &none);
	ended_by("SIGTERM", SIGTERM, 0);
	ended_by("SIGINT", SIGINT, 1);
	ended_by("SIGHUP", SIGHUP, 0);
	ended_by("SIGUSR1", SIGUSR1, 0);
	ended_by("SIGUSR2", SIGUSR2, 1);
	ended_by("SIGALRM", SIGALRM, 3);
	ended_by("SIGQUIT", SIGQUIT, 0);
	ended_by("SIGPWR", SIGPWR, 0);
	ended_by("SIGSTKFLT", SIGSTKFLT, 0);
	ended_by("SIGRTMIN", SIGRTMIN, 0);
	ended_by("SIGRTMAX", SIGRTMAX, 1);
	ended_by("SIGABRT", SIGABRT, 2);
	ended_by("SIGSEGV", SIGSEGV, 2);
	ended_by("SIGBUS", SIGBUS, 2);
	ended_by("SIGILL", SIGILL, 2);
	handled("handled", SIGTERM, 0);
	handled("handled fault", SIGSEGV, 2);
	handled_once("handled once", SIGTERM, 0, 0);
	handled_once("handled once, early", SIGTERM, 0, 1);
	handled_once("fault handled once", SIGSEGV, 2, 0);
	aborted_within();
	changed();
	stack_overflow();
	return 0;
}
