/*
 * faults HOW: writes to two files and then makes a request on the second one with memory that faults. The kernel would return
 * EFAULT. HOW says which request, and what the program's signal handler does about the fault.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BYTES = 40000, PART = 5000 };

static char bytes[BYTES];
static sigjmp_buf before;

static int has(const char *how, const char *word)
{
	return strstr(how, word) != NULL;
}

static void on_fault_exit(int number)
{
	(void)number;
	exit(5);
}

static void on_fault_end(int number)
{
	(void)number;
	_exit(6);
}

static void on_fault_raise(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void on_fault_jump(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

/* Memory of which the first bytes are mapped and the rest faults. */
static char *half(int number)
{
	int empty = open("short", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *memory = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, number == SIGBUS ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS,
			    number == SIGBUS ? empty : -1, 0);

	if (memory == MAP_FAILED || ftruncate(empty, 4096) < 0 || (number == SIGSEGV && munmap(memory + 4096, 4096) < 0))
		_exit(9);
	return memory + 4096 - 101;
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "";
	int number = has(how, "bus") ? SIGBUS : SIGSEGV;
	struct rlimit none = {0, 0};
	char *memory = half(number);
	int first, second;
	long moved = 0;

	setrlimit(RLIMIT_CORE, &none);
	memset(bytes, 'x', BYTES);
	first = open("first", O_RDWR | O_CREAT | O_TRUNC, 0600);
	second = open("second", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (write(first, bytes, BYTES) != BYTES || write(second, bytes, BYTES) != BYTES)
		return 8;
	if (has(how, "exits"))
		signal(number, on_fault_exit);
	if (has(how, "ends"))
		signal(number, on_fault_end);
	if (has(how, "raises"))
		signal(number, on_fault_raise);
	if (has(how, "jumps"))
		signal(number, on_fault_jump);
	if (sigsetjmp(before, 1) != 0)
		exit(7);
	if (has(how, "read"))
		moved = pread(second, memory, PART, 4096);
	else if (has(how, "over"))
		moved = pwrite(second, memory, PART, 4096);
	else
		moved = write(second, memory, PART);
	return moved < 0 ? 1 : 2;
}
