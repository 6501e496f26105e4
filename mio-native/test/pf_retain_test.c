/* Which pages of a file stay from close to open, and what happens to a scratch file. Twin of PfRetainTest. */
#include "pf_coherence.h"
#include "place.h"

#include <sys/stat.h>

/* ---- from close to open */

static char path[512];

/* A file with a name, so that its change time is known. Pages are kept once the file is old: test_until_old. */
static struct mio_open_request made(void)
{
	const char *directory = getenv("MIO_TEST_DIR");
	struct mio_open_request request = pf_request(0, O_RDWR, 512);
	struct stat found;
	int fd;

	snprintf(path, sizeof(path), "%s/pf_retain_XXXXXX", directory ? directory : "/tmp");
	fd = mkstemp(path);
	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, fstat(fd, &found));
	close(fd);
	request.name = path;
	request.device = found.st_dev;
	request.inode = found.st_ino;
	return request;
}

static struct mio_open_request named(void)
{
	struct mio_open_request request = made();

	test_until_old(path);
	return request;
}

static void give_up(const char *global)
{
	struct memory_file *empty = memory_file_make(NULL, 0, 0);

	ASSERT_EQUAL(0, pf_close(pf_open(global, empty, new_inode())));
	memory_file_free(empty);
	ASSERT_EQUAL(frames_taken, frames_given);
	ASSERT_EQUAL(64 << 10, frames_taken);
}

static void should_find_its_pages_again_if_nobody_changed_the_file(void)
{
	const char *options = "cache=64k/page=4k/global=91/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 10 * PAGE, PAGE);
	WRITES(layer, 'n', 10 * PAGE, 100);
	ASSERT_EQUAL(0, pf_close(layer));
	memory_file_calls(below);
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'n', 10 * PAGE, 100);
	READS(layer, 'o', 10 * PAGE + 100, PAGE - 100);
	ASSERT_TEXT("", memory_file_calls(below));
	ASSERT_EQUAL(1, pf_counters(layer).retained_pages);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=91");
	unlink(path);
	end();
}

/* Each file keeps one page, so a cache remembers as many closed files as it has frames. */
static void should_forget_files_that_are_closed_longest_of_more_than_there_are_frames(void)
{
	const char *options = "cache=64k/page=4k/global=96/norelease/retain";
	static char paths[40][sizeof(path)];
	int64_t before = mio_pf_files_count();
	struct mio_open_request requests[40];
	struct mio_layer *layer;

	begin();
	for (int i = 0; i < 40; i++) {
		requests[i] = made();
		requests[i].name = memcpy(paths[i], path, sizeof(path));
	}
	test_until_old(path);
	for (int i = 0; i < 40; i++) {
		layer = pf_open_as(options, &below->layer, requests[i]);
		READS(layer, 'o', 0, PAGE);
		ASSERT_EQUAL(0, pf_close(layer));
	}
	ASSERT_EQUAL(before + 16, mio_pf_files_count());
	layer = pf_open_as(options, &below->layer, requests[39]);
	ASSERT_EQUAL(1, pf_counters(layer).retained_pages);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=96");
	ASSERT_EQUAL(before, mio_pf_files_count());
	for (int i = 0; i < 40; i++)
		unlink(paths[i]);
	end();
}

/* A closed file without a page in the cache is not remembered. */
static void should_forget_a_file_without_pages(void)
{
	const char *options = "cache=64k/page=4k/global=97/norelease/retain";
	struct mio_open_request request = named();
	int64_t before = mio_pf_files_count();

	begin();
	ASSERT_EQUAL(0, pf_close(pf_open_as(options, &below->layer, request)));
	ASSERT_EQUAL(before, mio_pf_files_count());
	give_up("global=97");
	unlink(path);
	end();
}

static void should_forget_retained_pages_if_the_file_was_changed(void)
{
	const char *options = "cache=64k/page=4k/global=92/norelease/retain";
	struct mio_open_request request = named();
	struct timespec times[2] = {{1, 0}, {1, 0}};
	struct stat before, after;
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	others_write('x', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, stat(path, &before));
	do {
		ASSERT_EQUAL(0, utimensat(AT_FDCWD, path, times, 0));
		ASSERT_EQUAL(0, stat(path, &after));
	} while (before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
	layer = pf_open_as(options, &below->layer, request);
	ASSERT_EQUAL(0, pf_counters(layer).retained_pages);
	READS(layer, 'x', 10 * PAGE, PAGE);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=92");
	unlink(path);
	end();
}

static void should_not_take_pages_back_whose_sectors_had_another_size(void)
{
	const char *options = "cache=64k/page=32k/pref=1/global=93/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 4096, 8192);
	ASSERT_EQUAL(0, pf_close(layer));
	request.sector_bytes = 4096;
	layer = pf_open_as(options, &below->layer, request);
	ASSERT_EQUAL(0, pf_counters(layer).retained_pages);
	READS(layer, 'o', 16384, 4096);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=93");
	unlink(path);
	end();
}

static void should_not_take_pages_back_that_an_open_without_cache_changed(void)
{
	const char *options = "cache=64k/page=8k/global=94/norelease/retain";
	struct mio_open_request request = named();
	struct mio_layer *layer, *plain;
	struct mio_pf_file *file;

	begin();
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 'o', 0, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	file = mio_pf_file_enter(request.device, request.inode);
	plain = mio_pf_attached_make(&below->layer, file);
	WRITES(plain, 2, 0, 512);
	plain->ops->release(plain);
	mio_pf_file_leave(file);
	layer = pf_open_as(options, &below->layer, request);
	READS(layer, 2, 0, 512);
	ASSERT_EQUAL(0, pf_close(layer));
	give_up("global=94");
	unlink(path);
	end();
}

static void should_not_write_a_scratch_file_when_it_closes(void)
{
	for (int is_named = 0; is_named <= 1; is_named++) {
		struct mio_open_request request = named();
		struct mio_layer *layer;

		begin();
		request.inode += !is_named;
		layer = pf_open_as("scratch/" OPTIONS, &below->layer, request);
		WRITES(layer, 'n', 100, 50);
		ASSERT_EQUAL(0, pf_close(layer));
		ASSERT(holds(below, 'o', 100, 50));
		/* If another file has the name, it is not removed. */
		ASSERT_EQUAL(is_named ? -1 : 0, access(path, F_OK));
		unlink(path);
		end();
	}
}

static void should_write_a_scratch_file_that_others_still_read(void)
{
	struct mio_layer *writer, *reader;

	begin();
	reader = pf_open_as("scratch/" OPTIONS, &below->layer, pf_request(inode, O_RDONLY, 512));
	writer = pf_open_as("scratch/" OPTIONS, &below->layer, pf_request(inode, O_WRONLY, 512));
	WRITES(writer, 'n', 0, SIZE);
	WRITES(writer, 'l', SIZE, 3 * PAGE);
	ASSERT_EQUAL(0, pf_close(writer));
	READS(reader, 'n', 0, SIZE);
	READS(reader, 'l', SIZE, 3 * PAGE);
	ASSERT_EQUAL(0, pf_close(reader));
	end();
}

int main(void)
{
	RUN(should_find_its_pages_again_if_nobody_changed_the_file);
	RUN(should_forget_files_that_are_closed_longest_of_more_than_there_are_frames);
	RUN(should_forget_a_file_without_pages);
	RUN(should_forget_retained_pages_if_the_file_was_changed);
	RUN(should_not_take_pages_back_whose_sectors_had_another_size);
	RUN(should_not_take_pages_back_that_an_open_without_cache_changed);
	RUN(should_not_write_a_scratch_file_when_it_closes);
	RUN(should_write_a_scratch_file_that_others_still_read);
	return TEST_RESULT();
}
