/* The numbers of MIO's own descriptors, and the program's POSIX locks, which the close of any descriptor of the file would drop. */
#include "os_files.h"

#include "../src/os/os_locks.h"
#include "../src/os/os_number.h"
#include "../src/os/os_own.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

static int number_of(struct mio_os_own *own)
{
	return mio_os_descriptor_number(own->buffered);
}

/* As in a JVM: MIO's descriptors keep the numbers they get. */
static void should_stay_where_it_lands_where_nobody_sees_it(void)
{
	int fd = test_file(test_build_dir(), NULL);
	int lowest = dup(0);
	struct mio_os_own *own;
	struct mio_layer *layer;

	close(lowest);
	layer = test_own_layer(fd, O_RDWR, 0, "threads", &own);
	ASSERT(number_of(own) < lowest + 8);
	ASSERT_EQUAL(1, mio_os_is_own_descriptor(number_of(own)));
	test_close(layer);
	close(fd);
}

/* The number of entries of the kernel's descriptor table. */
static int table_entries(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	int entries = -1;

	while (status && entries < 0 && fgets(line, sizeof(line), status))
		if (sscanf(line, "FDSize: %d", &entries) != 1)
			entries = -1;
	if (status)
		fclose(status);
	return entries;
}

/* If the table grew later, when there are threads, the process would wait for all processors. */
static void should_have_the_table_grow_as_it_begins(void)
{
	int least = table_entries();
	struct rlimit limit;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	mio_os_numbers_begin();
	ASSERT(table_entries() > (limit.rlim_cur < 934 ? (int)(limit.rlim_cur - limit.rlim_cur / 4) : 700));
	ASSERT(least > 0);
	/* The table that a process begins with may be large enough already. */
	if (limit.rlim_cur > (rlim_t)least)
		ASSERT(table_entries() > least);
}

static void should_go_out_of_the_programs_way(void)
{
	int fd = test_file(test_build_dir(), NULL);
	int lowest = dup(0);
	struct mio_os_own *own;
	struct mio_layer *layer;
	struct rlimit limit;
	int number;
	int again;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	close(lowest);
	layer = test_own_layer(fd, O_RDWR, 0, "threads", &own);
	number = number_of(own);
	ASSERT(number >= (limit.rlim_cur < 934 ? (int)(limit.rlim_cur - limit.rlim_cur / 4) : 700));
	ASSERT_EQUAL(FD_CLOEXEC, fcntl(number, F_GETFD));
	ASSERT_EQUAL(1, mio_os_is_own_descriptor(number));
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(fd));
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(-1));
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(INT32_MAX));
	/* As if MIO had opened nothing. */
	again = dup(0);
	ASSERT_EQUAL(lowest, again);
	close(again);
	test_close(layer);
	ASSERT_EQUAL(0, mio_os_is_own_descriptor(number));
	ASSERT_EQUAL(-1, fcntl(number, F_GETFD));
	close(fd);
}

static void should_read_the_systems_table_of_locks(void)
{
	static const char text[] = "1: POSIX  ADVISORY  WRITE 3548 08:02:1234 0 EOF\n"
				   "1: -> POSIX  ADVISORY  WRITE 3549 08:02:1234 0 EOF\n"
				   "2: FLOCK  ADVISORY  WRITE 77 08:02:99 0 EOF\n"
				   "3: OFDLCK ADVISORY  READ -1 08:02:98 0 EOF\n"
				   "4: POSIX  ADVISORY  READ 35480 fe:00:5678 128 128\n"
				   "5: LEASE  ACTIVE    READ 78 08:02:97 0 EOF\n";
	static const struct {
		uint64_t pid, inode;
		int found;
	} cases[] = {{3548, 0, 1},  {3548, 1234, 1}, {3548, 5678, 0}, {3549, 1234, 1},	{77, 0, 0},
		     {35480, 0, 1}, {35480, 5678, 1}, {354, 0, 0},    {78, 0, 0},	{3548, 123, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned int piece = 1; piece < sizeof(text); piece += 13) {
			struct mio_os_locks_reader reader = {.pid = cases[i].pid, .inode = cases[i].inode};

			for (unsigned int at = 0; at < sizeof(text) - 1; at += piece)
				mio_os_locks_read(&reader, text + at,
						  at + piece < sizeof(text) ? piece : (unsigned int)sizeof(text) - 1 - at);
			ASSERT_EQUAL(cases[i].found, reader.found);
		}
	}
}

static int lock(int fd, short type)
{
	struct flock range = {.l_type = type, .l_whence = SEEK_SET};

	return fcntl(fd, F_SETLK, &range);
}

/* Whether another process finds the file locked. */
static int is_locked(int fd)
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

		_exit(fcntl(fd, F_GETLK, &range) < 0 ? 2 : range.l_type != F_UNLCK);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* As after exec: no call has announced the lock. The first sentence of all, so that MIO has not looked for locks yet. */
static void should_find_locks_that_were_there_before(void)
{
	int status = 0;
	pid_t child;

	if (access("/proc/locks", R_OK) != 0)
		SKIP("no /proc/locks");
	child = fork();
	ASSERT(child >= 0);
	if (child == 0) {
		int fd = test_file(test_build_dir(), NULL);
		struct mio_os_own *own;

		if (lock(fd, F_WRLCK) < 0)
			_exit(1);
		test_own_layer(fd, O_RDWR, 1, "sync", &own);
		if (number_of(own) >= 48)
			_exit(2);
		_exit(is_locked(fd) ? 0 : 3);
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(0, WEXITSTATUS(status));
}

static int open_with_a_lock(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_own *own;
	struct mio_layer *layer;

	if (mio_os_locks_held(0) || lock(fd, F_WRLCK) < 0 || !mio_os_locks_held(0))
		return 1;
	mio_os_posix_lock_coming();
	layer = test_own_layer(fd, O_RDWR, 1, "sync", &own);
	if (!is_locked(fd))
		return 2;
	/* MIO's descriptor keeps the number that it got. */
	if (number_of(own) >= 700)
		return 3;
	if (mio_os_own_descriptor_moved(number_of(own)) != -EBUSY || !is_locked(fd))
		return 4;
	if (lock(fd, F_UNLCK) < 0 || mio_os_own_descriptor_moved(number_of(own)) != 0)
		return 5;
	if (number_of(own) < 48 || layer->ops->write(layer, "ab", 2, 0) != 2)
		return 6;
	test_close(layer);
	return 0;
}

static void should_leave_locks_alone(void)
{
	if (access("/proc/locks", R_OK) != 0)
		SKIP("no /proc/locks");
	ASSERT_EQUAL(0, test_in_child(open_with_a_lock));
}

static void should_keep_the_programs_lock_through_opens_and_closes(void)
{
	char path[4096];
	int fd = test_file(test_build_dir(), path);
	int other = open(path, O_RDONLY);
	struct mio_layer *first = test_own_layer(fd, O_RDWR, 1, "threads", NULL);
	struct mio_layer *second;

	unlink(path);
	mio_os_posix_lock_coming();
	ASSERT_EQUAL(0, lock(fd, F_WRLCK));
	ASSERT_EQUAL(1, is_locked(fd));
	second = test_own_layer(other, O_RDONLY, 1, "threads", NULL);
	ASSERT_EQUAL(1, is_locked(fd));
	ASSERT_EQUAL(1, second->ops->write(first, "x", 1, 0));
	test_close(first);
	ASSERT_EQUAL(1, is_locked(fd));
	/* The last open: the program closes its own descriptor at the same time, which drops the lock anyway. */
	test_close(second);
	close(other);
	close(fd);
}

/* A lock outlives exec if no descriptor that exec closes is open on its file. The new program reads from ends[0] until the end. */
static void become_another_program(int fd, const int ends[2], int direct)
{
	char *const arguments[] = {(char *)(uintptr_t)"cat", NULL};
	struct mio_os_own *own;
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, direct, "sync", &own);
	int number = number_of(own);

	mio_os_posix_lock_coming();
	if (lock(fd, F_WRLCK) < 0 || dup2(ends[0], 0) < 0)
		_exit(1);
	mio_os_exec_coming();
	execv("/no/such/program", arguments);
	mio_os_exec_failed();
	if (fcntl(number, F_GETFD) != FD_CLOEXEC || layer->ops->size(layer) != 0)
		_exit(2);
	mio_os_exec_coming();
	execv("/bin/cat", arguments);
	_exit(3);
}

static void should_keep_the_programs_lock_through_exec(void)
{
	for (int direct = 0; direct < 2; direct++) {
		int fd = test_file(test_build_dir(), NULL);
		int keeps[2];
		int started[2];
		int status = 0;
		char byte;
		pid_t child;

		if (access("/bin/cat", X_OK) != 0)
			SKIP("no /bin/cat");
		ASSERT_EQUAL(0, pipe2(keeps, O_CLOEXEC));
		ASSERT_EQUAL(0, pipe2(started, O_CLOEXEC));
		child = fork();
		ASSERT(child >= 0);
		if (child == 0) {
			mio_memory_forked();
			mio_os_forked(0);
			/* The descriptor with the lock stays open across exec, as in a program that means to keep the lock. */
			fcntl(fd, F_SETFD, 0);
			close(started[0]);
			become_another_program(fd, keeps, direct);
		}
		close(started[1]);
		ASSERT_EQUAL(0, read(started[0], &byte, 1));
		ASSERT_EQUAL(1, is_locked(fd));
		close(keeps[1]);
		ASSERT_EQUAL(child, waitpid(child, &status, 0));
		ASSERT(WIFEXITED(status));
		ASSERT_EQUAL(0, WEXITSTATUS(status));
		close(keeps[0]);
		close(started[0]);
		close(fd);
	}
}

static void should_tell_which_numbers_are_its_own(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_own *own;
	struct mio_layer *layer;
	int number;

	mio_os_drain();
	ASSERT_EQUAL(-1, mio_os_own_descriptor_from(0));
	layer = test_own_layer(fd, O_RDWR, 0, "sync", &own);
	number = number_of(own);
	ASSERT_EQUAL(number, mio_os_own_descriptor_from(-5));
	ASSERT_EQUAL(number, mio_os_own_descriptor_from(0));
	ASSERT_EQUAL(number, mio_os_own_descriptor_from(number));
	ASSERT_EQUAL(-1, mio_os_own_descriptor_from(number + 1));
	ASSERT_EQUAL(-1, mio_os_own_descriptor_from(INT32_MAX));
	test_close(layer);
	close(fd);
}

static int many_files(int limit_numbers, int *opened_files)
{
	struct rlimit limit = {(rlim_t)limit_numbers, (rlim_t)limit_numbers};
	struct mio_os_wish wish = {.asynchronous = 1};
	struct mio_os_own *own[400];
	int fd = -1;
	int count = 0;
	int rc = 0;

	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 1;
	while (rc == 0 && count < 400) {
		fd = test_file(test_build_dir(), NULL);
		rc = mio_os_own_open(fd, O_RDWR, "test", &wish, NULL, NULL, &own[count]);
		count += rc == 0;
	}
	*opened_files = count;
	while (count > 0)
		mio_os_own_close(own[--count]);
	return rc == -EMFILE ? 0 : 2;
}

static int few_numbers;

static int leave_numbers(void)
{
	int opened = 0;
	int rc = many_files(few_numbers, &opened);

	if (rc != 0)
		return rc;
	/* MIO takes a quarter. The rest is the program's, and some of it is free. */
	if (opened != few_numbers / 4)
		return 10;
	if (dup(0) < 0)
		return 3;
	return 0;
}

static int leave_all_numbers(void)
{
	int opened = 0;
	int rc = many_files(64, &opened);

	return rc != 0 ? rc : opened;
}

static void should_leave_the_program_most_of_few_numbers(void)
{
	struct rlimit limit;

	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
	/* MIO's own numbers are above three quarters of all numbers, or above 700. */
	for (few_numbers = 256; few_numbers <= 1280 && (rlim_t)few_numbers <= limit.rlim_max; few_numbers += 512)
		ASSERT_EQUAL(0, test_in_child(leave_numbers));
}

static void should_leave_the_program_all_of_very_few(void)
{
	ASSERT_EQUAL(0, test_in_child(leave_all_numbers));
}

struct mover {
	struct mio_layer *layer;
	struct mio_os_own *own;
	_Atomic int stop;
};

static void *keep_it_busy(void *data)
{
	struct mover *mover = data;
	unsigned char *memory = NULL;

	ASSERT_EQUAL(0, posix_memalign((void **)&memory, 4096, 65536));
	for (int i = 0; !mover->stop; i++) {
		struct mio_io io;

		mio_io_init(&io, 0, memory, 65536, i % 4 * 65536, NULL, NULL);
		ASSERT_EQUAL(0, mover->layer->ops->submit(mover->layer, &io));
		ASSERT_EQUAL(65536, mover->layer->ops->read(mover->layer, memory, 65536, i % 4 * 65536));
		mio_io_wait(&io);
		ASSERT_EQUAL(65536, io.result);
		ASSERT_EQUAL('a' + i % 4, memory[0]);
		ASSERT_EQUAL('a' + i % 4, memory[65535]);
	}
	free(memory);
	return NULL;
}

/* The program repeatedly takes numbers that are MIO's while requests run. Every request must get the bytes of its file. */
static void should_give_up_a_number_while_requests_use_it(void)
{
	static char bytes[65536];
	int null = open("/dev/null", O_RDONLY);

	for (int backend = 0; backend < TEST_BACKENDS; backend++) {
		int fd = test_file(test_build_dir(), NULL);
		struct mover mover = {0};
		pthread_t threads[3];

		if (!test_has_backend(test_backends[backend]))
			continue;
		for (int i = 0; i < 4; i++) {
			memset(bytes, 'a' + i, sizeof(bytes));
			ASSERT_EQUAL(sizeof(bytes), write(fd, bytes, sizeof(bytes)));
		}
		mover.layer = test_own_layer(fd, O_RDWR, 1, test_backends[backend], &mover.own);
		for (int i = 0; i < 3; i++)
			ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, keep_it_busy, &mover));
		for (int i = 0; i < 200; i++) {
			struct mio_os_descriptor *one = i % 2 && mover.own->direct ? mover.own->direct
										   : mover.own->buffered;
			int number = mio_os_descriptor_number(one);

			ASSERT_EQUAL(0, mio_os_own_descriptor_moved(number));
			ASSERT_EQUAL(0, mio_os_is_own_descriptor(number));
			ASSERT_EQUAL(-1, fcntl(number, F_GETFD));
			ASSERT_EQUAL(number, dup2(null, number));
			ASSERT(mio_os_descriptor_number(one) != number);
			close(number);
		}
		mover.stop = 1;
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
		test_close(mover.layer);
		ASSERT_EQUAL(1, test_descriptors(fd));
		close(fd);
	}
	ASSERT_EQUAL(0, mio_os_own_descriptor_moved(null));
	close(null);
}

static void *move_away(void *number)
{
	ASSERT_EQUAL(0, mio_os_own_descriptor_moved((int)(intptr_t)number));
	return NULL;
}

static void should_keep_the_old_number_open_while_somebody_uses_it(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_os_own *own;
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 0, "sync", &own);

	for (int i = 0; i < 100; i++) {
		uint32_t place;
		uint32_t other;
		int number = mio_os_descriptor_hold(own->buffered, &place);
		pthread_t thread;

		ASSERT_EQUAL(0, pthread_create(&thread, NULL, move_away, (void *)(intptr_t)number));
		while (number_of(own) == number)
			;
		/* Whoever comes now uses the new number. */
		ASSERT(mio_os_descriptor_hold(own->buffered, &other) != number);
		for (int looks = 0; looks < 100; looks++)
			ASSERT_EQUAL(FD_CLOEXEC, fcntl(number, F_GETFD));
		mio_os_descriptor_let_go(own->buffered, place);
		pthread_join(thread, NULL);
		ASSERT_EQUAL(-1, fcntl(number, F_GETFD));
		mio_os_descriptor_let_go(own->buffered, other);
	}
	test_close(layer);
	close(fd);
}

static void should_give_up_the_numbers_of_the_ring(void)
{
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer;
	struct mover mover = {0};
	pthread_t thread;
	static char bytes[4 * 65536];
	int moved = 0;

	if (!test_rings_serve(fd)) {
		close(fd);
		SKIP("io_uring is not to be had here");
	}
	for (int i = 0; i < 4; i++)
		memset(bytes + i * 65536, 'a' + i, 65536);
	ASSERT_EQUAL(sizeof(bytes), write(fd, bytes, sizeof(bytes)));
	layer = test_own_layer(fd, O_RDWR, 0, "uring", NULL);
	mover.layer = layer;
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, keep_it_busy, &mover));
	while (moved < 20) {
		for (int number = 3; number < 1000; number++) {
			if (mio_os_backend_uring.has_descriptor(number)) {
				ASSERT_EQUAL(1, mio_os_is_own_descriptor(number));
				ASSERT_EQUAL(0, mio_os_own_descriptor_moved(number));
				moved++;
			}
		}
	}
	mover.stop = 1;
	pthread_join(thread, NULL);
	test_close(layer);
	mio_os_drain();
	close(fd);
}

static int child_of_one_with_descriptors(void)
{
	/* test_in_child has told MIO of the fork. */
	for (int number = 0; number < 2000; number++)
		if (mio_os_is_own_descriptor(number))
			return 1;
	return test_descriptors(-1);
}

static void should_close_the_parents_descriptors_in_a_child(void)
{
	int before = test_descriptors(-1);
	int fd = test_file(test_build_dir(), NULL);
	struct mio_layer *layer = test_own_layer(fd, O_RDWR, 1, "threads", NULL);

	ASSERT(test_descriptors(-1) > before + 1);
	ASSERT_EQUAL(before + 1, test_in_child(child_of_one_with_descriptors));
	ASSERT_EQUAL(2, layer->ops->write(layer, "ab", 2, 0));
	test_close(layer);
	ASSERT_EQUAL(before + 1, test_descriptors(-1));
	close(fd);
}

int main(void)
{
	RUN(should_find_locks_that_were_there_before);
	RUN(should_stay_where_it_lands_where_nobody_sees_it);
	RUN(should_have_the_table_grow_as_it_begins);
	RUN(should_go_out_of_the_programs_way);
	RUN(should_read_the_systems_table_of_locks);
	RUN(should_leave_locks_alone);
	RUN(should_tell_which_numbers_are_its_own);
	RUN(should_keep_the_programs_lock_through_exec);
	RUN(should_leave_the_program_most_of_few_numbers);
	RUN(should_leave_the_program_all_of_very_few);
	RUN(should_close_the_parents_descriptors_in_a_child);
	RUN(should_give_up_a_number_while_requests_use_it);
	RUN(should_keep_the_old_number_open_while_somebody_uses_it);
	RUN(should_give_up_the_numbers_of_the_ring);
	RUN(should_keep_the_programs_lock_through_opens_and_closes);
	return TEST_RESULT();
}
