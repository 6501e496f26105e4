/* Signal handlers that interrupt a copy inside the kernel: they may close the file that is copied, or jump out of the copy. */
#include "see.h"

#include <setjmp.h>
#include <sys/time.h>

enum { BYTES = 32 << 20 };

static sigjmp_buf back;
static volatile sig_atomic_t source = -1;
static volatile sig_atomic_t came;

static void closes(int number)
{
	(void)number;
	if (source >= 0)
		close(source);
	source = -1;
	came = 1;
}

static void jumps(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void in_a_while(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};
	struct itimerval timer = {.it_value = {.tv_usec = 3000}};

	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	MUST(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* 0 if the copy failed. */
static int copy(int from, int to)
{
	off_t read_at = 0;
	off_t write_at = 0;

	return copy_file_range(from, &read_at, to, &write_at, BYTES, 0) > 0;
}

int main(int argc, char **argv)
{
	int target;

	begin(argc, argv);
	make_file("from", BYTES, 1);
	SEE(target = open("to", O_RDWR | O_CREAT | O_TRUNC, 0600));
	MUST((source = open("from", O_RDWR)) >= 0);
	in_a_while(closes);
	while (!came && copy(source, target))
		;
	while (!came)
		pause();
	say("closed in a handler");

	MUST((source = open("from", O_RDWR)) >= 0);
	if (!sigsetjmp(back, 1)) {
		in_a_while(jumps);
		while (copy(source, target))
			;
		pause();
	}
	say("jumped out");
	SEE(close(source));
	SEE(close(target));
	/* The file has as much as there was time for. */
	SEE(unlink("to"));
	return 0;
}
