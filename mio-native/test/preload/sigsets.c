/* sigset, the oldest of the calls that set handlers: what it returns can be set again, and it holds the signals that it says it holds. */
#include "see.h"

static volatile sig_atomic_t hits;

static void on_signal(int number)
{
	(void)number;
	hits++;
}

static const char *name_of(sighandler_t handler)
{
	return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignored" : handler == SIG_HOLD ? "held" :
	       handler == SIG_ERR ? strerror(errno) : handler == on_signal ? "the handler" : "something else";
}

#define SEE_HANDLER(call) say("%s: %s", #call, name_of(call))

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void use(int number)
{
	sighandler_t before;

	hits = 0;
	SEE_HANDLER(sigset(number, on_signal));
	raise(number);
	SEE_HANDLER(before = sigset(number, SIG_IGN));
	raise(number);
	SEE_HANDLER(signal(number, before));
	raise(number);
	say("%d", (int)hits);
	SEE_HANDLER(sigset(number, SIG_HOLD));
	raise(number);
	say("%d, held", (int)hits);
	SEE_HANDLER(sigset(number, SIG_HOLD));
	SEE_HANDLER(sigset(number, on_signal));
	say("%d, no more", (int)hits);
	SEE_HANDLER(sigset(number, SIG_DFL));
	SEE_HANDLER(signal(number, SIG_DFL));
}

int main(int argc, char **argv)
{
	pid_t child;
	int fd;

	begin(argc, argv);
	fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(write(fd, "abc", 3) == 3);
	use(SIGUSR2);
	use(SIGTERM);
	SEE_HANDLER(sigset(0, SIG_DFL));
	SEE_HANDLER(sigset(SIGKILL, on_signal));
	SEE_HANDLER(sigset(9999, on_signal));
	child = fork();
	if (child == 0) {
		sighandler_t before = sigset(SIGTERM, SIG_IGN);

		signal(SIGTERM, before);
		MUST(write(fd, "def", 3) == 3);
		raise(SIGTERM);
		say("it went on");
		_exit(3);
	}
	await("child", child);
	SEE(close(fd));
	look("file");
	return 0;
}
