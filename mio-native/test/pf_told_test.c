/* Who is told of a page that could not be written: opens without a cache are, like all others. Twin of PfToldTest. */
#include "pf_fixture.h"

#include "../src/pf/pf_told.h"

#define PAGE 4096
#define PAGES 64
#define OPTIONS "cache=64k/page=4k/private/pref=2"

static struct memory_file *below;
static struct mio_pf_file *file;
static struct mio_layer *plain;
static uint64_t inode;

static void begin(void)
{
	below = memory_file_make(NULL, 'o', PAGES * PAGE);
	inode = new_inode();
	file = mio_pf_file_enter(TEST_DEVICE, inode);
	plain = mio_pf_attached_make(&below->layer, file);
}

static void end(void)
{
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	memory_file_free(below);
}

/* Fills a page, which is then written behind the program's back and fails. */
static void fails_behind(struct mio_layer *writer)
{
	below->fail_writes = ENOSPC;
	WRITES(writer, 'n', 0, PAGE);
	below->fail_writes = 0;
}

static int vector_of(struct mio_layer *layer)
{
	char bytes[20] = "";
	struct iovec vector[2] = {{bytes, 10}, {bytes, 10}};

	return (int)layer->ops->writev(layer, vector, 2, 20 * PAGE);
}

static int submits(struct mio_layer *layer)
{
	char bytes[10] = "";
	struct mio_io io;

	mio_io_init(&io, 1, bytes, sizeof(bytes), 20 * PAGE, NULL, NULL);
	ASSERT_EQUAL(0, layer->ops->submit(layer, &io));
	mio_io_wait(&io);
	return (int)io.result;
}

static int calls(const char *what, struct mio_layer *layer)
{
	if (strcmp(what, "write") == 0)
		return (int)pf_write(layer, 'x', 20 * PAGE, 10);
	if (strcmp(what, "vector") == 0)
		return vector_of(layer);
	if (strcmp(what, "submit") == 0)
		return submits(layer);
	if (strcmp(what, "flush") == 0)
		return layer->ops->flush(layer, 0);
	if (strcmp(what, "truncate") == 0)
		return layer->ops->truncate(layer, 50 * PAGE);
	return layer->ops->close(layer);
}

static void tells_once(const char *next)
{
	struct mio_layer *writer;

	begin();
	writer = pf_open(OPTIONS, below, inode);
	fails_behind(writer);
	ASSERT_EQUAL(-ENOSPC, calls(next, plain));
	ASSERT(calls(next, plain) >= 0);
	ASSERT_EQUAL(0, calls("close", plain));
	ASSERT_EQUAL(-ENOSPC, pf_close(writer));
	ASSERT(holds(below, 'n', 0, PAGE));
	end();
}

static void should_tell_an_open_without_a_cache_once_of_a_write_that_failed_behind_its_back(void)
{
	tells_once("write");
	tells_once("vector");
	tells_once("submit");
	tells_once("flush");
	tells_once("truncate");
	tells_once("close");
}

static void should_not_tell_twice_what_its_own_call_has_failed_with(void)
{
	struct mio_layer *writer;

	begin();
	writer = pf_open(OPTIONS, below, inode);
	WRITES(writer, 'n', 0, 100);
	below->fail_writes = ENOSPC;
	ASSERT_EQUAL(-ENOSPC, calls("flush", plain));
	ASSERT_EQUAL(-ENOSPC, calls("write", plain));
	below->fail_writes = 0;
	ASSERT_EQUAL(10, calls("write", plain));
	ASSERT_EQUAL(0, calls("close", plain));
	ASSERT_EQUAL(-ENOSPC, pf_close(writer));
	end();
}

static void should_tell_nothing_of_what_failed_before_it_was_opened(void)
{
	struct mio_layer *writer, *later;

	begin();
	writer = pf_open(OPTIONS, below, inode);
	fails_behind(writer);
	later = mio_pf_attached_make(&below->layer, file);
	ASSERT_EQUAL(10, calls("write", later));
	ASSERT_EQUAL(0, calls("close", later));
	later->ops->release(later);
	ASSERT_EQUAL(-ENOSPC, pf_close(writer));
	end();
}

static void should_still_tell_when_the_file_has_got_its_pages_anew(void)
{
	const char *next[] = {"write", "submit", "flush"};

	for (int i = 0; i < 3; i++) {
		struct mio_layer *writer;

		begin();
		writer = pf_open(OPTIONS, below, inode);
		below->fail_writes = ENOSPC;
		WRITES(writer, 'n', 0, PAGE);
		ASSERT_EQUAL(-ENOSPC, pf_close(writer));
		below->fail_writes = 0;
		writer = i > 0 ? NULL : pf_open(OPTIONS, below, inode);
		ASSERT_EQUAL(-ENOSPC, calls(next[i], plain));
		ASSERT(calls(next[i], plain) >= 0);
		if (writer)
			ASSERT_EQUAL(0, pf_close(writer));
		end();
	}
}

/* As in pf/auto, an open takes pages later on, and goes on without them. */
static void should_tell_an_open_with_pages_on_the_way_as_one(void)
{
	struct mio_layer *writer, *pages;

	begin();
	writer = pf_open(OPTIONS, below, inode);
	pages = pf_open_as("cache=64k/page=4k/private/through", &below->layer, pf_request(inode, O_RDWR, 512));
	mio_pf_layer_tell_for(pages, mio_pf_attached_told(plain));
	below->fail_writes = ENOSPC;
	WRITES(writer, 'n', 0, PAGE);
	ASSERT_EQUAL(-ENOSPC, calls("flush", pages));
	/* The write fails again. The open is not told of this failure while it has pages. */
	ASSERT_EQUAL(-ENOSPC, calls("flush", writer));
	below->fail_writes = 0;
	ASSERT_EQUAL(0, pf_close(pages));
	ASSERT_EQUAL(-ENOSPC, calls("write", plain));
	ASSERT_EQUAL(10, calls("write", plain));
	ASSERT_EQUAL(0, calls("close", plain));
	ASSERT_EQUAL(0, pf_close(writer));
	end();
}

static void should_not_tell_again_what_was_told_while_there_were_pages(void)
{
	struct mio_layer *writer, *pages;

	begin();
	writer = pf_open(OPTIONS, below, inode);
	pages = pf_open_as("cache=64k/page=4k/private/through", &below->layer, pf_request(inode, O_RDWR, 512));
	mio_pf_layer_tell_for(pages, mio_pf_attached_told(plain));
	fails_behind(writer);
	ASSERT_EQUAL(-ENOSPC, calls("write", pages));
	ASSERT_EQUAL(0, pf_close(pages));
	ASSERT_EQUAL(0, calls("flush", plain));
	ASSERT_EQUAL(0, calls("close", plain));
	ASSERT_EQUAL(-ENOSPC, pf_close(writer));
	end();
}

int main(void)
{
	RUN(should_tell_an_open_without_a_cache_once_of_a_write_that_failed_behind_its_back);
	RUN(should_not_tell_twice_what_its_own_call_has_failed_with);
	RUN(should_tell_nothing_of_what_failed_before_it_was_opened);
	RUN(should_still_tell_when_the_file_has_got_its_pages_anew);
	RUN(should_tell_an_open_with_pages_on_the_way_as_one);
	RUN(should_not_tell_again_what_was_told_while_there_were_pages);
	return TEST_RESULT();
}
