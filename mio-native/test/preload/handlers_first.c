/* A thread sets handlers while the first file is opened. The previous action that it gets is always its own, and its handler is called. */
#include "see.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 150 };

static _Atomic int opened;
static _Atomic int calls;

static void one(int number)
{
	(void)number;
	calls++;
}

static void two(int number)
{
	(void)number;
	calls++;
}

static void *set(void *context)
{
	struct sigaction action = {.sa_handler = one};
	struct sigaction old;
	void (*before)(int) = SIG_DFL;
	int told = 0;

	sigemptyset(&action.sa_mask);
	for (int more = 3; more > 0; more -= opened) {
		MUST(sigaction(SIGUSR2, &action, &old) == 0);
		if (old.sa_handler != before)
			_exit(2);
		before = action.sa_handler;
		action.sa_handler = before == one ? two : one;
		if (!told)
			pass_turn(*(int *)context);
		told = 1;
	}
	return NULL;
}

static void round_of(int number)
{
	char name[32];
	int ends[2];
	pthread_t thread;
	int fd;

	MUST(pipe(ends) == 0);
	MUST(pthread_create(&thread, NULL, set, &ends[1]) == 0);
	wait_turn(ends[0]);
	snprintf(name, sizeof(name), "f%d", number % 4);
	fd = open(name, O_RDWR | O_CREAT, 0600);
	opened = 1;
	MUST(fd >= 0 && write(fd, "x", 1) == 1);
	MUST(pthread_join(thread, NULL) == 0);
	raise(SIGUSR2);
	MUST(calls == 1);
	_exit(0);
}

int main(int argc, char **argv)
{
	int odd = 0;

	begin(argc, argv);
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child = fork();
		int status;

		if (child == 0)
			round_of(i);
		MUST(waitpid(child, &status, 0) == child);
		odd += status != 0;
	}
	say("rounds that went wrong: %d", odd);
	return 0;
}
