/* The C API and the process: when MIO begins, what the process's children and the programs it executes find, and what remains at its end. */
#include "capi_api.h"

#include "../src/door/door.h"

#include <pthread.h>

static char file[512];
static char other_name[512];
static char said[512];

static int open_file(int oflag)
{
	int fd = MIO_open(file, oflag, 0600, NULL);

	ASSERT(fd >= 0);
	return fd;
}

static void check_file(const char *expected, size_t bytes)
{
	char *content;

	ASSERT_EQUAL(bytes, test_content(file, &content));
	ASSERT(memcmp(content, expected, bytes) == 0);
	free(content);
}

static char written[70000];

/* Writes odd pieces, so that some pages are only dirty in part. */
static int write_some(void)
{
	int fd = open_file(O_RDWR | O_CREAT | O_TRUNC);

	for (size_t at = 0; at < sizeof(written); at += 3500)
		ASSERT_EQUAL(3500, MIO_write(fd, written + at, 3500));
	return fd;
}

static void exits_without_close(void)
{
	write_some();
}

static void should_write_out_what_nobody_closes_at_exit(void)
{
	for (size_t i = 0; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		ASSERT_EQUAL(0, test_run_under(test_rules[i], NULL, exits_without_close));
		check_file(written, sizeof(written));
		unlink(file);
	}
}

static void late_write(void)
{
	int fd = MIO_open(file, O_WRONLY | O_APPEND, 0, NULL);

	MIO_write(fd, "late", 4);
	MIO_close(fd);
	fd = MIO_open(file, O_RDWR, 0, NULL);
	MIO_pwrite(fd, "end", 3, 1);
}

static void writes_in_a_handler_of_exit(void)
{
	/* This handler runs after MIO's own, which is registered with the first open. */
	atexit(late_write);
	write_some();
}

static void should_serve_what_runs_after_it_at_exit(void)
{
	char *content;

	for (size_t i = 0; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		ASSERT_EQUAL(0, test_run_under(test_rules[i], NULL, writes_in_a_handler_of_exit));
		ASSERT_EQUAL(sizeof(written) + 4, test_content(file, &content));
		ASSERT(memcmp(content + sizeof(written), "late", 4) == 0);
		ASSERT(memcmp(content + 1, "end", 3) == 0);
		free(content);
		unlink(file);
	}
}

static void flushes_and_is_gone(void)
{
	write_some();
	MIO_flush();
	_exit(0);
}

static void flushes_and_is_killed(void)
{
	int fd = write_some();

	MIO_flush();
	MIO_read(fd, written, 1);
	kill(getpid(), SIGKILL);
}

static void should_have_everything_with_the_kernel_after_a_flush(void)
{
	for (size_t i = 0; i < sizeof(test_rules) / sizeof(test_rules[0]); i++) {
		ASSERT_EQUAL(0, test_run_under(test_rules[i], NULL, flushes_and_is_gone));
		check_file(written, sizeof(written));
		unlink(file);
		ASSERT_EQUAL(SIGKILL, test_run_under(test_rules[i], NULL, flushes_and_is_killed));
		check_file(written, sizeof(written));
		unlink(file);
	}
}

static void forks(void)
{
	int fd = write_some();
	int other = open_file(O_RDONLY);
	char memory[100];
	int status = -1;
	pid_t child;

	ASSERT_EQUAL(1000, MIO_lseek(fd, 1000, SEEK_SET));
	ASSERT_EQUAL(50, MIO_read(other, memory, 50));
	child = fork();
	if (child == 0) {
		char found[100];

		/* Parent and child share one position; files that the child opens have layers again. */
		int ok = MIO_lseek(fd, 0, SEEK_CUR) == 1000 && MIO_read(fd, found, 100) == 100 &&
			 memcmp(found, written + 1000, 100) == 0 && MIO_lseek(other, 0, SEEK_CUR) == 50 &&
			 MIO_write(fd, "child", 5) == 5;
		int mine = MIO_open(file, O_RDWR, 0, NULL);

		ok = ok && mine >= 0 && MIO_pread(mine, found, 5, 1100) == 5 && memcmp(found, "child", 5) == 0 &&
		     MIO_pwrite(mine, "mine", 4, 2000) == 4 && MIO_close(mine) == 0 && MIO_close(fd) == 0;
		exit(ok ? 0 : 1);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(1105, MIO_lseek(fd, 0, SEEK_CUR));
	ASSERT_EQUAL(6, MIO_write(fd, "parent", 6));
	ASSERT_EQUAL(20, MIO_pread(fd, memory, 20, 1095));
	ASSERT(memcmp(memory + 5, "childparent", 11) == 0);
	ASSERT_EQUAL(4, MIO_pread(other, memory, 4, 2000));
	ASSERT(memcmp(memory, "mine", 4) == 0);
	ASSERT_EQUAL(0, MIO_close(fd));
	memcpy(written + 1100, "childparent", 11);
	memcpy(written + 2000, "mine", 4);
	check_file(written, sizeof(written));
}

static void should_share_the_position_with_a_forked_child(void)
{
	test_run_under_all_rules(forks);
	unlink(file);
}

static void forks_with_a_descriptor_that_appends(void)
{
	int fd = write_some();
	int end = open_file(O_WRONLY | O_APPEND);
	char memory[100];
	int status = -1;
	pid_t child;

	/* Now there are pages with the last bytes of the file, and with what lies past them. */
	ASSERT_EQUAL(70, MIO_pread(fd, memory, 100, 69930));
	child = fork();
	if (child == 0)
		_exit(MIO_write(end, "child", 5) == 5 ? 0 : 1);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(75, MIO_pread(fd, memory, 100, 69930));
	ASSERT(memcmp(memory + 70, "child", 5) == 0);
}

static void reads_what_a_child_writes(void)
{
	int fd = write_some();
	int plain_one;
	char memory[10];
	int status = -1;
	pid_t child;

	MIO_close(fd);
	fd = open_file(O_RDONLY);
	/* An open without a rule while the file has pages: MIO keeps it in agreement with them in this process. */
	unlink(other_name);
	ASSERT_EQUAL(0, link(file, other_name));
	plain_one = MIO_open(other_name, O_WRONLY, 0, NULL);
	ASSERT_EQUAL(5, MIO_pread(fd, memory, 5, 1000));
	child = fork();
	if (child == 0)
		_exit(MIO_pwrite(plain_one, "child", 5, 1000) == 5 ? 0 : 1);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(5, MIO_pread(fd, memory, 5, 1000));
	ASSERT(memcmp(memory, "child", 5) == 0);
	unlink(other_name);
}

static void should_see_what_a_child_writes_by_a_descriptor_without_a_cache(void)
{
	test_run_under_all_rules(forks_with_a_descriptor_that_appends);
	if (!test_links_agree(test_directory()))
		SKIP("two links are two files to the kernel here");
	ASSERT_EQUAL(0, test_run_under("*.dat [ pf/cache=64k/page=4k ]", NULL, reads_what_a_child_writes));
	unlink(file);
}

static void executes(void)
{
	int fd = write_some();
	int pipes[2];
	char memory[20];
	int status = -1;
	pid_t child;

	ASSERT_EQUAL(0, pipe(pipes));
	ASSERT_EQUAL(5000, MIO_lseek(fd, 5000, SEEK_SET));
	ASSERT_EQUAL(100, MIO_write(fd, written, 100));
	ASSERT_EQUAL(4990, MIO_lseek(fd, -110, SEEK_CUR));
	MIO_flush();
	child = fork();
	if (child == 0) {
		dup2(fd, 0);
		dup2(pipes[1], 1);
		execl("/bin/sh", "sh", "-c", "dd bs=1 count=10 status=none", (char *)NULL);
		_exit(127);
	}
	close(pipes[1]);
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT_EQUAL(0, status);
	ASSERT_EQUAL(10, read(pipes[0], memory, sizeof(memory)));
	ASSERT(memcmp(memory, written + 4990, 10) == 0);
	ASSERT_EQUAL(5000, MIO_lseek(fd, 0, SEEK_CUR));
	close(pipes[0]);
}

static void should_leave_descriptors_to_another_program_where_they_were(void)
{
	test_run_under_all_rules(executes);
	unlink(file);
}

static void *open_and_close(void *context)
{
	(void)context;
	for (int i = 0; i < 50; i++) {
		char memory[100];
		int fd = open_file(O_RDWR);

		ASSERT_EQUAL(100, MIO_read(fd, memory, 100));
		ASSERT_EQUAL(4, MIO_pwrite(fd, "same", 4, 60000));
		ASSERT_EQUAL(0, MIO_close(fd));
	}
	return NULL;
}

static void begins_in_threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, open_and_close, NULL));
	for (int i = 0; i < 4; i++)
		ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
}

static void should_begin_once_whoever_comes_first(void)
{
	int fd = open(file, O_RDWR | O_CREAT, 0600);

	ASSERT(fd >= 0);
	ASSERT_EQUAL(0, ftruncate(fd, 65536));
	close(fd);
	test_run_under_all_rules(begins_in_threads);
	unlink(file);
}

static void opens_with_words(void)
{
	test_captured(said);
	MIO_close(write_some());
	test_captured(NULL);
}

static void with_abort(void)
{
	setenv("MIO_PRELOAD", "abort", 1);
	opens_with_words();
}

static void with_print(void)
{
	setenv("MIO_PRELOAD", "print", 1);
	opens_with_words();
}

static void switched_off(void)
{
	setenv("MIO_PRELOAD", "print,abort", 1);
	setenv("MIO_ENABLED", "0", 1);
	opens_with_words();
}

static void check_said(const char *expected, int lines)
{
	int found = 0;

	char *text;

	test_content(said, &text);
	if (strncmp(text, expected, strlen(expected)) != 0)
		fprintf(stderr, "said: %s\n", text);
	ASSERT(strncmp(text, expected, strlen(expected)) == 0);
	for (const char *c = text; *c; c++)
		found += *c == '\n';
	ASSERT_EQUAL(lines, found);
	free(text);
	unlink(said);
	unlink(file);
}

static void should_say_what_is_wrong_and_go_on_without_layers(void)
{
	ASSERT_EQUAL(0, test_run_under("* [ trcae ]", NULL, opens_with_words));
	check_said("libmio: the program runs without MIO: MIO_FILES, column 5: there is no layer 'trcae'", 1);
}

static void should_end_the_process_where_that_is_asked_for(void)
{
	ASSERT_EQUAL(255 << 8, test_run_under("* [ trcae ]", NULL, with_abort));
	ASSERT_EQUAL(-1, access(file, F_OK));
	/* This message has the text and the place. */
	check_said("libmio: MIO_FILES, column 5: there is no layer 'trcae'", 3);
	ASSERT_EQUAL(0, test_run_under("* [ trace ]", NULL, with_abort));
	check_said("", 0);
}

static void should_tell_that_it_has_begun_where_that_is_asked_for(void)
{
	ASSERT_EQUAL(0, test_run_under("", NULL, with_print));
	check_said("libmio: loaded, MIO " MIO_VERSION "\n", 1);
	ASSERT_EQUAL(0, test_run_under("* [ trcae ]", NULL, switched_off));
	check_said("libmio: loaded, MIO " MIO_VERSION ", and switched off: MIO_ENABLED says so", 1);
	ASSERT_EQUAL(0, test_run_under("* [ trace ]", NULL, opens_with_words));
	check_said("", 0);
}

static void mixes(void)
{
	/* The file is opened and closed where MIO does not see it. An open that MIO sees then gets the same number. */
	int fd = write_some();
	char memory[10];
	int again;

	MIO_flush();
	close(fd);
	again = MIO_open(file, O_RDWR, 0, NULL);
	ASSERT_EQUAL(fd, again);
	ASSERT_EQUAL(10, MIO_pread(again, memory, 10, 500));
	ASSERT(memcmp(memory, written + 500, 10) == 0);
	ASSERT_EQUAL(3, MIO_write(again, "new", 3));
	ASSERT_EQUAL(0, MIO_close(again));
	memcpy(written, "new", 3);
	check_file(written, sizeof(written));
}

static void should_survive_a_plain_close(void)
{
	test_run_under_all_rules(mixes);
	unlink(file);
}

/* The count changes before and after the fork, because a child may share what is opened in between, too. */
static void forks_once(void)
{
	int fd = MIO_open(file, O_RDWR | O_CREAT, 0600, NULL);
	uint64_t before = mio_door_shares();
	pid_t child;

	ASSERT(fd >= 0);
	child = fork();
	ASSERT(child >= 0);
	if (child == 0)
		_exit(0);
	ASSERT_EQUAL(child, waitpid(child, NULL, 0));
	ASSERT_EQUAL(before + 2, mio_door_shares());
	MIO_close(fd);
}

static void should_count_a_fork_before_it_and_after_it(void)
{
	test_run_under_all_rules(forks_once);
	unlink(file);
}

int main(void)
{
	test_name(file, sizeof(file), "file.dat");
	test_name(other_name, sizeof(other_name), "other");
	test_name(said, sizeof(said), "said");
	/* This process itself never calls MIO, so that MIO has not begun in any of the children. */
	for (size_t i = 0; i < sizeof(written); i++)
		written[i] = (char)(i * 31 >> 3);
	RUN(should_write_out_what_nobody_closes_at_exit);
	RUN(should_serve_what_runs_after_it_at_exit);
	RUN(should_have_everything_with_the_kernel_after_a_flush);
	RUN(should_share_the_position_with_a_forked_child);
	RUN(should_see_what_a_child_writes_by_a_descriptor_without_a_cache);
	RUN(should_leave_descriptors_to_another_program_where_they_were);
	RUN(should_begin_once_whoever_comes_first);
	RUN(should_say_what_is_wrong_and_go_on_without_layers);
	RUN(should_end_the_process_where_that_is_asked_for);
	RUN(should_tell_that_it_has_begun_where_that_is_asked_for);
	RUN(should_count_a_fork_before_it_and_after_it);
	RUN(should_survive_a_plain_close);
	return TEST_RESULT();
}
