/*
 * From some moment on the program allows itself only to read, write, seek and close: any other system call kills it. Files are open
 * by then, with bytes in pages, and remain in use.
 */
#include "see.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

enum how { BY_PRCTL, BY_PRCTL_NUMBER, BY_SECCOMP_NUMBER, STRICT, HOWS };

static const char *const names[HOWS] = {"prctl", "prctl by number", "seccomp by number", "strict"};

#define LET(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int let_little(enum how how)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, nr)),
		LET(SYS_read),
		LET(SYS_write),
		LET(SYS_lseek),
		LET(SYS_close),
		LET(SYS_exit_group),
		LET(SYS_exit),
		LET(SYS_rt_sigreturn),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	switch (how) {
	case BY_PRCTL:
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	case BY_PRCTL_NUMBER:
		return (int)syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	case BY_SECCOMP_NUMBER:
		return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	default:
		/* read, write, exit and sigreturn alone. */
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	}
}

static unsigned char bytes[200000];
static unsigned char seen[200000];

/* Ends a process that is filtered. Only write is sure to be allowed. */
#define STILL(condition) \
	do { \
		if (!(condition)) { \
			static const char text_[] = "not true: " #condition "\n"; \
			if (write(1, text_, sizeof(text_) - 1) < 0) \
				_exit(99); \
			_exit(1); \
		} \
	} while (0)

/* The rest of the work. written is at 120000 and has a copy; read_only is at 5000. */
static void go_on(enum how how, int written, int copy, int read_only)
{
	STILL(write(written, bytes + 120000, 30000) == 30000);
	STILL(write(copy, bytes + 150000, 50000) == 50000);
	STILL(read(read_only, seen, 50000) == 50000);
	STILL(memcmp(seen, bytes + 5000, 50000) == 0);
	if (how == STRICT)
		return;
	STILL(lseek(written, 0, SEEK_CUR) == 200000);
	STILL(lseek(written, 1000, SEEK_SET) == 1000);
	STILL(read(written, seen, sizeof(seen)) == 199000);
	STILL(memcmp(seen, bytes + 1000, 199000) == 0);
	STILL(lseek(read_only, -10000, SEEK_END) == 190000);
	STILL(read(read_only, seen, sizeof(seen)) == 10000);
	STILL(memcmp(seen, bytes + 190000, 10000) == 0);
	STILL(read(read_only, seen, 1) == 0);
	STILL(close(copy) == 0);
	STILL(close(written) == 0);
	STILL(close(read_only) == 0);
	STILL(read(read_only, seen, 1) == -1 && errno == EBADF);
}

static void work(enum how how, int by_return)
{
	int written, copy, read_only;

	fill(bytes, sizeof(bytes), 5, 0);
	written = open("written", O_RDWR | O_CREAT | O_TRUNC, 0644);
	read_only = open("given", O_RDONLY);
	MUST(written >= 0 && read_only >= 0);
	copy = dup(written);
	for (int i = 0; i < 12; i++)
		MUST(write(i % 2 ? copy : written, bytes + 10000 * i, 10000) == 10000);
	/* In order, so that pages are under way when the filter comes. */
	for (int i = 0; i < 5; i++)
		MUST(read(read_only, seen, 1000) == 1000);
	MUST(memcmp(seen, bytes + 4000, 1000) == 0);
	MUST(let_little(how) == 0);
	go_on(how, written, copy, read_only);
	/* The strict mode does not allow exit_group. */
	if (how == STRICT)
		syscall(SYS_exit, 7);
	if (by_return)
		exit(8);
	_exit(7);
}

static void filtered(enum how how, int by_return)
{
	pid_t child = fork();
	char have[512];
	char want[512];
	int status;

	MUST(child >= 0);
	if (child == 0)
		work(how, by_return);
	MUST(waitpid(child, &status, 0) == child);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7 + by_return) {
		say_status(names[how], status);
		exit(1);
	}
	/* The file must now be the same as the one that was given. */
	outside_asked("written", have, sizeof(have));
	outside_asked("given", want, sizeof(want));
	if (strcmp(strchr(have, ':'), strchr(want, ':')) != 0) {
		say("%s: %s instead of %s", names[how], have, want);
		exit(1);
	}
	MUST(unlink("written") == 0);
}

static void on_signal(int number)
{
	STILL(write(1, number == SIGUSR1 ? "handled 1\n" : "handled 2\n", 10) == 10);
}

/* Signals of every kind come to a process that may not even ask for its signal actions. */
static void signalled(void)
{
	struct sigaction again = {.sa_handler = on_signal};
	struct sigaction once = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
	static const int sent[] = {SIGUSR1, SIGUSR1, SIGUSR2, SIGUSR2};
	int ready[2], go[2];
	pid_t child;

	MUST(pipe(ready) == 0 && pipe(go) == 0);
	child = fork();
	MUST(child >= 0);
	if (child == 0) {
		int fd = open("written", O_RDWR | O_CREAT | O_TRUNC, 0644);
		char turn;

		MUST(write(fd, bytes, 100000) == 100000);
		MUST(sigaction(SIGUSR1, &again, NULL) == 0 && sigaction(SIGUSR2, &once, NULL) == 0);
		MUST(let_little(BY_PRCTL) == 0);
		for (;;) {
			STILL(write(ready[1], "t", 1) == 1);
			while (read(go[0], &turn, 1) < 0)
				STILL(errno == EINTR);
			STILL(write(fd, bytes + 100000, 1000) == 1000);
		}
	}
	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		wait_turn(ready[0]);
		MUST(kill(child, sent[i]) == 0);
		pass_turn(go[1]);
	}
	/* The second time, this signal has its default action. */
	await("signalled", child);
	for (int i = 0; i < 2; i++) {
		close(ready[i]);
		close(go[i]);
	}
}

/* The bytes in a stream's buffer are written at the end. */
static void streamed(void)
{
	pid_t child = fork();

	MUST(child >= 0);
	if (child == 0) {
		FILE *stream = fopen("stream", "w");

		MUST(stream && fputs("before ", stream) >= 0 && fflush(stream) == 0 && fputs("between ", stream) >= 0);
		MUST(let_little(BY_PRCTL) == 0);
		STILL(fputs("after\n", stream) >= 0);
		exit(0);
	}
	await("streamed", child);
	outside("stream");
}

/* Asking about filters does not install one. */
static void ask(void)
{
	unsigned int action = SECCOMP_RET_ALLOW;
	int fd = open("written", O_RDWR | O_CREAT, 0644);

	SEE(write(fd, bytes, 30000));
	SEE(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
	SEE(prctl(PR_GET_SECCOMP) >= 0);
	SEE(syscall(SYS_seccomp, 4711, 0, NULL));
	SEE(write(fd, bytes + 30000, 30000));
	SEE(close(fd));
	outside("written");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	make_file("given", sizeof(bytes), 5);
	for (enum how how = BY_PRCTL; how < STRICT; how++) {
		filtered(how, 0);
		filtered(how, 1);
	}
	/* Not if this process has a filter already. */
	if (prctl(PR_GET_SECCOMP) == 0)
		filtered(STRICT, 0);
	signalled();
	streamed();
	ask();
	return 0;
}
