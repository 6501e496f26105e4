/*
 * The C side of CounterStripeTwinTest and LiveForkTest in Java; no test by itself. For the form of the cases see twin_case.h.
 *
 * twin_live stripes            reads cases of calls on a stripe, and prints the words of each stripe, without the flag and the pointer
 * twin_live work FILE HOW      works on FILE, to be run under the preload library, and ends as HOW says
 * twin_live sit                says that it is there, and waits for the end of its input
 *
 * A call on a stripe is a line with the key call, requested, delivered, and so on. Its value has the numbers: the operation, then
 * the rest.
 */
#include "../src/trace/trace_stripe.h"
#include "twin_case.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void apply(struct mio_trace_stripe *stripe, const char *call, const char *value)
{
	long long n[4] = {0};
	int write;

	sscanf(value, "%lld %lld %lld %lld", &n[0], &n[1], &n[2], &n[3]);
	write = n[0] == MIO_TRACE_WRITE || n[0] == MIO_TRACE_AWRITE;
	if (strcmp(call, "call") == 0)
		mio_trace_stripe_call(stripe, (enum mio_trace_operation)n[0], n[1]);
	else if (strcmp(call, "requested") == 0)
		mio_trace_stripe_requested(stripe, (enum mio_trace_operation)n[0], write, n[1]);
	else if (strcmp(call, "delivered") == 0)
		mio_trace_stripe_delivered(stripe, (enum mio_trace_operation)n[0], write, n[1],
					   (enum mio_trace_pattern)n[2], n[3]);
	else if (strcmp(call, "lasted") == 0)
		(write ? stripe->write_ns : stripe->read_ns)[mio_trace_bucket(n[1])]++;
	else if (strcmp(call, "suspended") == 0)
		stripe->rows[n[0]].suspends++, stripe->rows[n[0]].suspend_ns += n[1];
	else if (strcmp(call, "failed") == 0)
		stripe->rows[n[0]].errors++;
	else if (strcmp(call, "sought") == 0)
		stripe->seek_delta += n[0];
	else if (strcmp(call, "extended") == 0)
		stripe->extensions++;
	else if (strcmp(call, "illFormed") == 0)
		stripe->ill_formed++;
	else if (strcmp(call, "misaligned") == 0)
		stripe->misaligned++;
	else
		assert(0 && "no such call");
}

static void answer_stripe(const struct twin_case *all)
{
	struct mio_trace_stripe stripe = {0};
	const long long *words = (const long long *)(const void *)&stripe;

	mio_trace_stripe_init(&stripe);
	for (int i = 0; i < all->count; i++)
		apply(&stripe, all->line[i], all->value[i]);
	for (size_t i = 0; i < sizeof(stripe) / 8 - 1; i++)
		printf("%lld\n", words[i]);
}

static int sit(void)
{
	char one;

	printf("ready\n");
	fflush(stdout);
	return read(0, &one, 1) == 0 ? 0 : 1;
}

static int file;

static void *read_much(void *nothing)
{
	char bytes[100];

	for (int i = 0; i < 1000; i++)
		assert(pread(file, bytes, sizeof(bytes), i * 100) == sizeof(bytes));
	return nothing;
}

static void read_by_threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, read_much, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* Makes so many writes of 4096 bytes, 7 reads of 100, and one read that fails. */
static void do_work(const char *name, int writes)
{
	static char bytes[4096];
	/* volatile, so that the compiler does not find the mistake. */
	char *volatile nowhere = (char *)(uintptr_t)16;

	file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert(file >= 0);
	for (int i = 0; i < writes; i++)
		assert(write(file, bytes, sizeof(bytes)) == sizeof(bytes));
	for (int i = 0; i < 7; i++)
		assert(pread(file, bytes, 100, i * 1000) == 100);
	assert(pread(file, nowhere, 100, 0) == -1);
}

static void do_in_child(const char *name)
{
	char path[4096];
	pid_t child = fork();

	if (child == 0) {
		/* The child does not count reads by the parent's open. */
		char bytes[10];

		assert(pread(file, bytes, sizeof(bytes), 0) == sizeof(bytes));
		snprintf(path, sizeof(path), "%s.child", name);
		do_work(path, 3);
		raise(SIGKILL);
	}
	assert(waitpid(child, NULL, 0) == child);
}

static int work(char *self, const char *name, const char *how)
{
	char sits[] = "sit";
	char *const arguments[] = {self, sits, NULL};

	do_work(name, 100);
	if (strcmp(how, "sit") == 0)
		return sit();
	if (strcmp(how, "exec") == 0)
		execv("/proc/self/exe", arguments);
	if (strcmp(how, "fork") == 0)
		do_in_child(name);
	if (strcmp(how, "threads") == 0)
		read_by_threads();
	if (strcmp(how, "exec-fails") == 0) {
		char bytes[100];

		assert(execv("/nonexistent/program", arguments) == -1);
		assert(pread(file, bytes, sizeof(bytes), 0) == sizeof(bytes));
	}
	raise(SIGKILL);
	return 1;
}

int main(int count, char **arguments)
{
	if (count == 2 && strcmp(arguments[1], "stripes") == 0)
		twin_answer_all(answer_stripe);
	else if (count == 4 && strcmp(arguments[1], "work") == 0)
		return work(arguments[0], arguments[2], arguments[3]);
	else if (count == 2 && strcmp(arguments[1], "sit") == 0)
		return sit();
	else
		return 2;
	return 0;
}
