/* The copy that returns after a fault: of every length, from and to every place in a cache line, and up to memory that must not be used. */
#include "../src/layer/layer_copy.h"
#include "assert.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 65536, MOST = 20000, ROOM = 64 };

static unsigned char from[MOST + 2 * ROOM], to[MOST + 2 * ROOM];
static volatile sig_atomic_t faults;

#if MIO_LAYER_COPY_LANDS && defined(__x86_64__)
extern int mio_layer_copy_has_avx;
extern int64_t mio_layer_copy_string_from;
#endif

static void fill(unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)((i * 2654435761u >> 13) | 1);
}

static int is(const unsigned char *bytes, int value, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] != value)
			return 0;
	return 1;
}

/* 1 if exactly that many bytes are copied, and none next to them. */
static int copies(size_t in_from, size_t in_to, size_t length)
{
	memset(to, 0, sizeof(to));
	return mio_layer_copy_bytes(to + ROOM + in_to, from + in_from, length) == 0 &&
	       memcmp(to + ROOM + in_to, from + in_from, length) == 0 && is(to, 0, ROOM + in_to) &&
	       is(to + ROOM + in_to + length, 0, ROOM - in_to);
}

static size_t after(size_t length)
{
	return length < 1100 ? length + 1 : length + length / 3;
}

static void copy_each_length(void)
{
	fill(from, sizeof(from));
	for (size_t length = 0; length <= MOST; length = after(length))
		for (size_t place = 0; place < ROOM; place += length < 600 ? 7 : 21) {
			ASSERT(copies(place, 0, length));
			ASSERT(copies(0, place, length));
			ASSERT(copies(place, ROOM - 1 - place, length));
		}
}

static void should_copy_each_length_from_and_to_each_place(void)
{
	copy_each_length();
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)info;
	faults++;
	if (!mio_layer_copy_may_land(context))
		_exit(number);
	mio_layer_copy_land(context);
}

/* Maps memory that is followed by memory that must not be used. Returns the address where that begins. */
static unsigned char *up_to_nothing(void)
{
	unsigned char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT(memory != MAP_FAILED);
	ASSERT_EQUAL(0, mprotect(memory + PAGE, PAGE, PROT_NONE));
	return memory + PAGE;
}

/* The copy of length bytes, of which only some are there, must fail. It may have moved the first of those that are there. */
static void come_back(unsigned char *end, size_t there, size_t length)
{
	size_t moved = 0;
	int before = faults;

	mio_open_call.faulted = 0;
	memset(to, 0, sizeof(to));
	fill(end - there, there);
	ASSERT(mio_layer_try_copy(to, end - there, length) != 0);
	ASSERT_EQUAL(before + 1, faults);
	ASSERT_EQUAL(1, mio_open_call.faulted);
	while (moved < length && to[moved])
		moved++;
	ASSERT(moved <= there && memcmp(to, end - there, moved) == 0 && is(to + moved, 0, length - moved));
	memset(end - there, 0, there);
	ASSERT(mio_layer_try_copy(end - there, from, length) != 0);
	moved = 0;
	while (moved < there && (end - there)[moved])
		moved++;
	ASSERT(memcmp(end - there, from, moved) == 0 && is(end - there + moved, 0, there - moved));
}

static void come_back_from_each_length(void)
{
	unsigned char *end = up_to_nothing();
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, before;

	fill(from, sizeof(from));
	sigaction(SIGSEGV, &action, &before);
	for (size_t length = 1; length <= MOST; length = after(length))
		for (size_t there = 0; there < length; there += there / 2 + 1) {
			come_back(end, there, length);
			come_back(end, length - 1 - there, length);
		}
	sigaction(SIGSEGV, &before, NULL);
	munmap(end - PAGE, 2 * PAGE);
	mio_open_call.faulted = 0;
}

static void should_come_back_from_a_fault_with_a_beginning(void)
{
	if (!MIO_LAYER_COPY_LANDS)
		SKIP("a copy that faults ends the program on this machine");
	come_back_from_each_length();
}

/* The same by the methods for other machines. */
static void should_do_the_same_with_less(void)
{
#if MIO_LAYER_COPY_LANDS && defined(__x86_64__)
	int has_avx = mio_layer_copy_has_avx;
	int64_t string_from = mio_layer_copy_string_from;

	for (int avx = 0; avx <= has_avx; avx++) {
		mio_layer_copy_has_avx = avx;
		mio_layer_copy_string_from = INT64_MAX;
		copy_each_length();
		come_back_from_each_length();
	}
	mio_layer_copy_string_from = 256;
	copy_each_length();
	come_back_from_each_length();
	mio_layer_copy_has_avx = has_avx;
	mio_layer_copy_string_from = string_from;
#else
	SKIP("this machine has one method");
#endif
}

/* A caller that does not check how a copy ended must not get one that ends early. */
static void should_not_end_a_copy_that_nobody_looks_at(void)
{
	ucontext_t context = {0};

	mio_open_call.copies_into = NULL;
	atomic_store(&mio_open_call.copies, MIO_LAYER_COPIES);
	ASSERT_EQUAL(0, mio_layer_copy_may_land(&context));
	atomic_store(&mio_open_call.copies, MIO_LAYER_COPY_TRIES);
	ASSERT_EQUAL(0, mio_layer_copy_may_land(&context));
#if MIO_LAYER_COPY_LANDS && defined(__x86_64__)
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)mio_layer_copy_bytes;
	ASSERT_EQUAL(1, mio_layer_copy_may_land(&context));
	atomic_store(&mio_open_call.copies, MIO_LAYER_COPIES);
	ASSERT_EQUAL(0, mio_layer_copy_may_land(&context));
#endif
	atomic_store(&mio_open_call.copies, 0);
}

int main(void)
{
	RUN(should_copy_each_length_from_and_to_each_place);
	RUN(should_come_back_from_a_fault_with_a_beginning);
	RUN(should_do_the_same_with_less);
	RUN(should_not_end_a_copy_that_nobody_looks_at);
	return TEST_RESULT();
}
