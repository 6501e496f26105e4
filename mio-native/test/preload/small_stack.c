/*
 * A signal handler with an alternate stack of 8192 bytes, which SIGSTKSZ has long been, reads, writes, seeks and closes. Whatever MIO does in these
 * calls, also taking pages (pf/auto) and giving them up, has to do with that. Below the stack nothing is mapped.
 */
#include "dense.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { STACK = 8192, PAGE = 4096, FRAME = 4096, LARGE = 100000, PIECE = 1000 };

static char have[LARGE];
static char want[LARGE];
static int fd;
static void (*volatile step)(void);
static int wrong;	/* requests with another result than without MIO */

/* A read at an offset below DENSE_BYTES - length; by_position: the position is there already. */
static void check(int by_position, size_t length, off_t at)
{
	ssize_t got = by_position ? read(fd, have, length) : pread(fd, have, length, at);

	fill(want, length, 1, at);
	wrong += got != (ssize_t)length || memcmp(have, want, length) != 0;
}

static void forward(void)
{
	for (int i = 0; i < 400; i++)
		check(1, DENSE_RECORD, (off_t)i * DENSE_RECORD);
}

static void backward(void)
{
	for (int i = 400; i > 0; i--)
		check(0, DENSE_RECORD, (off_t)i * DENSE_RECORD);
}

static void in_steps(void)
{
	for (int i = 0; i < 100; i++)
		check(0, PIECE, (off_t)i * 3000);
}

static void in_no_order(void)
{
	for (int i = 0; i < 300; i++)
		check(0, DENSE_RECORD, (off_t)i * 7919 % (DENSE_BYTES / 10) * 9);
}

static void at_length(void)
{
	wrong += lseek(fd, 0, SEEK_SET) != 0;
	for (int i = 0; i < 4; i++)
		check(1, LARGE / 2, (off_t)i * LARGE / 2);
	for (int i = 3; i > 0; i--)
		check(0, LARGE, (off_t)i * LARGE / 2);
}

/* Writes what is there already, so that it can be checked as the rest. */
static void writes(void)
{
	for (int i = 0; i < 200; i++) {
		off_t at = (off_t)i * DENSE_RECORD;

		fill(have, DENSE_RECORD, 1, at);
		wrong += pwrite(fd, have, DENSE_RECORD, at) != DENSE_RECORD;
		check(0, DENSE_RECORD, at);
	}
	wrong += lseek(fd, 12345, SEEK_SET) != 12345;
	for (int i = 0; i < 30; i++) {
		fill(have, PIECE, 1, 12345 + (off_t)i * PIECE);
		wrong += write(fd, have, PIECE) != PIECE;
	}
	fill(have, LARGE, 1, 100);
	wrong += pwrite(fd, have, LARGE, 100) != LARGE;
}

/* The end of the file moves. */
static void writes_more(void)
{
	wrong += lseek(fd, 0, SEEK_END) != DENSE_BYTES;
	for (int i = 0; i < 300; i++) {
		fill(have, DENSE_RECORD, 1, DENSE_BYTES + (off_t)i * DENSE_RECORD);
		wrong += write(fd, have, DENSE_RECORD) != DENSE_RECORD;
	}
}

static void closes(void)
{
	wrong += close(fd) != 0;
}

static void on_signal(int number)
{
	(void)number;
	step();
}

static void handle(const char *what, void (*next)(void))
{
	step = next;
	wrong = 0;
	MUST(raise(SIGUSR2) == 0);
	say("%s: %d wrong", what, wrong);
}

static void give_stack(void)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);
	/* Some processors have so many registers that the kernel's frame alone needs more. */
	size_t bytes = STACK + (frame > FRAME ? (frame - FRAME + PAGE - 1) / PAGE * PAGE : 0);
	char *memory = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = {.ss_sp = memory + PAGE, .ss_size = bytes};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	MUST(memory != MAP_FAILED && mprotect(memory, PAGE, PROT_NONE) == 0);
	MUST(sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR2, &action, NULL) == 0);
}

static void reads(const char *what, void (*next)(void))
{
	fd = open("f", O_RDONLY);
	MUST(fd >= 0);
	handle(what, next);
	handle("and backward", backward);
	handle("closes", closes);
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	give_stack();
	make_file("f", DENSE_BYTES, 1);
	until_old("f");
	/* The dynamic linker finds functions at their first call, and needs a stack for that, too. */
	fd = open("f", O_RDWR);
	fill(have, 1, 1, 0);
	MUST(pread(fd, have, 1, 0) == 1 && pwrite(fd, have, 1, 0) == 1 && lseek(fd, 0, SEEK_SET) == 0);
	MUST(read(fd, have, 1) == 1 && lseek(fd, 0, SEEK_SET) == 0 && write(fd, have, 1) == 1 && close(fd) == 0);
	until_old("f");
	reads("forward", forward);
	reads("backward", backward);
	reads("in steps", in_steps);
	reads("in no order", in_no_order);
	reads("at length", at_length);
	fd = open("f", O_RDWR);
	MUST(fd >= 0);
	handle("writes", writes);
	handle("reads", at_length);
	handle("writes more", writes_more);
	handle("reads again", backward);
	handle("closes", closes);
	look("f");
	return 0;
}
