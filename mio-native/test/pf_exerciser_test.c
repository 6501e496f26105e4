/* Random calls on several opens of one file, each compared with a plain array of bytes, also with faults below. Twin of PfExerciserTest. */
#include "pf_fixture.h"
#include "pf_random.h"
#include "plan_events.h"

#define SIZE_MAX_BYTES 200000
#define OPENS_MAX 3
#define VECTOR_MAX 4

struct run {
	const char *options;
	struct random random;
	struct memory_file *below;
	uint64_t inode;
	int planned;
	struct mio_layer *opens[OPENS_MAX];
	int open_count;
	struct mio_pf_file *file;
	struct mio_layer *attached;
	_Atomic int faulty;
	int64_t reads, writes, errors;
	unsigned char expected[SIZE_MAX_BYTES * 2];
	int64_t size, cursor;
};

static struct plan_events plan;

/* A plan whose reads are near those of the runs now and then, and anywhere most of the time. */
static void make_plan(void)
{
	struct random random = random_of(random_seed);
	int64_t at = 0;

	plan_events_begin(&plan, 1);
	for (int i = 0; i < 20000; i++) {
		at += random_below(&random, 20000);
		if (at > 2 * SIZE_MAX_BYTES || random_below(&random, 10) == 0)
			at = random_below(&random, SIZE_MAX_BYTES);
		plan_events_read(&plan, 1 + (uint32_t)random_below(&random, 3), at, 1 + random_below(&random, 30000));
	}
	plan_events_end(&plan);
}

static int64_t below(struct run *run, int64_t most)
{
	return random_below(&run->random, most);
}

/* Runs under the lock of the file below. Has a random sequence of its own, because threads of the pool call it. */
static int64_t fails_sometimes(struct memory_file *file, int write, int64_t offset, int64_t length)
{
	static struct random random = {12345};
	int64_t what = random_below(&random, 100);

	(void)offset;
	if (!((struct run *)file->context)->faulty || length == 0)
		return 0;
	if (what < 3)
		return write ? -ENOSPC : -EIO;
	return what < 6 ? 1 + random_below(&random, length) : 0;
}

static void open_one(struct run *run)
{
	struct mio_text words = {0};

	run->opens[run->open_count] = pf_open(run->options, run->below, run->inode);
	if (run->planned) {
		mio_pf_layer_follow(run->opens[run->open_count], plan.path, &words);
		ASSERT(words.length == 0 || strncmp(mio_text_string(&words), "goes by", 7) == 0 ||
		       strstr(mio_text_string(&words), "another file"));
		mio_text_clear(&words);
	}
	run->open_count++;
}

/* Ends the faults and waits until the requests of the pool are complete. Returns whether there were faults. */
static int ends_faults(struct run *run)
{
	int was_faulty = run->faulty;

	run->faulty = 0;
	if (was_faulty && run->below->pool)
		pool_settle(run->below->pool);
	return was_faulty;
}

/* With faults, a close may report a failed write that nothing has reported before. No bytes are lost, because the write was made again. */
static void close_one(struct run *run, int index)
{
	int was_faulty = ends_faults(run);
	int rc;

	for (int i = 0; i < run->open_count && was_faulty; i++)
		ASSERT_EQUAL(0, run->opens[i]->ops->publish(run->opens[i]));
	rc = pf_close(run->opens[index]);
	ASSERT(rc == 0 || (was_faulty && (rc == -ENOSPC || rc == -EIO)));
	run->opens[index] = run->opens[--run->open_count];
	run->faulty = was_faulty;
}

static void agrees_below(struct run *run)
{
	pthread_mutex_lock(&run->below->lock);
	ASSERT_EQUAL(run->size, run->below->size);
	ASSERT(memcmp(run->expected, run->below->bytes, (size_t)run->size) == 0);
	pthread_mutex_unlock(&run->below->lock);
}

/* Makes streams in both directions, strides and random jumps. */
static int64_t place(struct run *run, int64_t length)
{
	int64_t offset;

	switch (below(run, 8)) {
	case 0:
	case 1:
	case 2:
		break;
	case 3:
	case 4:
		run->cursor -= 2 * length;
		break;
	case 5:
		run->cursor += 3 * length;
		break;
	default:
		run->cursor = below(run, run->size + 5000);
	}
	run->cursor = mio_pf_max(0, mio_pf_min(run->cursor, SIZE_MAX_BYTES));
	offset = run->cursor;
	run->cursor += length;
	return offset;
}

static int64_t length_of(struct run *run)
{
	switch (below(run, 4)) {
	case 0:
		return 1 + below(run, 200);
	case 1:
		return 512 * (1 + below(run, 16));
	case 2:
		return 1 + below(run, 9000);
	default:
		return 1 + below(run, 50000);
	}
}

/* Splits the bytes into up to VECTOR_MAX parts, some of them empty. */
static int split(struct run *run, struct iovec *vector, unsigned char *bytes, int64_t length)
{
	int count = 1 + (int)below(run, VECTOR_MAX);
	int64_t done = 0;

	for (int i = 0; i < count; i++) {
		int64_t part = i == count - 1 ? length - done : below(run, length - done + 1);

		vector[i] = (struct iovec){bytes + done, (size_t)part};
		done += part;
	}
	return count;
}

static int is_fault(struct run *run, int64_t rc)
{
	int fault = run->faulty && (rc == -EIO || rc == -ENOSPC);

	run->errors += fault;
	return fault;
}

static void does_read(struct run *run, struct mio_layer *layer)
{
	int64_t length = length_of(run), offset = place(run, length);
	int64_t wanted = offset >= run->size ? 0 : mio_pf_min(length, run->size - offset);
	unsigned char *bytes = malloc((size_t)length);
	struct iovec vector[VECTOR_MAX];
	int64_t got;

	ASSERT(bytes);
	if (below(run, 3) == 0)
		got = layer->ops->readv(layer, vector, split(run, vector, bytes, length), offset);
	else
		got = layer->ops->read(layer, bytes, (size_t)length, offset);
	run->reads++;
	if (!is_fault(run, got)) {
		/* With faults a read may end before a page that cannot be read. */
		if (!run->faulty || got > wanted || (got == 0 && wanted > 0))
			ASSERT_EQUAL(wanted, got);
		ASSERT(memcmp(bytes, run->expected + offset, (size_t)got) == 0);
	}
	free(bytes);
}

static void does_write(struct run *run, struct mio_layer *layer)
{
	int64_t length = length_of(run), offset = place(run, length);
	unsigned char *bytes = malloc((size_t)length);
	struct iovec vector[VECTOR_MAX];
	int64_t got;

	ASSERT(bytes);
	for (int64_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)random_next(&run->random);
	if (below(run, 3) == 0)
		got = layer->ops->writev(layer, vector, split(run, vector, bytes, length), offset);
	else
		got = layer->ops->write(layer, bytes, (size_t)length, offset);
	run->writes++;
	if (!is_fault(run, got)) {
		if (!run->faulty)
			ASSERT_EQUAL(length, got);
		ASSERT(got > 0 && got <= length);
		memcpy(run->expected + offset, bytes, (size_t)got);
		run->size = mio_pf_max(run->size, offset + got);
	}
	free(bytes);
}

static void does_truncate(struct run *run, struct mio_layer *layer)
{
	int64_t to = below(run, run->size + 1000);
	int rc = layer->ops->truncate(layer, to);

	if (is_fault(run, rc))
		return;
	ASSERT_EQUAL(0, rc);
	if (to < run->size)
		memset(run->expected + to, 0, (size_t)(run->size - to));
	run->size = to;
}

static void does_flush(struct run *run, struct mio_layer *layer)
{
	int rc = below(run, 2) == 0 ? layer->ops->flush(layer, 0) : layer->ops->publish(layer);

	if (is_fault(run, rc))
		return;
	ASSERT_EQUAL(0, rc);
	agrees_below(run);
}

/* Changes or extends the file below: as another process does before this one gets a lock, or as a transfer into the file does. */
static void others_write(struct run *run, struct mio_layer *layer)
{
	int64_t length = 1 + below(run, 3000), offset = below(run, run->size + 1);
	enum mio_bypass kind = below(run, 2) == 0 ? MIO_BYPASS_LOCK : MIO_BYPASS_TRANSFER_IN;
	unsigned char bytes[3000];
	int was_faulty;

	if (offset > SIZE_MAX_BYTES)
		return;
	was_faulty = ends_faults(run);
	ASSERT_EQUAL(0, mio_pf_file_publish(run->file));
	ASSERT_EQUAL(0, layer->ops->bypass_begin(layer, kind, offset, length));
	memset(bytes, (int)below(run, 256), sizeof(bytes));
	ASSERT_EQUAL(length, memory_file_do_write(run->below, bytes, length, offset));
	layer->ops->bypass_end(layer, kind, offset, length, 1);
	memcpy(run->expected + offset, bytes, (size_t)length);
	run->size = mio_pf_max(run->size, offset + length);
	run->faulty = was_faulty;
}

static void others_lengthen(struct run *run, struct mio_layer *layer)
{
	int64_t length = 1 + below(run, 3000);
	unsigned char bytes[3000];

	if (run->size > SIZE_MAX_BYTES || layer->ops->publish(layer) < 0)
		return;
	memset(bytes, (int)below(run, 256), sizeof(bytes));
	pthread_mutex_lock(&run->below->lock);
	memory_file_grow(run->below, run->size + length);
	memcpy(run->below->bytes + run->size, bytes, (size_t)length);
	run->below->size = run->size + length;
	pthread_mutex_unlock(&run->below->lock);
	memcpy(run->expected + run->size, bytes, (size_t)length);
	run->size += length;
	ASSERT_EQUAL(run->size, layer->ops->size(layer));
}

static void closes_all(struct run *run)
{
	while (run->open_count > 0)
		close_one(run, 0);
	agrees_below(run);
	if (below(run, 2) == 0)
		does_write(run, run->attached);
	open_one(run);
}

static void does_one(struct run *run)
{
	struct mio_layer *layer = run->opens[below(run, run->open_count)];
	int64_t what = below(run, 1000);

	if (what < 480) {
		does_read(run, layer);
	} else if (what < 900) {
		does_write(run, layer);
	} else if (what < 915) {
		does_read(run, run->attached);
	} else if (what < 930) {
		does_write(run, run->attached);
	} else if (what < 945) {
		does_truncate(run, layer);
	} else if (what < 950) {
		does_truncate(run, run->attached);
	} else if (what < 960) {
		does_flush(run, layer);
	} else if (what < 965) {
		others_write(run, layer);
	} else if (what < 970) {
		others_lengthen(run, layer);
	} else if (what < 975) {
		ASSERT_EQUAL(run->size, layer->ops->size(layer));
	} else if (what < 980) {
		int rc = mio_pf_file_forget(run->file);

		ASSERT(rc == 0 || is_fault(run, rc));
	} else if (what < 986 && run->open_count < OPENS_MAX) {
		open_one(run);
	} else if (what < 992 && run->open_count > 1) {
		close_one(run, (int)below(run, run->open_count));
	} else if (what >= (run->faulty ? 985 : 997)) {
		closes_all(run);
	}
}

static void agrees_with_a_plain_array(const char *options, struct pool *pool, int faulty, int64_t calls)
{
	static int runs;
	struct run *run = calloc(1, sizeof(*run));

	ASSERT(run);
	random_what = options;
	run->options = options;
	run->random = random_of(random_seed);
	run->below = memory_file_make(pool, 0, 0);
	run->below->logs = 0;
	run->below->context = run;
	run->below->fault = fails_sometimes;
	run->faulty = faulty;
	run->planned = runs++ % 2;
	run->inode = new_inode();
	run->file = mio_pf_file_enter(TEST_DEVICE, run->inode);
	run->attached = mio_pf_attached_make(&run->below->layer, run->file);
	open_one(run);
	for (int64_t i = 0; i < calls; i++)
		does_one(run);
	while (run->open_count > 0)
		close_one(run, run->open_count - 1);
	agrees_below(run);
	ASSERT(calls < 1000 || (run->reads > calls / 4 && run->writes > calls / 4));
	ASSERT(!faulty || calls < 1000 || run->errors > 0);
	run->attached->ops->release(run->attached);
	mio_pf_file_leave(run->file);
	ASSERT(!mio_pf_file_any());
	memory_file_free(run->below);
	free(run);
}

static const char *const options_tried[] = {
	"cache=8k/page=4k/private",
	"cache=8k/page=4k/private/replace=lru/through",
	"cache=4k/page=4k/private/replace=lru",
	"cache=16k/page=8k/private",
	"cache=16k/page=16k/private",
	"cache=64k/page=4k/private",
	"cache=64k/page=4k/private/replace=lru/pref=4",
	"cache=48k/page=16k/private/pref=1:8",
	"cache=256k/page=64k/private/listio/pffw",
	"cache=64k/page=16k/private/synchronous",
	"cache=64k/page=16k/private/through",
	"cache=64k/page=16k/private/discovered_direct=5000",
	"cache=64k/page=16k/private/passthru={5000:30000}",
	"cache=64k/page=16k/private/stride=2/pref=3",
	"cache=64k/page=16k/private/streams=1",
};

enum { TRIED = sizeof(options_tried) / sizeof(options_tried[0]), CALLS = 10000 };

static void should_agree_with_a_plain_array(void)
{
	for (int i = 0; i < TRIED; i++)
		agrees_with_a_plain_array(options_tried[i], NULL, 0, random_calls(CALLS));
}

static void should_agree_with_a_plain_array_where_requests_complete_on_other_threads(void)
{
	struct pool pool;

	pool_begin(&pool, 3);
	for (int i = 0; i < TRIED; i++)
		agrees_with_a_plain_array(options_tried[i], &pool, 0, random_calls(CALLS / 2));
	pool_end(&pool);
}

static void should_lose_nothing_where_requests_fail(void)
{
	struct pool pool;

	pool_begin(&pool, 2);
	for (int i = 0; i < TRIED; i++) {
		agrees_with_a_plain_array(options_tried[i], NULL, 1, random_calls(CALLS / 2));
		agrees_with_a_plain_array(options_tried[i], &pool, 1, random_calls(CALLS / 4));
	}
	pool_end(&pool);
}

int main(void)
{
	random_begin();
	alarm(580);
	make_plan();
	RUN(should_agree_with_a_plain_array);
	RUN(should_agree_with_a_plain_array_where_requests_complete_on_other_threads);
	RUN(should_lose_nothing_where_requests_fail);
	random_passed = 1;
	unlink(plan.path);
	return TEST_RESULT();
}
