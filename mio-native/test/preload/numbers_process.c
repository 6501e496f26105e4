/* Process calls by number: other rights, children that share its memory, the end of its first thread, signals, descriptors that are sent. */
#include "see.h"

#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

enum { BYTES = 50000 };

static char bytes[BYTES];
static int fd;

static void dirty(const char *name)
{
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	fill(bytes, BYTES, 1, 0);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(lseek(fd, 0, SEEK_SET) == 0);
	for (int i = 0; i < 8; i++)
		MUST(read(fd, bytes, 5000) == 5000);
}

/* ---- rights: those of the calling thread */

static void *other_thread(void *unused)
{
	(void)unused;
	say("of another thread: %d", (int)geteuid());
	return NULL;
}

static void go_on(const char *name)
{
	outside(name);
	MUST(is_fill(fd, BYTES, 1, 0));
	SEE(pwrite(fd, "after", 5, 60000));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(fsync(fd));
	SEE(close(fd));
}

#define CHANGE(name, call) \
	do { \
		dirty(name); \
		SEE(call); \
		go_on(name); \
	} while (0)

static void rights(void)
{
	pid_t child = fork();
	pthread_t thread;

	if (child == 0) {
		if (geteuid() == 0) {
			CHANGE("rights", syscall(SYS_setgroups, 0, NULL));
			CHANGE("rights", syscall(SYS_setregid, -1, 65533));
			CHANGE("rights", syscall(SYS_setresgid, 65532, 65532, 65532));
			CHANGE("rights", syscall(SYS_setgid, 65534));
			CHANGE("rights", syscall(SYS_chroot, "."));
			/* These users may write only files of their own. */
			MUST(chmod(".", 0777) == 0);
			SEE(unlink("rights"));
			CHANGE("rights", syscall(SYS_setreuid, -1, 65533));
			SEE(syscall(SYS_setreuid, -1, 0));
			MUST(pthread_create(&thread, NULL, other_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
			SEE(unlink("rights"));
			dirty("rights");
			SEE(syscall(SYS_setresuid, 65534, 65534, 65534));
			say("%d", (int)geteuid());
			go_on("rights");
		}
		CHANGE("rights2", syscall(SYS_setuid, getuid()));
		CHANGE("rights2", syscall(SYS_setgid, getgid()));
		SEE(syscall(SYS_setuid, 0));
		exit(0);
	}
	await("rights", child);
}

/* The kernel's calls change the rights of one thread, the C library's those of all threads. */
static void *changes_itself(void *unused)
{
	(void)unused;
	SEE(syscall(SYS_setresuid, -1, 65534, -1));
	say("of this thread: %d", (int)geteuid());
	return NULL;
}

static void of_one_thread(void)
{
	pid_t child = fork();

	if (child == 0) {
		pthread_t thread;

		if (geteuid() != 0)
			_exit(0);
		dirty("one");
		MUST(pthread_create(&thread, NULL, changes_itself, NULL) == 0 && pthread_join(thread, NULL) == 0);
		say("of the first: %d", (int)geteuid());
		go_on("one");
		exit(0);
	}
	await("one", child);
}

/* ---- children that share memory */

#if defined(__x86_64__)

static long kernel(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
	return result;
}

static volatile long place;
static volatile long got;
static char there[8];

/* Uses no call that MIO sees. */
static void in_child(void)
{
	place = kernel(SYS_lseek, fd, 0, SEEK_CUR, 0);
	got = kernel(SYS_pread64, fd, (long)there, 8, 40000);
	kernel(SYS_lseek, fd, 123, SEEK_SET, 0);
	kernel(SYS_exit, 6, 0, 0, 0);
}

static void see_shared(const char *what, pid_t child)
{
	char right[8];

	MUST(child > 0);
	await(what, child);
	fill(right, sizeof(right), 1, 40000);
	say("child of %s: at %ld, %ld bytes, %s", what, place, got, memcmp(right, there, 8) == 0 ? "right" : "wrong");
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	outside(what);
}

/* The child returns onto a stack of its own, on which the address to continue at is stored. */
static void shared(void)
{
	static void *stack[1 << 14] __attribute__((aligned(64)));
	void **top = stack + (1 << 14) - 8;
	/* struct clone_args: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls */
	uint64_t arguments[8] = {CLONE_VM | CLONE_VFORK, 0, 0, 0, SIGCHLD};

	*top = (void *)(uintptr_t)in_child;
	dirty("by clone");
	see_shared("by clone", (pid_t)syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, top, 0, 0, 0));
	place = got = 0;
	memset(there, 0, sizeof(there));
	arguments[5] = (uintptr_t)stack;
	arguments[6] = (uintptr_t)top - (uintptr_t)stack;
	dirty("by clone3");
	see_shared("by clone3", (pid_t)syscall(SYS_clone3, arguments, sizeof(arguments)));
	SEE(syscall(SYS_clone3, arguments, 8));
	SEE(syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_NEWNS | CLONE_FS | SIGCHLD, top, 0, 0, 0));
}

/*
 * The child runs on the parent's stack. Without MIO the parent continues where the child made its call, so a call of this function
 * is the next thing for both. The number of the child must not be looked at then.
 */
__attribute__((noinline)) static void end_child(long child)
{
	volatile char room[8192];

	if (child != 0)
		return;
	/* What was on the stack is overwritten. */
	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = -1;
	kernel(SYS_exit, kernel(SYS_lseek, fd, 0, SEEK_CUR, 0) == 40000 ? 7 : 8, 0, 0, 0);
}

static void borrow(void)
{
	uint64_t arguments[8] = {CLONE_VM | CLONE_VFORK, 0, 0, 0, SIGCHLD};

	for (volatile int how = 0; how < 4; how++) {
		int status;

		arguments[0] = CLONE_VM | CLONE_VFORK | (how == 3 ? CLONE_SIGHAND : 0);
		end_child(how == 0 ? syscall(SYS_vfork) : how == 1 ? syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0)
								   : syscall(SYS_clone3, arguments, sizeof(arguments)));
		MUST(wait(&status) > 0);
		say_status("borrowed", status);
	}
}

static void borrowed(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog filter = {1, &all};
	pid_t child;

	dirty("borrowed");
	borrow();
	SEE(lseek(fd, 0, SEEK_CUR));
	child = fork();
	if (child == 0) {
		/* From now on without MIO. */
		MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
		borrow();
		_exit(0);
	}
	await("without", child);
	SEE(close(fd));
	outside("borrowed");
}

#endif

/* ---- the first thread ends */

static void *after_first(void *first)
{
	(void)first;
	/* Waits until the first thread has ended. */
	for (;;) {
		char name[64];
		char text[512] = "";
		int status;

		snprintf(name, sizeof(name), "/proc/%d/stat", (int)getpid());
		status = open(name, O_RDONLY);
		MUST(status >= 0 && read(status, text, sizeof(text) - 1) > 0 && close(status) == 0);
		if (strstr(text, ") Z "))
			break;
		sched_yield();
	}
	MUST(pwrite(fd, "by a thread", 11, 90000) == 11);
	return NULL;
}

static void ends(void)
{
	for (int threads = 0; threads < 2; threads++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;

			dirty("ends");
			if (threads)
				MUST(pthread_create(&thread, NULL, after_first, NULL) == 0);
			syscall(SYS_exit, 5);
		}
		await("ends", child);
		outside("ends");
	}
}

/* ---- signals */

#if defined(__x86_64__) || defined(__aarch64__)

struct action {
	uintptr_t handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

static volatile sig_atomic_t hits;

static void on_signal(int number)
{
	hits += number;
}

static const char *name_of(uintptr_t handler)
{
	return handler == (uintptr_t)SIG_DFL ? "default" : handler == (uintptr_t)SIG_IGN ? "ignored" :
	       handler == (uintptr_t)on_signal ? "the handler" : "something else";
}

static long set(int number, const struct action *action, struct action *old)
{
	return syscall(SYS_rt_sigaction, number, action, old, 8);
}

static void see_action(int number)
{
	struct action now = {0};
	struct sigaction again;

	SEE(set(number, NULL, &now));
	MUST(sigaction(number, NULL, &again) == 0);
	say("%d: %s, flags %lx, mask %llx; %s, flags %x", number, name_of(now.handler), now.flags & ~0x4000000UL,
	    (unsigned long long)now.mask, name_of((uintptr_t)again.sa_handler), (unsigned int)again.sa_flags & ~0x4000000U);
}

static void signals(void)
{
	struct action theirs = {0};
	struct action action;
	struct sigaction handler = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
	pid_t child;

	dirty("signals");
	see_action(SIGTERM);
	/* With the function that returns from the handler, which the C library keeps to itself. */
	MUST(sigaction(SIGUSR1, &handler, NULL) == 0 && set(SIGUSR1, NULL, &theirs) == 0);
	see_action(SIGUSR1);
	action = theirs;
	action.flags |= SA_RESTART;
	action.mask = 1 << (SIGUSR2 - 1);
	SEE(set(SIGTERM, &action, &theirs));
	say("%s", name_of(theirs.handler));
	see_action(SIGTERM);
	raise(SIGTERM);
	say("%d", (int)hits);
	action.flags |= SA_RESETHAND;
	SEE(set(SIGTERM, &action, &action));
	say("%s", name_of(action.handler));
	see_action(SIGTERM);
	raise(SIGTERM);
	say("%d", (int)hits);
	SEE(set(SIGTERM, NULL, &action));
	say("%s", name_of(action.handler));
	SEE(set(SIGKILL, &action, NULL));
	SEE(set(0, &action, NULL));
	SEE(set(65, NULL, NULL));
	SEE(set(SIGTERM, (void *)8, NULL));
	SEE(syscall(SYS_rt_sigaction, SIGTERM, NULL, NULL, 16));
	SEE(set(33, NULL, &theirs));
	SEE(close(fd));
	child = fork();
	if (child == 0) {
		struct action plain = {0};

		dirty("ended");
		SEE(set(SIGTERM, &plain, NULL));
		raise(SIGTERM);
		_exit(9);
	}
	await("ended", child);
	outside("ended");
}

#endif

/* ---- descriptors sent to another process, here to this one */

static void sent(void)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
	char byte = 'd';
	struct iovec part = {&byte, 1};
	struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)}};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message.msg_hdr);
	int ends[2];
	int number;

	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	dirty("sent");
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(int));
	SEE(syscall(SYS_sendmmsg, ends[0], &message, 1, 0));
	outside("sent");
	SEE(syscall(SYS_sendmmsg, ends[0], (void *)8, 1, 0));
	SEE(syscall(SYS_sendmmsg, ends[0], NULL, 0x7fffffff, 0));
	SEE(syscall(SYS_sendmsg, ends[0], (void *)8, 0));
	memset(control, 0, sizeof(control));
	MUST(recvmsg(ends[1], &message.msg_hdr, 0) == 1);
	memcpy(&number, CMSG_DATA(CMSG_FIRSTHDR(&message.msg_hdr)), sizeof(int));
	SEE(lseek(number, 0, SEEK_CUR));
	SEE(write(fd, "place", 5));
	SEE(lseek(number, 0, SEEK_CUR));
	SEE(close(number));
	SEE(close(fd));
	SEE(close(ends[0]));
	SEE(close(ends[1]));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	rights();
	of_one_thread();
#if defined(__x86_64__)
	shared();
	borrowed();
#endif
	ends();
#if defined(__x86_64__) || defined(__aarch64__)
	signals();
#endif
	sent();
	return 0;
}
