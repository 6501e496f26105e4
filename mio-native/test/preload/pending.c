/* Signals that the program has blocked and that came before its first file got layers: they are still pending afterwards, as signalfd needs them. */
#include "see.h"

#include <sys/signalfd.h>

static const struct {
	int number;
	const char *name;
} pending[] = {{SIGCHLD, "SIGCHLD"}, {SIGWINCH, "SIGWINCH"}, {SIGURG, "SIGURG"},   {SIGCONT, "SIGCONT"}, {SIGTERM, "SIGTERM"},
	       {SIGUSR1, "SIGUSR1"}, {SIGIO, "SIGIO"},	     {SIGPIPE, "SIGPIPE"}, {SIGHUP, "SIGHUP"}};

enum { PENDING = sizeof(pending) / sizeof(pending[0]) };

static void look_at_pending(void)
{
	sigset_t there;

	sigpending(&there);
	for (int i = 0; i < PENDING; i++)
		say("%s: %d", pending[i].name, sigismember(&there, pending[i].number));
}

int main(int argc, char **argv)
{
	struct signalfd_siginfo info;
	sigset_t all, child;
	pid_t pid;
	int fd, signals;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < PENDING; i++)
		if (pending[i].number != SIGCHLD)
			raise(pending[i].number);
	pid = fork();
	if (pid == 0)
		_exit(7);
	/* The child has ended, and its signal has come. */
	MUST(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT) == 0);
	begin(argc, argv);
	look_at_pending();
	SEE(fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600));
	SEE(write(fd, "abc", 3));
	look_at_pending();
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	SEE(signals = signalfd(-1, &child, SFD_NONBLOCK));
	say("%d", (int)read(signals, &info, sizeof(info)));
	await("child", pid);
	SEE(close(fd));
	look("file");
	return 0;
}
