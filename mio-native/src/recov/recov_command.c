/*
 * The program would see an ordinary child: when a process that has called execve ends, the kernel sends its parent SIGCHLD, and
 * wait(2) returns it. So there are two processes. The keeper shares the program's memory and descriptors, like a thread, but is
 * a child whose end raises no signal and that wait(2) leaves out. It starts the shell as its own child and waits for it. All
 * signals are blocked in the keeper, because the program's handlers must not run there.
 *
 * The keeper uses the thread-local storage of the thread that waits for it, so the functions it calls must not write to that.
 */
#include "recov_command.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/clone.h"
#include "../common/memory.h"
#include "../common/raw.h"
#include "recov_family.h"

#define STACK_BYTES ((size_t)32 << 10)
#define SIGNALS 64
#define DESCRIPTORS_MAX 65536

/* For functions that run on the thread-local storage of another thread: a sanitizer must not keep its records there. */
#define GUEST __attribute__((no_sanitize("thread")))

/* A running command and the stacks of its processes. It has a mapping of its own, which lives as long as the keeper, even if the waiting thread ends. */
struct mio_recov_running {
	struct mio_recov_running *next;
	struct mio_recov_commands *commands;
	const char *command;
	char *const *environment;
	int shell;			/* under the lock: process id of the shell while it exists, else 0 */
	int end;			/* under the lock: 1: kill the shell as soon as it exists */
	_Atomic int error;		/* 0, or -errno: why the command could not be started */
	char keeper_stack[STACK_BYTES] __attribute__((aligned(16)));
	char shell_stack[STACK_BYTES] __attribute__((aligned(16)));
};

/* The kernel's struct sigaction; all zero is the default action. */
struct action {
	uintptr_t handler;
	unsigned long flags, restorer;
	uint64_t mask;
};

GUEST static void end_process(int status)
{
	for (;;)
		mio_raw1(SYS_exit_group, status);
}

/* Removes signal handlers. execve does so too, but a signal that comes before execve must not run one. Ignored signals stay ignored. */
GUEST static void take_handlers_away(void)
{
	struct action none;

	memset(&none, 0, sizeof(none));
	for (int i = 1; i <= SIGNALS; i++) {
		struct action action;

		if (mio_raw4(SYS_rt_sigaction, i, NULL, &action, sizeof(action.mask)) == 0 &&
		    action.handler != (uintptr_t)SIG_IGN && action.handler != (uintptr_t)SIG_DFL)
			mio_raw4(SYS_rt_sigaction, i, &none, NULL, sizeof(none.mask));
	}
}

GUEST static void close_from_three(void)
{
	struct rlimit limit = {DESCRIPTORS_MAX, DESCRIPTORS_MAX};

	if (mio_raw3(SYS_close_range, 3, ~0U, 0) == 0)
		return;
	mio_raw4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	for (rlim_t i = 3; i < limit.rlim_cur && i < DESCRIPTORS_MAX; i++)
		mio_raw1(SYS_close, i);
}

/* Closes the descriptors first, to make room: the program may have as many open as its limit allows. */
GUEST static int leave_no_descriptor(void)
{
	long fd;

	close_from_three();
	fd = mio_raw4(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
	if (fd < 0)
		return (int)fd;
	for (int i = 0; i < 3; i++)
		if (fd != i)
			mio_raw3(SYS_dup3, fd, i, 0);
	if (fd > 2)
		mio_raw1(SYS_close, fd);
	return 0;
}

/* The shell. Until execve it runs in the keeper's memory, which is the program's. */
GUEST static void be_shell(void *context)
{
	struct mio_recov_running *running = context;
	const char *const arguments[] = {"/bin/sh", "-c", running->command, NULL};
	long rc = leave_no_descriptor();
	uint64_t none = 0;

	take_handlers_away();
	if (rc == 0) {
		/* Unblock all signals, whatever the thread has blocked: shells and their commands depend on them. */
		mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof(none));
		rc = mio_raw3(SYS_execve, arguments[0], arguments, running->environment);
	}
	atomic_store(&running->error, (int)rc);
	end_process(127);
}

GUEST static void set_shell(struct mio_recov_running *running, int shell)
{
	mio_lock_acquire(&running->commands->lock);
	running->shell = shell;
	/* The shell may have started other processes already: kill them, too. */
	if (shell && running->end)
		mio_recov_family_kill(shell);
	mio_lock_release(&running->commands->lock);
}

GUEST static void be_keeper(void *context)
{
	struct mio_recov_running *running = context;
	struct action none;
	long shell;
	long rc;

	/* If the program ignores SIGCHLD, the kernel keeps no ended child for wait(2), so set the default action. */
	memset(&none, 0, sizeof(none));
	mio_raw4(SYS_rt_sigaction, SIGCHLD, &none, NULL, sizeof(none.mask));
	mio_raw2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	shell = mio_clone(CLONE_VM | CLONE_VFORK | SIGCHLD, running->shell_stack + STACK_BYTES, be_shell, running, NULL, NULL);
	if (shell < 0) {
		atomic_store(&running->error, (int)shell);
		end_process(1);
	}
	/* The child has called execve and is a shell now. Its process id stays its own until wait4 below. */
	set_shell(running, (int)shell);
	do {
		rc = mio_raw5(SYS_waitid, P_PID, shell, NULL, WEXITED | WNOWAIT, NULL);
	} while (rc == -EINTR);
	set_shell(running, 0);
	do {
		rc = mio_raw4(SYS_wait4, shell, NULL, 0, NULL);
	} while (rc == -EINTR);
	end_process(0);
}

static struct mio_recov_running *map(void)
{
	long memory = mio_raw6(SYS_mmap, 0, sizeof(struct mio_recov_running), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory < 0 && memory > -4096 ? NULL : (struct mio_recov_running *)memory;
}

/* Starts the keeper and waits for its end. */
static void run(struct mio_recov_running *running)
{
	uint64_t all = ~(uint64_t)0;
	uint64_t before;
	long keeper;
	long rc;

	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof(all));
	keeper = mio_clone(CLONE_VM | CLONE_FILES, running->keeper_stack + STACK_BYTES, be_keeper, running, NULL, NULL);
	mio_raw4(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(all));
	if (keeper < 0) {
		atomic_store(&running->error, (int)keeper);
		return;
	}
	do {
		rc = mio_raw4(SYS_wait4, keeper, NULL, __WCLONE, NULL);
	} while (rc == -EINTR);
}

static int enter(struct mio_recov_commands *commands, struct mio_recov_running *running)
{
	int stopped;

	mio_lock_acquire(&commands->lock);
	stopped = commands->stopped;
	if (!stopped) {
		running->next = commands->running;
		commands->running = running;
	}
	mio_lock_release(&commands->lock);
	return !stopped;
}

/* Returns 1 if the commands of the file were stopped. */
static int leave(struct mio_recov_commands *commands, struct mio_recov_running *running)
{
	struct mio_recov_running **at = &commands->running;
	int stopped;

	mio_lock_acquire(&commands->lock);
	while (*at != running)
		at = &(*at)->next;
	*at = running->next;
	stopped = commands->stopped;
	mio_lock_release(&commands->lock);
	return stopped;
}

/* 1 if both strings set the same variable. */
static int is_same(const char *entry, const char *variable)
{
	size_t length = strcspn(variable, "=") + 1;

	return strncmp(entry, variable, length) == 0;
}

static size_t add_environment(char **to, const char *const *variables)
{
	size_t count = 0;

	for (char **entry = environ; entry && *entry; entry++) {
		const char *const *variable = variables;

		while (*variable && !is_same(*entry, *variable))
			variable++;
		if (*variable)
			continue;
		if (to)
			to[count] = *entry;
		count++;
	}
	for (const char *const *variable = variables; *variable; variable++) {
		if (to)
			memcpy(&to[count], variable, sizeof(*variable));
		count++;
	}
	return count;
}

enum mio_recov_outcome mio_recov_command_run(struct mio_recov_commands *commands, const char *command,
					     const char *const *variables)
{
	enum mio_recov_outcome outcome = MIO_RECOV_NOT_RUN;
	struct mio_recov_running *running = map();
	/* Room for a few more variables, in case another thread adds some meanwhile. */
	size_t bytes = (add_environment(NULL, variables) + 64) * sizeof(char *);
	char **environment = mio_memory_take(bytes);

	if (running && environment) {
		add_environment(environment, variables);
		running->commands = commands;
		running->command = command;
		running->environment = environment;
		if (!enter(commands, running)) {
			outcome = MIO_RECOV_STOPPED;
		} else {
			if (!mio_recov_rights_are_raised())
				run(running);
			else
				running->error = -EPERM;
			outcome = running->error ? MIO_RECOV_NOT_RUN : MIO_RECOV_RAN;
			if (leave(commands, running))
				outcome = MIO_RECOV_STOPPED;
		}
	}
	mio_memory_give(environment, bytes);
	if (running)
		mio_raw2(SYS_munmap, running, sizeof(*running));
	return outcome;
}

void mio_recov_commands_stop(struct mio_recov_commands *commands)
{
	mio_lock_acquire(&commands->lock);
	commands->stopped = 1;
	for (struct mio_recov_running *running = commands->running; running; running = running->next) {
		running->end = 1;
		if (running->shell)
			mio_recov_family_kill(running->shell);
	}
	mio_lock_release(&commands->lock);
}
