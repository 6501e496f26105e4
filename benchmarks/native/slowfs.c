/*
 * slowfs shows a directory in another place, with a latency for each read and write request, as network and cloud disks
 * have.
 *
 *   slowfs [-l MICROSECONDS] [-b MEGABYTES_PER_SECOND] [-t THREADS] DIRECTORY MOUNT_POINT
 *   cc -O2 -pthread -o slowfs slowfs.c slowfs_files.c slowfs_nodes.c
 *
 * It speaks the kernel's FUSE protocol on /dev/fuse. Up to THREADS (default 64) requests are served at the same time:
 * each is answered when its latency is over, counted from its arrival. With -b their bytes also go one after the other
 * through one pipe of that width. Everything else has no latency added. The kernel keeps pages of the files as for any
 * file system; requests with O_DIRECT come here, in pieces of 1 MiB at most.
 *
 * Prints a line when the directory is mounted, and a line of counts at the end (SIGTERM, SIGINT, or umount). SIGUSR1
 * prints that line and begins to count anew. Needs root, or fusermount3. Exit status: 0; 1 if it cannot work; 2 for
 * wrong arguments.
 */
#define _GNU_SOURCE
#include "slowfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define SECOND_NS 1000000000

struct counts {
	uint64_t requests[2]; /* reads, writes */
	uint64_t bytes[2];
	uint32_t largest[2];
	uint64_t direct_opens;
	unsigned flight, flight_most;
};

static int fuse_fd = -1;
static int64_t latency_ns = 1000000;
static int64_t bytes_per_second;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counts counts;
static int64_t pipe_free_ns; /* when the last byte so far is through it */

static void fail(const char *what, int error)
{
	fprintf(stderr, "slowfs: %s: %s\n", what, strerror(error));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

void slow_count_direct(void)
{
	pthread_mutex_lock(&lock);
	counts.direct_opens++;
	pthread_mutex_unlock(&lock);
}

/* Counts a request that has come. Returns the time at which to answer it. */
static int64_t begin(int writes, uint32_t bytes)
{
	int64_t now = now_ns();
	int64_t end = now;

	pthread_mutex_lock(&lock);
	counts.requests[writes]++;
	counts.bytes[writes] += bytes;
	if (bytes > counts.largest[writes])
		counts.largest[writes] = bytes;
	if (++counts.flight > counts.flight_most)
		counts.flight_most = counts.flight;
	if (bytes_per_second) {
		if (pipe_free_ns < now)
			pipe_free_ns = now;
		pipe_free_ns += (int64_t)bytes * SECOND_NS / bytes_per_second;
		end = pipe_free_ns;
	}
	pthread_mutex_unlock(&lock);
	return end + latency_ns;
}

static void end(int64_t when_ns)
{
	struct timespec when = {when_ns / SECOND_NS, when_ns % SECOND_NS};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
		;
	pthread_mutex_lock(&lock);
	counts.flight--;
	pthread_mutex_unlock(&lock);
}

static void say_counts(void)
{
	struct counts c;

	pthread_mutex_lock(&lock);
	c = counts;
	memset(&counts, 0, sizeof(counts));
	counts.flight = counts.flight_most = c.flight;
	pthread_mutex_unlock(&lock);
	printf("slowfs: reads %" PRIu64 ", bytes %" PRIu64 ", largest %u; writes %" PRIu64 ", bytes %" PRIu64
	       ", largest %u; most in flight %u; direct opens %" PRIu64 "\n",
	       c.requests[0], c.bytes[0], c.largest[0], c.requests[1], c.bytes[1], c.largest[1], c.flight_most, c.direct_opens);
	fflush(stdout);
}

/* Answers the kernel's offer of features with those that are used. Returns 0 or -errno. */
static int greet(struct slow_request *request)
{
	const struct fuse_init_in *in = (const void *)request->argument;
	struct fuse_init_out *out = (void *)request->answer;

	if (in->major != FUSE_KERNEL_VERSION || in->minor < 28)
		return -EPROTO;
	memset(out, 0, sizeof(*out));
	out->major = FUSE_KERNEL_VERSION;
	out->minor = FUSE_KERNEL_MINOR_VERSION;
	out->max_readahead = in->max_readahead;
	/* The kernel collects writes by FUSE_WRITEBACK_CACHE, as for a disk; without it each write would wait. */
	out->flags = in->flags & (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO | FUSE_WRITEBACK_CACHE | FUSE_MAX_PAGES |
				  FUSE_PARALLEL_DIROPS);
	out->max_background = 1024;
	out->congestion_threshold = 768;
	out->max_write = SLOW_BYTES_MAX;
	out->max_pages = SLOW_BYTES_MAX / PAGE;
	out->time_gran = 1;
	request->answer_bytes = sizeof(*out);
	return 0;
}

static int serve(struct slow_request *request)
{
	int writes = request->head.opcode == FUSE_WRITE;
	int64_t when;
	int result;

	if (request->head.opcode == FUSE_INIT)
		return greet(request);
	if (request->head.opcode == FUSE_INTERRUPT) {
		request->silent = 1;
		return 0;
	}
	if (!writes && request->head.opcode != FUSE_READ)
		return slow_files_serve(request);
	/* The arguments of reads and writes both begin with handle, offset and size. */
	when = begin(writes, ((const struct fuse_read_in *)(const void *)request->argument)->size);
	result = slow_files_serve(request);
	end(when);
	return result;
}

/* Serves until the file system is unmounted. */
static void *work(void *nothing)
{
	size_t room = SLOW_BYTES_MAX + PAGE;
	struct slow_request request = {.answer = aligned_alloc(PAGE, SLOW_BYTES_MAX)};
	char *incoming = aligned_alloc(PAGE, room);

	prctl(PR_SET_TIMERSLACK, 1UL);
	if (!incoming || !request.answer)
		fail("memory", ENOMEM);
	for (;;) {
		ssize_t got = read(fuse_fd, incoming, room);
		struct fuse_out_header head = {0};
		struct iovec parts[2] = {{&head, sizeof(head)}, {request.answer, 0}};

		/* ENOENT: the process that asked has gone. */
		if (got < 0 && (errno == ENOENT || errno == EINTR || errno == EAGAIN))
			continue;
		if (got < (ssize_t)sizeof(request.head))
			break;
		memcpy(&request.head, incoming, sizeof(request.head));
		request.argument = incoming + sizeof(request.head);
		request.argument_bytes = (size_t)got - sizeof(request.head);
		request.answer_bytes = 0;
		request.silent = 0;
		head.error = serve(&request);
		if (request.silent)
			continue;
		head.unique = request.head.unique;
		parts[1].iov_len = head.error ? 0 : request.answer_bytes;
		head.len = (uint32_t)(sizeof(head) + parts[1].iov_len);
		/* Fails if the process that asked has gone; then nobody waits for the answer. */
		(void)!writev(fuse_fd, parts, 2);
	}
	/* Another process has unmounted it: wake the main thread, which waits for a signal. */
	kill(getpid(), SIGUSR2);
	free(incoming);
	free(request.answer);
	return nothing;
}

/* Mounts by "fusermount3 -o OPTIONS MOUNT_POINT", which sends the descriptor of /dev/fuse through a socket. */
static int mount_by_helper(const char *options, const char *mount_point)
{
	char control[CMSG_SPACE(sizeof(int))] = {0};
	char byte, number[16];
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	int ends[2], fd = -1, status;
	pid_t child = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 || (child = fork()) < 0)
		fail("fusermount3", errno);
	if (child == 0) {
		close(ends[0]);
		snprintf(number, sizeof(number), "%d", ends[1]);
		setenv("_FUSE_COMMFD", number, 1);
		execlp("fusermount3", "fusermount3", "-o", options, "--", mount_point, (char *)NULL);
		fprintf(stderr, "slowfs: fusermount3: %s; run slowfs as root, or install the package fuse3\n", strerror(errno));
		_exit(1);
	}
	close(ends[1]);
	if (recvmsg(ends[0], &message, MSG_CMSG_CLOEXEC) > 0 && CMSG_FIRSTHDR(&message))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	close(ends[0]);
	waitpid(child, &status, 0);
	if (fd < 0)
		exit(1); /* It said why. */
	return fd;
}

static int mount_here(const char *directory, const char *mount_point)
{
	char options[160];
	int fd;

	if (access("/dev/fuse", F_OK) < 0) {
		fprintf(stderr, "slowfs: no /dev/fuse: this kernel or container has no FUSE (modprobe fuse; for a container --device /dev/fuse)\n");
		exit(1);
	}
	if (geteuid() != 0)
		return mount_by_helper("fsname=slowfs,default_permissions", mount_point);
	fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fail("/dev/fuse", errno);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions,max_read=%d", fd,
		 SLOW_BYTES_MAX);
	if (mount("slowfs", mount_point, "fuse.slowfs", MS_NODEV | MS_NOSUID, options) < 0) {
		fprintf(stderr, "slowfs: %s on %s cannot be mounted: %s%s\n", directory, mount_point, strerror(errno),
			errno == EPERM ? "; a container needs the capability CAP_SYS_ADMIN" : "");
		exit(1);
	}
	return fd;
}

static void unmount(const char *mount_point)
{
	pid_t child;

	if (geteuid() == 0) {
		/* Fails if another process has unmounted it. */
		(void)umount2(mount_point, MNT_DETACH);
		return;
	}
	child = fork();
	if (child == 0) {
		execlp("fusermount3", "fusermount3", "-u", "-q", "-z", "--", mount_point, (char *)NULL);
		_exit(1);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static int64_t number_of(const char *text, int64_t least, const char *what)
{
	char *end_of;
	long long number = strtoll(text, &end_of, 10);

	if (*text == '\0' || *end_of != '\0' || number < least || number > SECOND_NS) {
		fprintf(stderr, "slowfs: %s: not %s from %" PRId64 "\n", text, what, least);
		exit(2);
	}
	return number;
}

int main(int count, char **arguments)
{
	int64_t threads = 64;
	struct rlimit descriptors;
	pthread_t *started;
	sigset_t signals;
	int option, root, signal_number;

	while ((option = getopt(count, arguments, "l:b:t:")) != -1) {
		if (option == 'l')
			latency_ns = number_of(optarg, 0, "microseconds") * 1000;
		else if (option == 'b')
			bytes_per_second = number_of(optarg, 1, "megabytes per second") * 1000000;
		else if (option == 't')
			threads = number_of(optarg, 1, "a number of threads");
		else
			optind = count;
	}
	if (count - optind != 2) {
		fprintf(stderr, "usage: slowfs [-l MICROSECONDS] [-b MEGABYTES_PER_SECOND] [-t THREADS] DIRECTORY MOUNT_POINT\n");
		return 2;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	/* The reader of the printed lines may end first. */
	signal(SIGPIPE, SIG_IGN);
	if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0) {
		descriptors.rlim_cur = descriptors.rlim_max;
		setrlimit(RLIMIT_NOFILE, &descriptors);
	}
	umask(0);
	root = open(arguments[optind], O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || slow_nodes_begin(root) < 0)
		fail(arguments[optind], errno);
	fuse_fd = mount_here(arguments[optind], arguments[optind + 1]);
	started = calloc((size_t)threads, sizeof(*started));
	for (int64_t i = 0; i < threads; i++)
		if (!started || (errno = pthread_create(&started[i], NULL, work, NULL)) != 0) {
			unmount(arguments[optind + 1]);
			fail("threads", errno);
		}
	printf("slowfs: %s on %s, %" PRId64 " us\n", arguments[optind], arguments[optind + 1], latency_ns / 1000);
	fflush(stdout);
	while (sigwait(&signals, &signal_number) == 0 && signal_number == SIGUSR1)
		say_counts();
	/* Files that are still open are served until they are closed; a second signal ends the program without that. */
	sigdelset(&signals, SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	unmount(arguments[optind + 1]);
	for (int64_t i = 0; i < threads; i++)
		pthread_join(started[i], NULL);
	say_counts();
	free(started);
	return 0;
}
