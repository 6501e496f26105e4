/*
 * Compares each call of the C API with the plain call. Both run one script, each on a file of its own, under every rule. What the
 * calls return, errno, and what the files hold afterwards must be the same, line for line.
 */
#include "capi_api.h"

static const struct api plain = API(, open);
static const struct api mio = API(MIO_, MIO_open_variadic);

static char log_text[1 << 16];
static size_t log_length;

static void note(const char *what, int64_t result)
{
	int error = errno;

	ASSERT(log_length + 200 < sizeof(log_text));
	log_length += (size_t)snprintf(log_text + log_length, sizeof(log_text) - log_length, "%s: %lld %s\n", what,
				       (long long)result, result < 0 ? strerror(error) : "");
}

/* Makes the call and notes its result. On success errno must stay as it was. */
#define NOTE(call) \
	do { \
		int64_t result_; \
		errno = EXFULL; \
		result_ = (int64_t)(call); \
		if (result_ >= 0) \
			ASSERT_EQUAL(EXFULL, errno); \
		note(#call, result_); \
	} while (0)

/* The same for calls that may return any number on success: only the sign counts. */
#define NOTE_SIGN(call) NOTE((call) >= 0 ? 0 : -1)

static void note_bytes(const char *memory, size_t bytes)
{
	uint64_t sum = 14695981039346656037u;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ (unsigned char)memory[i]) * 1099511628211u;
	note("bytes", (int64_t)(sum >> 1));
}

static void note_stat(const struct api *a, int fd)
{
	struct stat found;

	memset(&found, 0, sizeof(found));
	NOTE(a->fstat(fd, &found));
	note("size", found.st_size);
	note("mode", (int64_t)found.st_mode);
	note("links", (int64_t)found.st_nlink);
}

static void fill(char *memory, size_t bytes, unsigned int seed)
{
	for (size_t i = 0; i < bytes; i++)
		memory[i] = (char)(seed = seed * 1664525 + 1013904223, seed >> 24);
}

static void opens(const struct api *a, const char *name)
{
	char below[512];

	snprintf(below, sizeof(below), "%s/x", name);
	NOTE_SIGN(a->open(name, O_RDONLY));
	NOTE_SIGN(a->open(test_directory(), O_RDWR));
	NOTE_SIGN(a->open("", O_RDONLY));
	NOTE_SIGN(a->open(NULL, O_RDONLY));
	NOTE(a->close(a->open(name, O_WRONLY | O_CREAT | O_EXCL, 0640)));
	NOTE_SIGN(a->open(name, O_WRONLY | O_CREAT | O_EXCL, 0640));
	NOTE_SIGN(a->open(below, O_RDONLY));
	NOTE(a->close(a->open(name, O_RDWR | O_TRUNC)));
	NOTE(a->close(a->open(test_directory(), O_RDONLY | O_DIRECTORY)));
	NOTE(a->close(a->open("/dev/null", O_WRONLY)));
	NOTE(a->unlink(name));
	NOTE(a->unlink(name));
}

static void moves(const struct api *a, const char *name)
{
	char memory[10000];
	char back[20000] = {0};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);

	fill(memory, sizeof(memory), 1);
	NOTE(a->read(fd, back, 10));
	NOTE(a->write(fd, memory, 0));
	NOTE(a->write(fd, memory, 5000));
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->write(fd, memory + 5000, 5000));
	NOTE(a->lseek(fd, -1, SEEK_SET));
	NOTE(a->lseek(fd, -20000, SEEK_CUR));
	NOTE(a->lseek(fd, INT64_MAX, SEEK_CUR));
	NOTE(a->lseek(fd, INT64_MAX, SEEK_SET));
	NOTE(a->lseek(fd, (int64_t)1 << 60, SEEK_SET));
	NOTE(a->lseek(fd, (int64_t)1 << 41, SEEK_SET));
	NOTE(a->read(fd, back, 10));
	NOTE(a->lseek(fd, 0, 77));
	NOTE(a->lseek(fd, 0, SEEK_END));
	NOTE(a->lseek(fd, -100, SEEK_END));
	NOTE(a->read(fd, back, sizeof(back)));
	note_bytes(back, 100);
	NOTE(a->read(fd, back, sizeof(back)));
	NOTE(a->lseek(fd, 123, SEEK_SET));
	NOTE(a->read(fd, back, 5000));
	note_bytes(back, 5000);
	NOTE(a->read(fd, back, 0));
	NOTE(a->pread(fd, back, 5000, 7000));
	note_bytes(back, 3000);
	NOTE(a->pread(fd, back, 1, -1));
	NOTE(a->pread(fd, back, 100, 10000));
	NOTE(a->pwrite(fd, memory, 100, -5));
	NOTE(a->pwrite(fd, memory, 100, 30000));
	NOTE(a->pwrite(fd, memory, 300, 8000));
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->lseek(fd, 0, SEEK_END));
	NOTE(a->pread(fd, back, sizeof(back), 9000));
	note_bytes(back, sizeof(back));
	note_stat(a, fd);
	NOTE(a->close(fd));
	NOTE(a->close(fd));
}

static void vectors(const struct api *a, const char *name)
{
	char memory[9000];
	char back[9000] = {0};
	struct iovec out[3] = {{memory, 1}, {memory + 1, 5000}, {memory + 5001, 3999}};
	struct iovec in[4] = {{back + 4000, 5000}, {back, 0}, {back, 3000}, {back + 3000, 1000}};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);

	fill(memory, sizeof(memory), 2);
	memset(back, 0, sizeof(back));
	NOTE(a->writev(fd, out, 3));
	NOTE(a->writev(fd, out, 0));
	NOTE(a->writev(fd, out, -1));
	NOTE(a->writev(fd, out, 100000));
	NOTE(a->lseek(fd, 10, SEEK_SET));
	NOTE(a->readv(fd, in, 4));
	note_bytes(back, sizeof(back));
	NOTE(a->readv(fd, in, 4));
	NOTE(a->readv(fd, in, 0));
	NOTE(a->readv(fd, in, -1));
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->close(fd));
}

static void access_rights(const struct api *a, const char *name)
{
	char memory[100] = {0};
	int out = a->open(name, O_WRONLY | O_CREAT, 0600);
	int in = a->open(name, O_RDONLY);

	NOTE(a->write(in, memory, 10));
	NOTE(a->pwrite(in, memory, 10, 0));
	NOTE(a->ftruncate(in, 5));
	NOTE(a->read(out, memory, 10));
	NOTE(a->pread(out, memory, 10, 0));
	NOTE(a->write(out, memory, 100));
	NOTE(a->read(in, memory, 60));
	NOTE(a->ftruncate(out, 70));
	NOTE(a->read(in, memory, 60));
	note_stat(a, in);
	NOTE(a->close(out));
	NOTE(a->close(in));
}

static void copies(const struct api *a, const char *name)
{
	char memory[6000];
	char back[6000] = {0};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);
	int copy = a->dup(fd);
	int other = a->open(name, O_RDWR);
	int third;

	fill(memory, sizeof(memory), 3);
	NOTE(a->write(fd, memory, 6000));
	NOTE(a->lseek(copy, 0, SEEK_CUR));
	NOTE(a->close(fd));
	NOTE(a->lseek(copy, 1000, SEEK_SET));
	NOTE(a->read(copy, back, 500));
	note_bytes(back, 500);
	NOTE_SIGN(a->dup2(copy, other));
	NOTE(a->lseek(other, 0, SEEK_CUR));
	NOTE_SIGN(a->dup2(other, other));
	NOTE_SIGN(a->dup2(-1, other));
	NOTE_SIGN(a->dup2(other, -1));
	NOTE_SIGN(a->dup(-1));
	NOTE(a->read(other, back, 500));
	note_bytes(back, 500);
	third = a->fcntl(other, F_DUPFD, 200);
	NOTE(third >= 200);
	NOTE(a->lseek(third, 0, SEEK_CUR));
	NOTE(a->close(a->fcntl(third, F_DUPFD_CLOEXEC, 300)));
	NOTE(a->fcntl(third, F_GETFD));
	NOTE(a->fcntl(third, F_SETFD, FD_CLOEXEC));
	NOTE(a->fcntl(third, F_GETFD));
	NOTE(a->fcntl(third, 99999, 0));
	NOTE(a->close(other));
	NOTE(a->close(copy));
	NOTE(a->write(third, memory, 100));
	note_stat(a, third);
	NOTE(a->close(third));
}

static void flags(const struct api *a, const char *name)
{
	char memory[5000];
	char back[5000] = {0};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);

	fill(memory, sizeof(memory), 4);
	NOTE(a->fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	NOTE(a->write(fd, memory, 5000));
	NOTE(a->lseek(fd, 10, SEEK_SET));
	NOTE(a->fcntl(fd, F_SETFL, O_APPEND));
	NOTE(a->fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND));
	NOTE(a->write(fd, memory, 100));
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->pwrite(fd, memory, 50, 3));
	NOTE(a->fcntl(fd, F_SETFL, 0));
	NOTE(a->pwrite(fd, memory, 50, 3));
	NOTE(a->pread(fd, back, 5000, 200));
	note_bytes(back, 5000);
	note_stat(a, fd);
	NOTE(a->close(fd));
	fd = a->open(name, O_RDWR | O_APPEND);
	NOTE(a->write(fd, memory, 7));
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->lseek(fd, 0, SEEK_SET));
	NOTE(a->write(fd, memory, 7));
	NOTE(a->read(fd, back, 10));
	note_stat(a, fd);
	NOTE(a->close(fd));
}

static void locks(const struct api *a, const char *name)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 10};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);
	int status = -1;
	pid_t child;

	NOTE(a->write(fd, "0123456789", 10));
	NOTE(a->fcntl(fd, F_SETLK, &lock));
	child = fork();
	if (child == 0) {
		int other = open(name, O_RDONLY);
		struct flock asked = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

		_exit(fcntl(other, F_GETLK, &asked) == 0 && asked.l_type == F_WRLCK ? 3 : 4);
	}
	NOTE(waitpid(child, &status, 0) == child);
	note("another process", WEXITSTATUS(status));
	lock.l_type = F_UNLCK;
	NOTE(a->fcntl(fd, F_SETLKW, &lock));
	lock.l_type = 77;
	NOTE(a->fcntl(fd, F_SETLK, &lock));
	/* Relative to the position. */
	lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 5, .l_len = 3};
	NOTE(a->fcntl(fd, F_SETLK, &lock));
	child = fork();
	if (child == 0) {
		int other = open(name, O_RDONLY);
		struct flock asked = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

		_exit(fcntl(other, F_GETLK, &asked) == 0 && asked.l_type == F_WRLCK ? (int)asked.l_start : 4);
	}
	NOTE(waitpid(child, &status, 0) == child);
	note("where another process meets it", WEXITSTATUS(status));
	lock.l_type = F_UNLCK;
	NOTE(a->fcntl(fd, F_SETLK, &lock));
	lock = (struct flock){.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 10};
	lock.l_pid = 0;
	NOTE(a->fcntl(fd, F_OFD_SETLK, &lock));
	NOTE(a->close(fd));
}

static void sizes(const struct api *a, const char *name)
{
	struct statfs place;
	char memory[9000];
	char back[20000] = {0};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);

	fill(memory, sizeof(memory), 5);
	NOTE(a->write(fd, memory, 9000));
	note_stat(a, fd);
	NOTE(a->ftruncate(fd, 5000));
	note_stat(a, fd);
	NOTE(a->lseek(fd, 0, SEEK_CUR));
	NOTE(a->ftruncate(fd, 15000));
	note_stat(a, fd);
	memset(back, 1, sizeof(back));
	NOTE(a->pread(fd, back, sizeof(back), 0));
	note_bytes(back, 15000);
	NOTE(a->ftruncate(fd, -1));
	NOTE(a->write(fd, memory, 100));
	NOTE(a->fsync(fd));
	NOTE(a->write(fd, memory, 100));
	NOTE(a->fdatasync(fd));
	NOTE(a->lseek(fd, 0, SEEK_DATA));
	NOTE(a->lseek(fd, 0, SEEK_HOLE));
	NOTE(a->fstatfs(fd, &place));
	note("type", (int64_t)place.f_type);
	NOTE(a->unlink(name));
	NOTE(a->pwrite(fd, memory, 100, 20000));
	NOTE(a->pread(fd, back, 200, 19950));
	note_bytes(back, 150);
	note_stat(a, fd);
	NOTE(a->close(fd));
}

static void nothing_there(const struct api *a, const char *name)
{
	struct iovec vector = {NULL, 0};
	struct statfs place;
	struct stat found;
	char memory[10];

	(void)name;
	for (int fd = -1; fd < 1000; fd += 950) {
		NOTE(a->close(fd));
		NOTE(a->dup(fd));
		NOTE(a->read(fd, memory, 1));
		NOTE(a->write(fd, memory, 1));
		NOTE(a->readv(fd, &vector, 1));
		NOTE(a->writev(fd, &vector, 1));
		NOTE(a->pread(fd, memory, 1, 0));
		NOTE(a->pwrite(fd, memory, 1, 0));
		NOTE(a->lseek(fd, 0, SEEK_SET));
		NOTE(a->fcntl(fd, F_GETFD));
		NOTE(a->fcntl(fd, F_DUPFD, 0));
		NOTE(a->fstat(fd, &found));
		NOTE(a->fstatfs(fd, &place));
		NOTE(a->fsync(fd));
		NOTE(a->fdatasync(fd));
		NOTE(a->ftruncate(fd, 0));
	}
}

static void requests(const struct api *a, const char *name)
{
	char memory[5000];
	char back[5000] = {0};
	int fd = a->open(name, O_RDWR | O_CREAT, 0600);
	struct aiocb one = {.aio_fildes = fd, .aio_buf = memory, .aio_nbytes = 5000, .aio_offset = 0};
	struct aiocb two = {.aio_fildes = fd, .aio_buf = back, .aio_nbytes = 5000, .aio_offset = 100};
	struct aiocb *list[2] = {&one, NULL};
	const struct aiocb *waited[1] = {&one};

	one.aio_sigevent.sigev_notify = SIGEV_NONE;
	two.aio_sigevent.sigev_notify = SIGEV_NONE;
	fill(memory, sizeof(memory), 6);
	NOTE(a->write(fd, "written before", 14));
	NOTE_SIGN(a->aio_write(&one));
	while (a->aio_error(&one) == EINPROGRESS)
		a->aio_suspend(waited, 1, NULL);
	note("error", a->aio_error(&one));
	note("return", a->aio_return(&one));
	NOTE(a->pread(fd, back, 5000, 0));
	note_bytes(back, 5000);
	memset(back, 0, sizeof(back));
	NOTE_SIGN(a->aio_read(&two));
	waited[0] = &two;
	while (a->aio_error(&two) == EINPROGRESS)
		a->aio_suspend(waited, 1, NULL);
	note("return", a->aio_return(&two));
	note_bytes(back, 5000);
	one.aio_offset = 6000;
	one.aio_lio_opcode = LIO_WRITE;
	NOTE_SIGN(a->lio_listio(LIO_WAIT, list, 2, NULL));
	note("return", a->aio_return(&one));
	NOTE(a->aio_cancel(fd, NULL));
	NOTE(a->write(fd, "behind", 6));
	note_stat(a, fd);
	NOTE(a->close(fd));
}

static void run_by_both(const char *what, void (*script)(const struct api *a, const char *name))
{
	static char expected[sizeof(log_text)];
	const struct api *both[2] = {&plain, &mio};
	char name[2][512];
	char *content[2] = {NULL, NULL};
	size_t bytes[2] = {0, 0};

	for (int i = 0; i < 2; i++) {
		log_length = 0;
		log_text[0] = 0;
		test_name(name[i], sizeof(name[i]), "%s%s", what, both[i]->name);
		unlink(name[i]);
		script(both[i], name[i]);
		if (i == 0)
			memcpy(expected, log_text, log_length + 1);
		if (access(name[i], F_OK) == 0)
			bytes[i] = test_content(name[i], &content[i]);
		unlink(name[i]);
	}
	if (strcmp(expected, log_text) != 0)
		fprintf(stderr, "%s, plain:\n%s\n%s, by MIO:\n%s\n", what, expected, what, log_text);
	ASSERT(strcmp(expected, log_text) == 0);
	ASSERT_EQUAL(content[0] != NULL, content[1] != NULL);
	ASSERT_EQUAL(bytes[0], bytes[1]);
	ASSERT(!content[0] || memcmp(content[0], content[1], bytes[0]) == 0);
	free(content[0]);
	free(content[1]);
}

#define BOTH(script) run_by_both(#script, script)

static void should_do_what_the_plain_calls_do(void)
{
	BOTH(opens);
	BOTH(moves);
	BOTH(vectors);
	BOTH(access_rights);
	BOTH(copies);
	BOTH(flags);
	BOTH(locks);
	BOTH(sizes);
	BOTH(nothing_there);
	BOTH(requests);
}

static void sentences(void)
{
	RUN(should_do_what_the_plain_calls_do);
}

int main(void)
{
	test_run_under_all_rules(sentences);
	return 0;
}
