/*
 * Threads on several opens of two files that share a cache too small for them. Some threads own a part of a file and know its
 * bytes. Others read anywhere; they must see each cell, which is written by one call, entirely or not at all. Twin of
 * PfThreadsTest.
 */
#include "pf_fixture.h"
#include "pf_random.h"

#define CELL 1000
#define CELLS_OWNED 60
#define OWNERS 3
#define SIZE ((int64_t)CELL * CELLS_OWNED * OWNERS)

/* Past the owned cells the file grows and is cut. */
#define TAIL 30000

enum { OPENS = 2, FILES = 2, CALLS = 12000 };

struct shared_file {
	struct memory_file *below;
	uint64_t inode;
	struct mio_layer *opens[OPENS];
	struct mio_pf_file *file;
	int cio;
};

struct worker {
	void (*step)(struct worker *worker);
	struct shared_file *file;
	struct random random;
	int64_t calls;
	int64_t first_cell, cursor;
	unsigned char expected[CELLS_OWNED];
	pthread_t thread;
};

static int64_t below(struct worker *worker, int64_t most)
{
	return random_below(&worker->random, most);
}

static struct mio_layer *open_of(struct worker *worker)
{
	return worker->file->opens[below(worker, OPENS)];
}

static void reads(struct worker *worker, unsigned char *bytes, int64_t length, int64_t offset)
{
	struct mio_layer *layer = open_of(worker);

	mio_pf_file_share(worker->file->file);
	ASSERT_EQUAL(length, layer->ops->read(layer, bytes, (size_t)length, offset));
	mio_pf_file_unshare(worker->file->file);
}

static void writes(struct worker *worker, const unsigned char *bytes, int64_t length, int64_t offset)
{
	struct mio_layer *layer = open_of(worker);
	int shares = worker->file->cio && offset + length <= SIZE;

	if (shares)
		mio_pf_file_share(worker->file->file);
	else
		mio_pf_file_alone(worker->file->file);
	ASSERT_EQUAL(length, layer->ops->write(layer, bytes, (size_t)length, offset));
	if (shares)
		mio_pf_file_unshare(worker->file->file);
	else
		mio_pf_file_unalone(worker->file->file);
}

static void flushes(struct worker *worker)
{
	struct mio_layer *layer = open_of(worker);

	mio_pf_file_share(worker->file->file);
	ASSERT_EQUAL(0, layer->ops->flush(layer, 0));
	mio_pf_file_unshare(worker->file->file);
}

static void check(const struct worker *worker, const unsigned char *bytes, int64_t cell, int64_t count)
{
	for (int64_t i = 0; i < count * CELL; i++)
		ASSERT_EQUAL(worker->expected[cell + i / CELL], bytes[i]);
}

/* Bytes that were written before a flush or a close are in the file. */
static void check_below(struct worker *worker)
{
	struct memory_file *file = worker->file->below;

	pthread_mutex_lock(&file->lock);
	check(worker, file->bytes + worker->first_cell * CELL, 0, CELLS_OWNED);
	pthread_mutex_unlock(&file->lock);
}

/* Writes and reads cells that no one else writes. */
static void owns(struct worker *worker)
{
	int64_t count = 1 + below(worker, below(worker, 4) == 0 ? 12 : 2);
	int64_t what = below(worker, 100), turn = below(worker, 4);
	unsigned char bytes[12 * CELL];
	int64_t offset;

	if (turn == 0)
		worker->cursor = below(worker, CELLS_OWNED);
	else if (turn == 1)
		worker->cursor -= 2 * count;
	worker->cursor = mio_pf_max(0, mio_pf_min(worker->cursor, CELLS_OWNED - count));
	offset = (worker->first_cell + worker->cursor) * CELL;
	if (what < 50) {
		for (int64_t i = 0; i < count; i++) {
			worker->expected[worker->cursor + i] = (unsigned char)random_next(&worker->random);
			memset(bytes + i * CELL, worker->expected[worker->cursor + i], CELL);
		}
		writes(worker, bytes, count * CELL, offset);
	} else if (what < 98) {
		reads(worker, bytes, count * CELL, offset);
		check(worker, bytes, worker->cursor, count);
	} else {
		flushes(worker);
		check_below(worker);
	}
	worker->cursor += count;
}

/* Reads cells anywhere; all bytes of a cell must be of one write. */
static void looks(struct worker *worker)
{
	int64_t cells = CELLS_OWNED * OWNERS;
	unsigned char bytes[CELL];

	if (worker->file->cio) {
		/* With cio the program itself must keep overlapping requests apart. */
		flushes(worker);
		return;
	}
	worker->cursor = below(worker, 10) == 0 ? below(worker, cells) : (worker->cursor + 1) % cells;
	reads(worker, bytes, CELL, worker->cursor * CELL);
	for (int i = 1; i < CELL; i++)
		ASSERT_EQUAL(bytes[0], bytes[i]);
}

static void writes_and_reads_behind(struct worker *worker)
{
	int64_t length = 1 + below(worker, TAIL), offset = SIZE + below(worker, TAIL);
	unsigned char *bytes = malloc((size_t)length), *again = malloc((size_t)length);

	ASSERT(bytes && again);
	for (int64_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)random_next(&worker->random);
	writes(worker, bytes, length, offset);
	reads(worker, again, length, offset);
	ASSERT(memcmp(bytes, again, (size_t)length) == 0);
	free(bytes);
	free(again);
}

static void brackets(struct mio_layer *layer, enum mio_bypass kind)
{
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kind, 0, SIZE));
	layer->ops->bypass_end(layer, kind, 0, SIZE, 1);
}

/*
 * A page is forgotten while others copy out of it, and the same bytes are read into it again meanwhile. This does no harm, but a
 * sanitizer has to call it a race.
 */
#ifdef __SANITIZE_THREAD__
enum { FORGETS = 0 };
#else
enum { FORGETS = 1 };
#endif

/* Extends and cuts the file, opens and closes it, and makes calls that go past the gate. */
static void changes_tail(struct worker *worker)
{
	struct mio_layer *layer = open_of(worker);
	int64_t size;

	switch (below(worker, 14)) {
	case 0:
		mio_pf_file_alone(worker->file->file);
		ASSERT_EQUAL(0, layer->ops->truncate(layer, SIZE + below(worker, TAIL)));
		mio_pf_file_unalone(worker->file->file);
		break;
	case 1:
		ASSERT_EQUAL(0, mio_pf_publish_all(TEST_DEVICE));
		break;
	case 2:
		brackets(layer, FORGETS ? MIO_BYPASS_LOCK : MIO_BYPASS_UNLOCK);
		break;
	case 3:
		brackets(layer, MIO_BYPASS_TRANSFER_OUT);
		break;
	case 4:
		if (FORGETS)
			ASSERT_EQUAL(0, mio_pf_file_forget(worker->file->file));
		break;
	case 5:
		ASSERT(pf_counters(layer).program.reads >= 0);
		break;
	default:
		writes_and_reads_behind(worker);
	}
	size = layer->ops->size(layer);
	ASSERT(size >= SIZE && size <= SIZE + 2 * TAIL);
}

/* The options of a third open that comes and goes. */
static const char *options_now;

static void comes_and_goes(struct worker *worker)
{
	struct mio_layer *layer = pf_open(options_now, worker->file->below, worker->file->inode);
	unsigned char bytes[CELL];

	for (int i = 0; i < 5 && !worker->file->cio; i++) {
		mio_pf_file_share(worker->file->file);
		ASSERT_EQUAL(CELL, layer->ops->read(layer, bytes, CELL, below(worker, CELLS_OWNED * OWNERS) * CELL));
		mio_pf_file_unshare(worker->file->file);
	}
	ASSERT_EQUAL(0, pf_close(layer));
}

static void *works(void *context)
{
	struct worker *worker = context;

	for (int64_t i = 0; i < worker->calls; i++)
		worker->step(worker);
	return NULL;
}

static void open_files(struct shared_file *files, struct pool *pool, const char *options, int cio)
{
	for (int i = 0; i < FILES; i++) {
		struct shared_file *file = &files[i];

		file->below = memory_file_make(pool, 0, SIZE);
		file->inode = new_inode();
		file->cio = cio;
		for (int j = 0; j < OPENS; j++)
			file->opens[j] = pf_open(options, file->below, file->inode);
		file->file = pf_file(file->opens[0]);
	}
}

static void close_files(struct shared_file *files)
{
	for (int i = 0; i < FILES; i++) {
		for (int j = 0; j < OPENS; j++)
			ASSERT_EQUAL(0, pf_close(files[i].opens[j]));
	}
}

enum { PER_FILE = OWNERS + 3 };

static void shows_each_thread_what_was_written(const char *options, int cio)
{
	struct worker *workers = calloc(FILES * PER_FILE, sizeof(*workers));
	struct shared_file files[FILES];
	struct pool pool;

	ASSERT(workers);
	random_what = options;
	options_now = options;
	pool_begin(&pool, 3);
	open_files(files, &pool, options, cio);
	for (int i = 0; i < FILES * PER_FILE; i++) {
		static void (*const steps[PER_FILE])(struct worker *worker) = {owns, owns, owns, looks, changes_tail,
									       comes_and_goes};
		struct worker *worker = &workers[i];

		worker->file = &files[i / PER_FILE];
		worker->step = steps[i % PER_FILE];
		worker->first_cell = i % PER_FILE * CELLS_OWNED;
		worker->random = random_of(random_seed + (uint64_t)i);
		worker->calls = random_calls(CALLS) / (FILES * PER_FILE);
	}
	for (int i = 0; i < FILES * PER_FILE; i++)
		ASSERT_EQUAL(0, pthread_create(&workers[i].thread, NULL, works, &workers[i]));
	for (int i = 0; i < FILES * PER_FILE; i++)
		pthread_join(workers[i].thread, NULL);
	close_files(files);
	for (int i = 0; i < FILES * PER_FILE; i++) {
		if (workers[i].step == owns)
			check_below(&workers[i]);
	}
	pool_end(&pool);
	for (int i = 0; i < FILES; i++)
		memory_file_free(files[i].below);
	free(workers);
}

static void should_show_each_thread_what_was_written(void)
{
	shows_each_thread_what_was_written("cache=8k/page=4k/global=81", 0);
	shows_each_thread_what_was_written("cache=16k/page=4k/global=81", 0);
	shows_each_thread_what_was_written("cache=16k/page=8k/global=81", 0);
	shows_each_thread_what_was_written("cache=16k/page=16k/global=81", 0);
	shows_each_thread_what_was_written("cache=64k/page=4k/global=81/replace=lru/pref=4", 0);
	shows_each_thread_what_was_written("cache=64k/page=16k/global=81/pffw/listio", 0);
	shows_each_thread_what_was_written("cache=64k/page=16k/global=81/synchronous", 0);
	shows_each_thread_what_was_written("cache=64k/page=16k/global=81/through", 0);
}

static void should_show_each_thread_what_it_wrote_where_writes_share(void)
{
	shows_each_thread_what_was_written("cache=8k/page=4k/global=81", 1);
	shows_each_thread_what_was_written("cache=16k/page=8k/global=81", 1);
	shows_each_thread_what_was_written("cache=64k/page=4k/global=81", 1);
}

static struct mio_layer *counted_layer;

static void *reads_often(void *context)
{
	char bytes[100];

	for (int64_t i = 0; i < 20000; i++)
		ASSERT_EQUAL(100, counted_layer->ops->read(counted_layer, bytes, 100, (i + (intptr_t)context) % 30 * 100));
	return NULL;
}

static void should_count_every_request_of_every_thread(void)
{
	struct memory_file *file = memory_file_make(NULL, 0, 4096);
	pthread_t threads[4];

	counted_layer = pf_open("cache=64k/page=4k/private", file, new_inode());
	for (intptr_t i = 0; i < 4; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, reads_often, (void *)i));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(80000, pf_counters(counted_layer).program.reads);
	ASSERT_EQUAL(8000000, pf_counters(counted_layer).program.bytes_read);
	ASSERT_EQUAL(1, pf_counters(counted_layer).child.reads);
	ASSERT_EQUAL(0, pf_close(counted_layer));
	memory_file_free(file);
}

static void *names_often(void *file)
{
	for (int i = 0; i < 200000; i++) {
		struct mio_text text = {0};

		mio_pf_file_add_name(file, &text);
		mio_text_clear(&text);
	}
	return NULL;
}

/* Each of these threads holds the open for a moment at a time. A close waits until no thread holds it. */
static void should_hold_an_open_for_no_name_any_more_when_all_are_told(void)
{
	struct memory_file *file = memory_file_make(NULL, 0, 4096);
	struct mio_layer *layer = pf_open("cache=64k/page=4k/private", file, new_inode());
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, names_often, pf_file(layer)));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(0, ((struct mio_pf_open *)layer)->held);
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_free(file);
}

int main(void)
{
	random_begin();
	alarm(580);
	RUN(should_show_each_thread_what_was_written);
	RUN(should_show_each_thread_what_it_wrote_where_writes_share);
	RUN(should_count_every_request_of_every_thread);
	RUN(should_hold_an_open_for_no_name_any_more_when_all_are_told);
	random_passed = 1;
	return TEST_RESULT();
}
