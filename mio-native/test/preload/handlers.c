/* A signal handler reads and writes files while a loop does, the same files and others. Nothing of either may be lost. */
#include "see.h"

#include <sys/time.h>

enum { PIECE = 512, PIECES = 4000, NOTES = 40 };

static int same;	/* the loop's file */
static int own;		/* the handler's file */
static volatile sig_atomic_t notes;
static volatile sig_atomic_t over;

/* The handler's part of the loop's file is past everything that the loop writes. */
static void on_timer(int number)
{
	char note[16] = "a note, 16 bytes";
	int errno_before = errno;

	(void)number;
	if (notes >= NOTES)
		return;
	if (pwrite(same, note, 16, (off_t)PIECE * PIECES + notes * 16) != 16)
		_exit(70);
	if (write(own, note, 16) != 16)
		_exit(71);
	if (notes % 8 == 7) {
		int fd = open("opened", O_RDWR | O_CREAT | O_APPEND, 0600);

		if (fd < 0 || write(fd, note, 16) != 16 || close(fd) < 0)
			_exit(72);
		if (fsync(own) < 0)
			_exit(73);
	}
	if (notes % 8 == 3 && lseek(own, 0, SEEK_CUR) < 0)
		_exit(74);
	notes++;
	errno = errno_before;
}

static void run(int by_position)
{
	struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 300}, {0, 300}};
	struct itimerval never = {{0, 0}, {0, 0}};
	char piece[PIECE];
	char have[PIECE];

	notes = 0;
	same = open("same", O_RDWR | O_CREAT | O_TRUNC, 0600);
	own = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(same >= 0 && own >= 0);
	sigemptyset(&action.sa_mask);
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	MUST(setitimer(ITIMER_REAL, &often, NULL) == 0);
	/* Repeats until all the notes are written. */
	for (int round = 0; round == 0 || notes < NOTES; round++) {
		if (by_position)
			MUST(lseek(same, 0, SEEK_SET) == 0);
		for (int i = 0; i < PIECES; i++) {
			off_t at = (off_t)i * PIECE;

			fill(piece, PIECE, 1, at);
			if (by_position)
				MUST(write(same, piece, PIECE) == PIECE);
			else
				MUST(pwrite(same, piece, PIECE, at) == PIECE);
			if (i % 7 == 0) {
				MUST(pread(same, have, PIECE, at) == PIECE);
				MUST(memcmp(have, piece, PIECE) == 0);
			}
			if (i % 500 == 0)
				MUST(fsync(same) == 0);
		}
	}
	MUST(setitimer(ITIMER_REAL, &never, NULL) == 0);
	say("notes %d", (int)notes);
	MUST(is_fill(same, (size_t)PIECE * PIECES, 1, 0));
	SEE(lseek(same, 0, SEEK_END));
	SEE(lseek(own, 0, SEEK_CUR));
	SEE(close(same));
	SEE(close(own));
	look("same");
	outside("same");
	outside("own");
	outside("opened");
	MUST(unlink("opened") == 0);
}

/* A one-time timer, so that a read that takes longer than the interval leaves the program some time. */
static void begin_timer(void)
{
	struct itimerval soon = {{0, 0}, {0, 50}};

	if (setitimer(ITIMER_REAL, &soon, NULL) != 0)
		_exit(76);
}

static void on_timer_reads(int number)
{
	char have[PIECE];
	int errno_before = errno;

	(void)number;
	/* The file is cut at any time, so the read gets some bytes or none. */
	if (pread(same, have, PIECE, 0) < 0)
		_exit(75);
	notes++;
	/* A signal that is under way while the timer is stopped does not start the timer again. */
	if (!over)
		begin_timer();
	errno = errno_before;
}

/* The handler reads a file with pages while the file is cut by an open or by its name. */
static void cut(void)
{
	struct sigaction action = {.sa_handler = on_timer_reads, .sa_flags = SA_RESTART};
	struct itimerval never = {{0, 0}, {0, 0}};
	char piece[PIECE];

	notes = 0;
	same = open("same", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(same >= 0);
	fill(piece, PIECE, 1, 0);
	MUST(pwrite(same, piece, PIECE, 0) == PIECE);
	sigemptyset(&action.sa_mask);
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
	begin_timer();
	for (int i = 0; i < 3000 || notes < NOTES; i++) {
		if (i % 2) {
			MUST(truncate("same", 100) == 0);
		} else {
			int fd = open("same", O_RDWR | O_TRUNC);

			MUST(fd >= 0 && write(fd, piece, PIECE) == PIECE && close(fd) == 0);
		}
	}
	over = 1;
	MUST(setitimer(ITIMER_REAL, &never, NULL) == 0);
	SEE(close(same));
	look("same");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	run(1);
	run(0);
	cut();
	return 0;
}
