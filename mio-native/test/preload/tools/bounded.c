/*
 * bounded SECONDS PROGRAM [ARGUMENT...]: runs a program that may hang. The program gets no descriptors but 0, 1 and 2, and its own
 * process group. bounded exits with its status (128 plus the signal's number after a signal), or with 124 when the time is over. It
 * then says on stderr what each process of the group is doing, with gdb where that is installed, and kills the group.
 *
 * MIO_TEST_PRELOAD becomes LD_PRELOAD of the program alone. With MIO_TEST_NO_RINGS the kernel refuses io_uring to the program.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void on_signal(int number)
{
	(void)number;
}

static void tell(const char *name)
{
	char bytes[4096];
	int fd = open(name, O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes) - 1);

	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return;
	for (ssize_t i = 0; i < length; i++)
		if (bytes[i] == 0)
			bytes[i] = ' ';
	bytes[length] = 0;
	fprintf(stderr, "%s: %s%s", name, bytes, bytes[length - 1] == '\n' ? "" : "\n");
}

static void tell_threads(const char *process)
{
	char name[600];
	struct dirent *entry;
	DIR *tasks;

	snprintf(name, sizeof(name), "/proc/%s/cmdline", process);
	tell(name);
	snprintf(name, sizeof(name), "/proc/%s/task", process);
	tasks = opendir(name);
	while (tasks && (entry = readdir(tasks))) {
		static const char *const what[] = {"wchan", "syscall", "stack"};

		for (size_t i = 0; i < 3 && isdigit((unsigned char)entry->d_name[0]); i++) {
			snprintf(name, sizeof(name), "/proc/%s/task/%s/%s", process, entry->d_name, what[i]);
			tell(name);
		}
	}
	if (tasks)
		closedir(tasks);
	snprintf(name, sizeof(name),
		 "command -v gdb >/dev/null && timeout 20 gdb -nx -batch -p %s -ex 'thread apply all bt 20' 2>/dev/null "
		 "| grep -E '^(#|Thread)' >&2", process);
	unsetenv("LD_PRELOAD");
	if (system(name) != 0)
		fprintf(stderr, "process %s: no gdb\n", process);
}

/* Reports every process of the group. */
static void tell_group(pid_t group)
{
	struct dirent *entry;
	DIR *all = opendir("/proc");

	while (all && (entry = readdir(all)))
		if (isdigit((unsigned char)entry->d_name[0]) && getpgid((pid_t)atoi(entry->d_name)) == group)
			tell_threads(entry->d_name);
	if (all)
		closedir(all);
}

static int refuse_rings(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t child_ends;
	sigset_t before;
	struct timespec left;
	time_t end;
	pid_t child;
	int status;

	if (argc < 3) {
		fprintf(stderr, "bounded SECONDS PROGRAM [ARGUMENT...]\n");
		return 125;
	}
	sigemptyset(&child_ends);
	sigaddset(&child_ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child_ends, &before);
	sigaction(SIGCHLD, &action, NULL);
	child = fork();
	if (child < 0) {
		perror("fork");
		return 125;
	}
	if (child == 0) {
		const char *preload = getenv("MIO_TEST_PRELOAD");

		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &before, NULL);
		/* Shells start background jobs with some signals ignored. */
		for (int number = 1; number < 32; number++)
			signal(number, SIG_DFL);
		/* bounded itself runs without the preload library. */
		if (preload && *preload)
			setenv("LD_PRELOAD", preload, 1);
		unsetenv("MIO_TEST_PRELOAD");
		for (int fd = 3; fd < 64; fd++)
			close(fd);
		if (getenv("MIO_TEST_NO_RINGS") && refuse_rings()) {
			perror("seccomp");
			_exit(125);
		}
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	setpgid(child, child);
	end = time(NULL) + atoi(argv[1]);
	for (;;) {
		pid_t got = waitpid(child, &status, WNOHANG);

		if (got == child)
			break;
		left = (struct timespec){end - time(NULL), 0};
		if (left.tv_sec > 0) {
			sigtimedwait(&child_ends, NULL, &left);
			continue;
		}
		fprintf(stderr, "TIMEOUT after %s s: %s\n", argv[1], argv[2]);
		tell_group(child);
		kill(-child, SIGKILL);
		waitpid(child, &status, 0);
		return 124;
	}
	/* Processes that the program left running are ended. */
	kill(-child, SIGKILL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
