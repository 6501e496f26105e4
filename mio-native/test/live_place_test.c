/* The live counter file: where it is, and what MIO finds there. */
#include "live_alone.h"

#include <errno.h>

#include "../src/live/live_place.h"

static void makes_a_file(void)
{
	struct stat found;
	int64_t start, stack;

	begin();
	ASSERT_EQUAL(0, stat(directory, &found));
	ASSERT_EQUAL(S_IFDIR | 0700, found.st_mode);
	ASSERT_EQUAL(0, stat(mio_live_path(), &found));
	ASSERT_EQUAL(S_IFREG | 0600, found.st_mode);
	ASSERT_EQUAL(32 * 4096, found.st_size);
	ASSERT(found.st_blocks * 512 >= found.st_size);
	look(0, &seen);
	mio_live_process(&start, &stack);
	ASSERT(memcmp(seen.bytes, "MIOLIVE\n", 8) == 0);
	ASSERT_EQUAL(1, seen.header.version);
	ASSERT_EQUAL(4096, seen.header.record_bytes);
	ASSERT_EQUAL(32, seen.header.records);
	ASSERT_EQUAL(getpid(), seen.header.pid);
	ASSERT(start > 0);
	ASSERT_EQUAL(start, seen.header.start_time);
	ASSERT_EQUAL(stack, seen.header.stack_begin);
	ASSERT_EQUAL(mio_clock_begin_ns(), seen.header.began_ns);
	ASSERT_EQUAL(MIO_LIVE_RUNS, seen.header.state);
	ASSERT_EQUAL(MIO_LIVE_NATIVE, seen.header.door);
	ASSERT(strcmp(seen.header.program, "a program") == 0 && strcmp(seen.header.engine, "sync") == 0);
	mio_live_reserve("io_uring");
	look(0, &seen);
	ASSERT(strcmp(seen.header.engine, "io_uring") == 0);
	mio_live_end();
	ASSERT_EQUAL(0, place_count() - 1);
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_make_a_file_for_its_user_alone_and_remove_it_at_the_end(void)
{
	alone(makes_a_file);
}

static void group_may_write(void)
{
	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT_EQUAL(0, chmod(directory, 0770));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void is_a_link(void)
{
	char target[8300];

	ASSERT(snprintf(target, sizeof(target), "%s.target", directory) < (int)sizeof(target));
	ASSERT_EQUAL(0, mkdir(target, 0700));
	ASSERT_EQUAL(0, symlink(target, directory));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(target));
}

static void is_a_file(void)
{
	close(open(directory, O_CREAT | O_WRONLY, 0600));
	expect_memory();
}

static void belongs_to_another(void)
{
	if (geteuid() != 0)
		return;
	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT_EQUAL(0, chown(directory, 12345, 0));
	expect_memory();
	ASSERT_EQUAL(0, rmdir(directory));
}

static void should_not_use_a_directory_that_is_not_the_users_alone(void)
{
	alone(group_may_write);
	alone(is_a_link);
	alone(is_a_file);
	alone(belongs_to_another);
}

static void is_off(void)
{
	static const char *const words[] = {"off", " false ", "0", "no"};

	for (int i = 0; i < 4; i++) {
		mio_live_begin(words[i], place, "x");
		mio_live_reserve(NULL);
		ASSERT_EQUAL(0, strlen(mio_live_path()));
	}
	ASSERT_EQUAL(2, mio_live_setting_kind(""));
	ASSERT_EQUAL(2, mio_live_setting_kind("yes"));
	ASSERT_EQUAL(0, mio_live_setting_kind("off off"));
	mio_live_begin("live", place, "x");
	mio_live_reserve(NULL);
	ASSERT(strncmp(mio_live_path(), directory, strlen(directory)) == 0);
}

static void should_take_the_setting_at_its_word(void)
{
	alone(is_off);
}

static void replaces_an_old_file(void)
{
	char path[8300], target[8300];
	struct stat found;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	ASSERT(snprintf(path, sizeof(path), "%s/%d.live", directory, (int)getpid()) < (int)sizeof(path));
	ASSERT(snprintf(target, sizeof(target), "%s.victim", directory) < (int)sizeof(target));
	close(open(target, O_CREAT | O_WRONLY, 0600));
	ASSERT_EQUAL(0, symlink(target, path));
	begin();
	ASSERT_EQUAL(0, lstat(path, &found));
	ASSERT(S_ISREG(found.st_mode));
	ASSERT_EQUAL(0, stat(target, &found));
	ASSERT_EQUAL(0, found.st_size);
	mio_live_end();
}

static void should_put_its_file_in_the_place_of_one_of_an_earlier_process(void)
{
	alone(replaces_an_old_file);
}

/* Makes a file of that name that is so many seconds old. */
static void make_aged(int at, const char *name, mode_t mode, int64_t seconds)
{
	struct timespec times[2];
	int fd = openat(at, name, O_CREAT | O_EXCL | O_WRONLY, mode);

	ASSERT(fd >= 0);
	clock_gettime(CLOCK_REALTIME, &times[0]);
	times[0].tv_sec -= seconds;
	times[1] = times[0];
	ASSERT_EQUAL(0, futimens(fd, times));
	close(fd);
}

static int is_there(int at, const char *name)
{
	struct stat found;

	return fstatat(at, name, &found, AT_SYMLINK_NOFOLLOW) == 0;
}

/* No process has a number above 4194304. */
static void sweeps(void)
{
	char own[32];
	struct stat found;
	int at;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	at = open(directory, O_RDONLY | O_DIRECTORY);
	ASSERT(snprintf(own, sizeof(own), "%d.live", (int)getpid()) > 0);
	make_aged(at, "5000001.live", 0400, 4000);
	make_aged(at, "5000002.live", 0400, 3000);
	make_aged(at, "5000003.live", 0600, 4000);
	make_aged(at, own, 0400, 4000);
	make_aged(at, "5000004.jvm.live", 0400, 4000);
	make_aged(at, "x5000004.live", 0400, 4000);
	make_aged(at, "5000004.live2", 0400, 4000);
	ASSERT_EQUAL(0, symlinkat("5000002.live", at, "5000005.live"));
	errno = 77;
	mio_live_place_sweep(at);
	ASSERT_EQUAL(77, errno);
	ASSERT(!is_there(at, "5000001.live"));
	ASSERT(is_there(at, "5000002.live") && is_there(at, own) && is_there(at, "5000004.jvm.live"));
	ASSERT(is_there(at, "x5000004.live") && is_there(at, "5000004.live2") && is_there(at, "5000005.live"));
	/* This file is found for the first time: its age counts from now on. */
	ASSERT_EQUAL(0, fstatat(at, "5000003.live", &found, 0));
	ASSERT_EQUAL(S_IFREG | 0400, found.st_mode);
	ASSERT(found.st_mtime > time(NULL) - 3000);
	mio_live_place_sweep(at);
	ASSERT(is_there(at, "5000003.live"));
	close(at);
}

static void sweeps_no_chosen_place(void)
{
	int at;

	ASSERT_EQUAL(0, mkdir(directory, 0700));
	at = open(directory, O_RDONLY | O_DIRECTORY);
	make_aged(at, "5000001.live", 0400, 4000);
	begin();
	ASSERT(is_there(at, "5000001.live"));
	mio_live_end();
	close(at);
}

static void sweeps_its_own_place(void)
{
	char path[64];
	int at;

	snprintf(path, sizeof(path), "/dev/shm/mio-%d", (int)geteuid());
	mkdir(path, 0700);
	at = open(path, O_RDONLY | O_DIRECTORY);
	if (at < 0)
		return;
	snprintf(path, sizeof(path), "%d.live", 5000000 + (int)getpid());
	make_aged(at, path, 0400, 4000);
	mio_clock_begin_ns();
	mio_live_begin("on", "", "a program");
	mio_live_reserve("sync");
	ASSERT(strncmp(mio_live_path(), "/dev/shm/", 9) != 0 || !is_there(at, path));
	unlinkat(at, path, 0);
	mio_live_end();
	close(at);
}

static void should_remove_old_files_of_killed_processes_from_a_place_that_nobody_chose(void)
{
	alone(sweeps);
	alone(sweeps_no_chosen_place);
	alone(sweeps_its_own_place);
}

int main(void)
{
	RUN(should_make_a_file_for_its_user_alone_and_remove_it_at_the_end);
	RUN(should_not_use_a_directory_that_is_not_the_users_alone);
	RUN(should_take_the_setting_at_its_word);
	RUN(should_put_its_file_in_the_place_of_one_of_an_earlier_process);
	RUN(should_remove_old_files_of_killed_processes_from_a_place_that_nobody_chose);
	return TEST_RESULT();
}
