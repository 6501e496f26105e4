#ifndef MIO_TEST_OS_FILES_H
#define MIO_TEST_OS_FILES_H

/* Files, backends and layers for the tests of the os directory. */

#include "../src/common/memory.h"
#include "../src/os/os_backend.h"
#include "../src/os/os_file.h"
#include "../src/os/os_layer.h"
#include "../src/os/os_uring.h"
#include "assert.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The thread sanitizer has a thread of its own, and does not let a forked child start a thread. */
#if defined(__SANITIZE_THREAD__)
#define TEST_HAS_OWN_THREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_HAS_OWN_THREAD 1
#endif
#endif
#ifndef TEST_HAS_OWN_THREAD
#define TEST_HAS_OWN_THREAD 0
#endif

/* Address sanitizer (GCC 12): after a fork while another thread allocates memory, the child cannot allocate any. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_MAY_FORK 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_MAY_FORK 0
#endif
#endif
#ifndef TEST_MAY_FORK
#define TEST_MAY_FORK 1
#endif

static const char *const test_backends[] = {"uring", "threads", "sync"};
enum { TEST_BACKENDS = 3 };

static inline const char *test_build_dir(void)
{
	const char *dir = getenv("MIO_TEST_DIR");

	return dir ? dir : ".";
}

/* Makes a new file and returns its descriptor. path (4096 bytes) gets its name; if path is NULL, the file is unlinked at once. */
static inline int test_file(const char *dir, char *path)
{
	char name[4096];
	char *used = path ? path : name;
	int fd;

	ASSERT(snprintf(used, sizeof(name), "%s/os_test.XXXXXX", dir) < (int)sizeof(name));
	fd = mkostemp(used, O_CLOEXEC);
	ASSERT(fd >= 0);
	if (!path)
		unlink(used);
	return fd;
}

static char test_said[4096];

static inline void test_say(void *context, const char *line)
{
	size_t length = strlen(test_said);

	(void)context;
	snprintf(test_said + length, sizeof(test_said) - length, "%s\n", line);
}

static inline int test_has_backend(const char *name)
{
	struct mio_os_uring *ring = NULL;

	if (strcmp(name, "uring") == 0 && mio_os_uring_open(1, &ring) < 0)
		return 0;
	mio_os_uring_close(ring);
	return 1;
}

/* Whether io_uring serves the file of fd. Threads serve files on servers and on FUSE. */
static inline int test_rings_serve(int fd)
{
	return test_has_backend("uring") && mio_os_file_place(fd) != MIO_OS_PLACE_REMOTE;
}

static inline struct mio_layer_spec *test_spec(int truncates)
{
	static struct mio_layer_spec spec = {.kind = MIO_LAYER_OS, .typed_name = "aix"};

	spec.values[MIO_OS_OPTION_TRUNC].setting = truncates ? MIO_SETTING_ON : MIO_SETTING_OFF;
	return &spec;
}

/* Makes the last layer over descriptors of MIO's own. oflags are those of fd. */
static inline struct mio_layer *test_own_layer(int fd, int oflags, int direct, const char *backend, struct mio_os_own **own)
{
	struct mio_os_wish wish = {.direct = direct, .asynchronous = 1};
	struct mio_open_request request = {.name = "test", .oflags = oflags, .fd = fd};
	struct mio_os_own *opened = NULL;
	struct mio_layer *layer;

	test_said[0] = 0;
	ASSERT_EQUAL(0, mio_os_backend_restrict(backend));
	ASSERT_EQUAL(0, mio_os_own_open(fd, oflags, "test", &wish, test_say, NULL, &opened));
	layer = mio_os_layer_make(test_spec(1), &request, opened);
	ASSERT(layer);
	if (own)
		*own = opened;
	return layer;
}

static inline void test_close(struct mio_layer *layer)
{
	ASSERT_EQUAL(0, layer->ops->close(layer));
	layer->ops->release(layer);
}

/* Counts the descriptors of this process, or only those on the file of fd if fd is not negative. */
static inline int test_descriptors(int fd)
{
	DIR *all = opendir("/proc/self/fd");
	struct dirent *entry;
	struct stat wanted;
	struct stat found;
	int count = 0;

	ASSERT(all);
	if (fd >= 0)
		ASSERT_EQUAL(0, fstat(fd, &wanted));
	while ((entry = readdir(all)) != NULL) {
		int number = atoi(entry->d_name);

		if (entry->d_name[0] == '.' || number == dirfd(all))
			continue;
		if (fd < 0 || (fstat(number, &found) == 0 && found.st_dev == wanted.st_dev &&
			       found.st_ino == wanted.st_ino))
			count++;
	}
	closedir(all);
	return count;
}

/* Runs work in a child process, so that it may change its resource limits. Returns the child's exit status. */
static inline int test_in_child(int (*work)(void))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		mio_memory_forked();
		mio_os_forked(0);
		_exit(work());
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	if (!WIFEXITED(status))
		fprintf(stderr, "child ended by signal %d\n", WTERMSIG(status));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* From now on the system call fails in this process with that error. Returns -1 where there is no seccomp. */
static inline int test_refuse(uint32_t number, uint32_t error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -1 : 0;
}

/* A number derived from the one before, for contents and choices. */
static inline uint32_t test_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

#endif
