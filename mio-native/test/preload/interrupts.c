/*
 * Signal handlers that interrupt a loop of reads and writes and end the process, jump out of the loop, read what it has written, or
 * open and close files. Every call of the loop that has returned is done, whatever happens next.
 */
#include "see.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { PIECE = 700, PIECES = 3000, TIMES = 25 };

static _Atomic int *written;	/* number of pieces written; shared with the parent */
static int fd;
static int how;
static sigjmp_buf back;
static volatile sig_atomic_t count;
static volatile sig_atomic_t interval;	/* microseconds from the end of a handler to the next signal; 0: there is none */

static void set_timer(int microseconds)
{
	struct itimerval timer = {.it_value = {0, microseconds}};

	MUST(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* Each handler sets the timer anew: a periodic one would leave no time between handlers that take longer than its interval. */
static void set_interval(int microseconds)
{
	interval = microseconds;
	set_timer(microseconds);
}

static void again(void)
{
	if (interval)
		set_timer(interval);
}

static void handle(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
}

static void write_piece(int piece)
{
	char bytes[PIECE];

	fill(bytes, PIECE, 1, (off_t)piece * PIECE);
	MUST(write(fd, bytes, PIECE) == PIECE);
	*written = piece + 1;
}

/* ---- the end of the process */

static void ends(int number)
{
	(void)number;
	if (how == 0)
		_exit(7);
	exit(7);
}

static void ended(int by, int time)
{
	pid_t child;
	int status;

	*written = 0;
	how = by;
	child = fork();
	if (child == 0) {
		fd = open("ended", O_RDWR | O_CREAT | O_TRUNC, 0600);
		MUST(fd >= 0);
		handle(ends);
		set_timer(500 + time * 137);
		for (int piece = 0;; piece++) {
			if (piece % PIECES == 0) {
				MUST(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
				*written = 0;
			}
			write_piece(piece % PIECES);
		}
	}
	MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	fd = open("ended", O_RDONLY);
	/* If the file has just been cut, the count is not up to date yet. */
	if (lseek(fd, 0, SEEK_END) >= PIECE)
		MUST(is_fill(fd, (size_t)*written * PIECE, 1, 0));
	MUST(close(fd) == 0);
}

/* ---- jumps */

static void jumps(int number)
{
	(void)number;
	count++;
	siglongjmp(back, 1);
}

static void jumped(void)
{
	static volatile int piece;
	char bytes[100];

	fd = open("jumped", O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0);
	*written = 0;
	piece = 0;
	count = 0;
	handle(jumps);
	while (count < TIMES || piece < PIECES) {
		sigsetjmp(back, 1);
		/* A write that has returned is done, and the position is after it; one more write may be done. */
		piece = *written;
		MUST(lseek(fd, 0, SEEK_CUR) == (off_t)piece * PIECE || lseek(fd, 0, SEEK_CUR) == (off_t)(piece + 1) * PIECE);
		MUST(lseek(fd, (off_t)piece * PIECE, SEEK_SET) >= 0);
		if (piece > 0)
			MUST(pread(fd, bytes, 100, (off_t)(piece - 1) * PIECE) == 100);
		set_timer(count < TIMES ? 400 : 0);
		for (; piece < PIECES || count < TIMES; piece++) {
			if (piece >= PIECES) {
				/* No jump may come in between. */
				set_timer(0);
				piece = 0;
				*written = 0;
				MUST(lseek(fd, 0, SEEK_SET) == 0);
				set_timer(400);
			}
			write_piece(piece);
		}
	}
	set_timer(0);
	MUST(is_fill(fd, (size_t)PIECES * PIECE, 1, 0));
	MUST(close(fd) == 0);
	say("jumped");
	outside("jumped");
}

/* ---- reads of the newest bytes */

static void reads(int number)
{
	char have[PIECE];
	char want[PIECE];
	int piece = *written - 1;

	(void)number;
	count++;
	if (piece < 0) {
		again();
		return;
	}
	if (pread(fd, have, PIECE, (off_t)piece * PIECE) != PIECE)
		_exit(60);
	fill(want, PIECE, 1, (off_t)piece * PIECE);
	if (memcmp(have, want, PIECE) != 0)
		_exit(61);
	if (lseek(fd, 0, SEEK_END) < (off_t)*written * PIECE)
		_exit(62);
	again();
}

static void read_by_handler(void)
{
	fd = open("read", O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0);
	count = 0;
	*written = 0;
	handle(reads);
	set_interval(300);
	while (count < TIMES) {
		*written = 0;
		MUST(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
		for (int piece = 0; piece < PIECES; piece++)
			write_piece(piece);
	}
	set_interval(0);
	/* The handler has moved the position. */
	MUST(is_fill(fd, PIECE, 1, 0));
	MUST(close(fd) == 0);
	say("read");
}

/* ---- opens, copies and closes, on both sides */

static void opens(int number)
{
	int mine = open("other", O_RDWR | O_CREAT, 0600);
	int copy = dup(mine);

	(void)number;
	count++;
	if (mine < 0 || copy < 0 || write(mine, "x", 1) != 1 || close(mine) < 0 || pwrite(copy, "y", 1, 0) != 1 || close(copy) < 0)
		_exit(63);
	again();
}

static void opened(void)
{
	count = 0;
	handle(opens);
	set_interval(200);
	while (count < 4 * TIMES) {
		int one = open("opened", O_RDWR | O_CREAT, 0600);
		int two = dup(one);

		MUST(one >= 0 && two >= 0);
		MUST(pwrite(one, "bytes", 5, 0) == 5);
		MUST(close(one) == 0);
		MUST(dup2(two, one) == one);
		MUST(close(two) == 0);
		MUST(close(one) == 0);
	}
	set_interval(0);
	say("opened");
	outside("opened");
	outside("other");
}

/* ---- a splice that waits: interrupted or restarted, as the flags of the handler ask for */

static int pipe_ends[2];

static void feeds(int number)
{
	(void)number;
	count++;
	if (how == SA_RESTART && count == 3)
		MUST(write(pipe_ends[1], "fed", 3) == 3);
	again();
}

static void waits_for_pipe(int flags)
{
	struct sigaction action = {.sa_handler = feeds, .sa_flags = flags};

	MUST(pipe(pipe_ends) == 0);
	fd = open("spliced", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0 && write(fd, "heading ", 8) == 8);
	sigemptyset(&action.sa_mask);
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	how = flags;
	count = 0;
	set_interval(10000);
	SEE(splice(pipe_ends[0], NULL, fd, NULL, 100, 0));
	interval = 0;
	set_timer(0);
	SEE(splice(pipe_ends[0], NULL, fd, NULL, 100, SPLICE_F_NONBLOCK));
	MUST(close(pipe_ends[1]) == 0);
	SEE(splice(pipe_ends[0], NULL, fd, NULL, 100, 0));
	MUST(close(pipe_ends[0]) == 0);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, " end", 4));
	SEE(close(fd));
	look("spliced");
	outside("spliced");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	written = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(written != MAP_FAILED);
	for (int by = 0; by < 2; by++) {
		for (int time = 0; time < TIMES; time++)
			ended(by, time);
		say("ended");
	}
	MUST(unlink("ended") == 0);
	jumped();
	read_by_handler();
	opened();
	waits_for_pipe(0);
	waits_for_pipe(SA_RESTART);
	return 0;
}
