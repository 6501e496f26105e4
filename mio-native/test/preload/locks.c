/*
 * Locks between processes that take turns: what one writes under a lock the other finds under its own. The program's locks must
 * survive when files are opened and closed around them.
 */
#include "see.h"

#include <sys/file.h>
#include <sys/resource.h>

enum { BYTES = 9000, ROUNDS = 12 };

static char bytes[BYTES];

static int posix_lock(int fd, int command, short type, off_t start, off_t length)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};

	return fcntl(fd, command, &lock);
}

static int take(int how, int fd)
{
	switch (how) {
	case 0:
		return posix_lock(fd, F_SETLKW, F_WRLCK, 0, 0);
	case 1:
		return flock(fd, LOCK_EX);
	case 2:
		lseek(fd, 0, SEEK_SET);
		return lockf(fd, F_LOCK, 0);
	default:
		return posix_lock(fd, F_OFD_SETLKW, F_WRLCK, 0, 0);
	}
}

static int give(int how, int fd)
{
	switch (how) {
	case 0:
		return posix_lock(fd, F_SETLK, F_UNLCK, 0, 0);
	case 1:
		return flock(fd, LOCK_UN);
	case 2:
		lseek(fd, 0, SEEK_SET);
		return lockf(fd, F_ULOCK, 0);
	default:
		return posix_lock(fd, F_OFD_SETLK, F_UNLCK, 0, 0);
	}
}

/* Each process adds one to a number that all bytes hold, and makes the file longer. */
static void count(int how, int rounds)
{
	int fd = open("counted", O_RDWR);

	MUST(fd >= 0);
	for (int i = 0; i < rounds; i++) {
		off_t end;

		MUST(take(how, fd) == 0);
		end = lseek(fd, 0, SEEK_END);
		MUST(end >= BYTES);
		MUST(pread(fd, bytes, BYTES, 0) == BYTES);
		for (int at = 1; at < BYTES; at++)
			MUST(bytes[at] == bytes[0]);
		memset(bytes, bytes[0] + 1, BYTES);
		MUST(pwrite(fd, bytes, BYTES / 2, 0) == BYTES / 2);
		MUST(lseek(fd, BYTES / 2, SEEK_SET) == BYTES / 2);
		MUST(write(fd, bytes, BYTES / 2) == BYTES / 2);
		MUST(pwrite(fd, bytes, 10, end) == 10);
		MUST(give(how, fd) == 0);
	}
	MUST(close(fd) == 0);
}

static void turns(int how)
{
	pid_t children[2];
	int fd = open("counted", O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(bytes, 0, BYTES);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(close(fd) == 0);
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		MUST(children[i] >= 0);
		if (children[i] == 0) {
			count(how, ROUNDS);
			_exit(0);
		}
	}
	count(how, ROUNDS);
	for (int i = 0; i < 2; i++)
		await("child", children[i]);
	fd = open("counted", O_RDONLY);
	MUST(read(fd, bytes, BYTES) == BYTES);
	say("lock %d: counted to %d, end at %lld", how, bytes[0], (long long)lseek(fd, 0, SEEK_END));
	MUST(close(fd) == 0);
}

static int made(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	memset(bytes, 'o', BYTES);
	MUST(write(fd, bytes, BYTES) == BYTES);
	MUST(fsync(fd) == 0);
	return fd;
}

/* Others have locks of other parts, so that what is written must be there for them at once. */
static void parts(void)
{
	static const struct flock locks[] = {
		{.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 10},
		{.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 0},
		{.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 0, .l_len = 0},
	};

	for (int i = 0; i < 3; i++) {
		struct flock lock = locks[i];
		int fd = made("parts");

		MUST(lseek(fd, 100, SEEK_SET) == 100);
		MUST(fcntl(fd, F_SETLK, &lock) == 0);
		MUST(pwrite(fd, "new", 3, BYTES / 2) == 3);
		outside("parts");
		MUST(close(fd) == 0);
	}
}

/* Bytes that this process has not written yet do not hide what others have added. */
static void longer(int how)
{
	int fd = made("longer");

	MUST(pwrite(fd, "new", 3, 0) == 3);
	outside_writes("longer", 7, BYTES, 1000);
	MUST(take(how, fd) == 0);
	say("lock %d: %zd bytes more", how, pread(fd, bytes, 2000, BYTES));
	say("lock %d: end at %lld", how, (long long)lseek(fd, 0, SEEK_END));
	MUST(give(how, fd) == 0);
	outside("longer");
	MUST(close(fd) == 0);
}

/* Another process checks whether the byte is locked. */
static int locked_for_others(off_t at)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
		int fd = open("locked", O_RDWR);

		if (fd < 0 || fcntl(fd, F_GETLK, &lock) < 0)
			_exit(2);
		_exit(lock.l_type != F_UNLCK);
	}
	MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status);
}

static void kept(void)
{
	int fd = open("locked", O_RDWR | O_CREAT, 0600);
	int copy;

	MUST(write(fd, bytes, BYTES) == BYTES);
	SEE(posix_lock(fd, F_SETLK, F_WRLCK, 100, 10));
	say("locked %d, elsewhere %d", locked_for_others(105), locked_for_others(111));
	/* Reads, writes, flushes, readahead, and other files do not end the lock. */
	for (int i = 0; i < 50; i++)
		MUST(pwrite(fd, bytes, BYTES, (off_t)i * BYTES) == BYTES);
	say("locked %d", locked_for_others(105));
	MUST(fsync(fd) == 0);
	say("locked %d", locked_for_others(105));
	MUST(ftruncate(fd, 400000) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	while (read(fd, bytes, BYTES) > 0)
		;
	say("locked %d", locked_for_others(105));
	make_file("other", 5000, 1);
	say("locked %d", locked_for_others(105));
	copy = fork();
	if (copy == 0)
		_exit(0);
	await("child", copy);
	say("locked %d", locked_for_others(105));
	/* Neither do a truncation by name and renames. */
	MUST(truncate("locked", 300000) == 0 && rename("locked", "x") == 0 && rename("x", "locked") == 0);
	say("locked %d", locked_for_others(105));
	SEE(posix_lock(fd, F_SETLK, F_UNLCK, 102, 2));
	say("locked %d %d %d", locked_for_others(101), locked_for_others(103), locked_for_others(105));
	/* By POSIX, any close of the file by the process ends its locks. */
	copy = dup(fd);
	MUST(close(copy) == 0);
	say("after a close: locked %d", locked_for_others(105));
	SEE(posix_lock(fd, F_SETLK, F_WRLCK, 100, 10));
	copy = open("locked", O_RDONLY);
	MUST(pread(copy, bytes, 10, 0) == 10);
	say("locked %d", locked_for_others(105));
	MUST(close(copy) == 0);
	say("after a close: locked %d", locked_for_others(105));
	SEE(close(fd));
}

/* Locks from the position, and from the end, which only the pages know. */
static void from_where(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 5, .l_len = 10};
	int fd = open("locked", O_RDWR | O_CREAT, 0600);

	MUST(write(fd, bytes, 1000) == 1000);
	SEE(fcntl(fd, F_SETLK, &lock));
	say("locked %d %d %d %d", locked_for_others(4), locked_for_others(1004), locked_for_others(1005), locked_for_others(1015));
	lock.l_type = F_UNLCK;
	SEE(fcntl(fd, F_SETLK, &lock));
	say("locked %d", locked_for_others(1005));
	MUST(pwrite(fd, bytes, 1000, 5000) == 1000);
	lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = -10, .l_len = 5};
	SEE(fcntl(fd, F_SETLK, &lock));
	say("locked %d %d %d", locked_for_others(5989), locked_for_others(5990), locked_for_others(5995));
	lock.l_type = F_UNLCK;
	SEE(fcntl(fd, F_SETLK, &lock));
	MUST(lseek(fd, 100, SEEK_SET) == 100);
	SEE(lockf(fd, F_TLOCK, 10));
	say("locked %d %d %d", locked_for_others(99), locked_for_others(100), locked_for_others(110));
	MUST(lseek(fd, 105, SEEK_SET) == 105);
	SEE(lockf(fd, F_ULOCK, 0));
	say("locked %d %d", locked_for_others(104), locked_for_others(105));
	SEE(lockf(fd, 77, 0));
	lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = 10};
	SEE(fcntl(fd, F_GETLK, &lock));
	say("type %d, whence %d", lock.l_type, lock.l_whence);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
}

/* A process without MIO writes between our locks, and also makes the file longer. */
static void others_write(void)
{
	int fd = open("written", O_RDWR | O_CREAT, 0600);
	int other = open("written", O_RDONLY);

	for (int round = 0; round < 12; round++) {
		int how = round % 4;
		unsigned int seed = 100 + (unsigned int)round;

		MUST(take(how, fd) == 0);
		fill(bytes, BYTES, seed, 0);
		MUST(pwrite(fd, bytes, BYTES, 0) == BYTES);
		MUST(give(how, fd) == 0);
		outside("written");
		outside_writes("written", seed + 50, 3000, (unsigned int)(1000 + 1000 * round));
		MUST(take(how, fd) == 0);
		MUST(is_fill(fd, 3000, seed, 0));
		MUST(is_fill(fd, (size_t)(1000 + 1000 * round), seed + 50, 3000));
		MUST(is_fill(other, (size_t)(1000 + 1000 * round), seed + 50, 3000));
		say("%lld", (long long)lseek(fd, 0, SEEK_END));
		MUST(give(how, fd) == 0);
	}
	SEE(close(other));
	SEE(close(fd));
}

/* When a lock for writing becomes one for reading, others may read at once what was written under it. */
static void made_shared(void)
{
	int fd = open("shared", O_RDWR | O_CREAT, 0600);

	for (int how = 0; how < 3; how++) {
		MUST((how < 2 ? flock(fd, LOCK_EX) : posix_lock(fd, F_SETLK, F_WRLCK, 0, 0)) == 0);
		fill(bytes, BYTES, 7 + (unsigned int)how, 0);
		MUST(pwrite(fd, bytes, BYTES, 0) == BYTES);
		SEE(how < 2 ? flock(fd, LOCK_SH | (how ? LOCK_NB : 0)) : posix_lock(fd, F_SETLKW, F_RDLCK, 0, 0));
		outside("shared");
	}
	SEE(close(fd));
}

/* Another process takes the lock without waiting, if it can. */
static int taken_by_another(int how, const char *name)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		int fd = open(name, O_RDWR);

		_exit(fd < 0 || (how == 1 ? flock(fd, LOCK_EX | LOCK_NB) : posix_lock(fd, F_SETLK, F_WRLCK, 0, 0)) < 0);
	}
	MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status) == 0;
}

static void limit_files(rlim_t length)
{
	struct rlimit limit;

	MUST(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	limit.rlim_cur = length == RLIM_INFINITY ? limit.rlim_max : length;
	MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* Bytes that cannot be written when a lock is released are reported if they were not written before; the lock must not keep others out. */
static void given_back_all_the_same(void)
{
	enum { LIMIT = 1 << 20, PLACE = 2 << 20 };

	MUST(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	for (int how = 0; how < 4; how++) {
		/* A new file each time, because the fork has ended the cache of the last one. */
		char name[20];
		int fd, told;

		snprintf(name, sizeof(name), "unwritten-%d", how);
		fd = open(name, O_RDWR | O_CREAT, 0600);
		MUST(take(how, fd) == 0);
		fill(bytes, BYTES, 50 + (unsigned int)how, 0);
		MUST(pwrite(fd, bytes, 100, PLACE) == 100);
		limit_files(LIMIT);
		errno = 0;
		told = give(how, fd) < 0;
		MUST(errno == (told ? EFBIG : 0));
		limit_files(RLIM_INFINITY);
		say("lock %d: free %d", how, taken_by_another(how, name));
		/* Nothing is lost, and the next sync reports it, too. */
		MUST((fsync(fd) < 0) == told && fsync(fd) == 0);
		outside(name);
		SEE(close(fd));
	}
}

static void refused(void)
{
	int fd = open("counted", O_RDONLY);

	SEE(posix_lock(fd, F_SETLK, F_WRLCK, 0, 1));
	SEE(posix_lock(fd, F_SETLK, 77, 0, 1));
	SEE(flock(fd, 77));
	SEE(flock(-1, LOCK_EX));
	SEE(lockf(fd, F_TLOCK, 1));
	SEE(lockf(fd, F_TEST, 1));
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	/* Comes first, because a fork with the file open for writing ends its cache. */
	from_where();
	for (int how = 0; how < 4; how++)
		turns(how);
	parts();
	for (int how = 0; how < 4; how++)
		longer(how);
	kept();
	others_write();
	made_shared();
	given_back_all_the_same();
	refused();
	return 0;
}
