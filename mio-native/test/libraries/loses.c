/*
 * loses HOW: writes bytes that the kernel no longer takes by the time the file is closed in the way HOW says. It says what that
 * call returns, and which file the descriptor refers to afterwards.
 */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char bytes[40000];

static void say(const char *what, int rc)
{
	char line[200];
	int length = snprintf(line, sizeof(line), "%s %s\n", what, rc < 0 ? strerrorname_np(errno) : "done");

	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

static int filter(void)
{
	struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {1, all};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **arguments)
{
	struct rlimit small = {4096, 4096};
	const char *how = count > 1 ? arguments[1] : "";
	FILE *stream = NULL;
	struct stat found, others;
	int other, fd;

	signal(SIGXFSZ, SIG_IGN);
	other = open("other", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (strcmp(how, "freopen") == 0)
		stream = fopen("lost", "w+");
	fd = stream ? fileno(stream) : open("lost", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (other < 0 || fd < 0 || write(fd, bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes) || setrlimit(RLIMIT_FSIZE, &small) < 0)
		return 8;
	if (strcmp(how, "close") == 0)
		say(how, close(fd));
	else if (strcmp(how, "close_range") == 0)
		say(how, close_range((unsigned int)fd, (unsigned int)fd, 0));
	else if (strcmp(how, "closefrom") == 0)
		closefrom(fd);
	else if (strcmp(how, "dup2") == 0)
		say(how, dup2(other, fd));
	else if (strcmp(how, "dup3") == 0)
		say(how, dup3(other, fd, O_CLOEXEC));
	else if (strcmp(how, "dup2 of a copy") == 0)
		say(how, dup(fd) < 0 ? -1 : dup2(other, fd));
	else if (strcmp(how, "aio_fsync") == 0)
		say(how, aio_fsync(O_SYNC, &(struct aiocb){.aio_fildes = fd}));
	else if (strcmp(how, "syncfs") == 0)
		say(how, syncfs(other));
	else if (stream)
		say(how, freopen("other", "r+", stream) ? 0 : -1);
	else
		say(how, filter());
	fstat(other, &others);
	if (fstat(fd, &found) < 0)
		say("number", -1);
	else
		say(found.st_ino == others.st_ino ? "other" : "lost", 0);
	_exit(0);
}
