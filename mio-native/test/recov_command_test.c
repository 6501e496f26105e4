/* Commands of a recov layer, and what the program that runs them sees of them. */
#include "../src/common/clone.h"
#include "../src/common/raw.h"
#include "../src/recov/recov_command.h"
#include "stats_place.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char *const none[] = {NULL};

/* The text with each @ replaced by the test's directory. */
static const char *command_of(const char *form)
{
	char text[16384];
	char *end = text;

	for (; *form; form++) {
		ASSERT(end + sizeof(place) < text + sizeof(text));
		if (*form == '@')
			end = stpcpy(end, place);
		else
			*end++ = *form;
	}
	return kept(text, (size_t)(end - text));
}

static void make_pipes(void)
{
	unlink(in_place("started"));
	unlink(in_place("never"));
	ASSERT_EQUAL(0, mkfifo(in_place("started"), 0600));
	ASSERT_EQUAL(0, mkfifo(in_place("never"), 0600));
}

/* Writes its process number to the file "started" and then waits for something that never comes. */
#define WAITING "echo $$ > @/started; read x < @/never; exit 0"

static pid_t when_started(void)
{
	return atoi(text_in_place("started"));
}

/* Waits until the process is gone for everyone; another process may have to wait for it. */
static void until_gone(pid_t process)
{
	while (kill(process, 0) == 0)
		usleep(1000);
	ASSERT_EQUAL(ESRCH, errno);
}

static void should_give_the_command_its_variables_and_nothing_to_read(void)
{
	static const char *const variables[] = {"A=b c", "MIO_ENABLED=0", "MIO_TEST_OLD=new", NULL};
	struct mio_recov_commands commands = {0};

	setenv("MIO_TEST_OLD", "old", 1);
	setenv("MIO_TEST_OLDER", "as it was", 1);
	ASSERT_EQUAL(MIO_RECOV_RAN,
		     mio_recov_command_run(&commands,
					   command_of("read x; echo \"$A,$MIO_ENABLED,$x,$MIO_TEST_OLD,$MIO_TEST_OLDER\" "
						      "> @/log; echo out; echo err >&2"),
					   variables));
	ASSERT_TEXT("b c,0,,new,as it was\n", text_in_place("log"));
	unsetenv("MIO_TEST_OLD");
	unsetenv("MIO_TEST_OLDER");
}

static void should_give_the_command_no_descriptor_of_the_program(void)
{
	struct mio_recov_commands commands = {0};
	int fd = open("/dev/null", O_RDONLY);

	ASSERT(fd >= 3);
	ASSERT_EQUAL(MIO_RECOV_RAN,
		     mio_recov_command_run(&commands,
					   command_of("exec > @/fds; for i in /proc/self/fd/*; do "
						      "[ -e $i ] && echo ${i##*/}; done"),
					   none));
	close(fd);
	ASSERT_TEXT("0\n1\n2\n", text_in_place("fds"));
}

/* When the program's table is full, so is the copy of it that the shell gets; that copy is emptied first. */
static void should_run_the_command_where_the_program_may_have_no_more_descriptors(void)
{
	struct mio_recov_commands commands = {0};
	struct rlimit before, small;
	int first = open("/dev/null", O_RDONLY), last = first, next;

	ASSERT(first >= 0);
	ASSERT_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
	small = before;
	small.rlim_cur = (rlim_t)first + 8;
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &small));
	while ((next = dup(first)) >= 0)
		last = next;
	ASSERT_EQUAL(EMFILE, errno);
	ASSERT_EQUAL(MIO_RECOV_RAN, mio_recov_command_run(&commands, command_of("read x; echo ran > @/log"), none));
	for (int fd = first; fd <= last; fd++)
		close(fd);
	ASSERT_EQUAL(0, setrlimit(RLIMIT_NOFILE, &before));
	ASSERT_TEXT("ran\n", text_in_place("log"));
}

static void should_not_care_how_the_command_ends(void)
{
	struct mio_recov_commands commands = {0};

	ASSERT_EQUAL(MIO_RECOV_RAN, mio_recov_command_run(&commands, "exit 3", none));
	ASSERT_EQUAL(MIO_RECOV_RAN, mio_recov_command_run(&commands, "no-such-program", none));
	ASSERT_EQUAL(MIO_RECOV_RAN, mio_recov_command_run(&commands, "kill -9 $$", none));
}

static void *run_waiting(void *commands)
{
	return (void *)(intptr_t)mio_recov_command_run(commands, command_of(WAITING), none);
}

static void should_end_the_command_when_the_file_is_closed(void)
{
	struct mio_recov_commands commands = {0};
	pthread_t thread;
	void *outcome;
	pid_t shell;

	make_pipes();
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, run_waiting, &commands));
	shell = when_started();
	ASSERT(shell > 0);
	mio_recov_commands_stop(&commands);
	pthread_join(thread, &outcome);
	ASSERT_EQUAL(MIO_RECOV_STOPPED, (intptr_t)outcome);
	ASSERT_EQUAL(-1, kill(shell, 0));
	ASSERT_EQUAL(MIO_RECOV_STOPPED, mio_recov_command_run(&commands, "true", none));
}

#define WITH_CHILDREN "sh -c 'echo $$ > @/started; read x < @/never; exit 0'; true"

static void *run_with_children(void *commands)
{
	return (void *)(intptr_t)mio_recov_command_run(commands, command_of(WITH_CHILDREN), none);
}

/* run: a command that tells the number of a child that it has started. */
static void end_with_child(void *(*run)(void *commands))
{
	struct mio_recov_commands commands = {0};
	pthread_t thread;
	void *outcome;
	pid_t child;

	make_pipes();
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, run, &commands));
	child = when_started();
	ASSERT(child > 0);
	mio_recov_commands_stop(&commands);
	pthread_join(thread, &outcome);
	ASSERT_EQUAL(MIO_RECOV_STOPPED, (intptr_t)outcome);
	until_gone(child);
}

static void should_end_what_the_command_has_started(void)
{
	if (access("/proc/self/task", R_OK) < 0)
		SKIP("no /proc");
	end_with_child(run_with_children);
}

/* Run as a command: a thread other than the first one starts a child and writes the child's number to path; then both wait. */
static void *start_a_child(void *path)
{
	pid_t child = fork();

	/* Neither process stays, whatever happens to the test. */
	alarm(60);
	if (child != 0) {
		FILE *started = fopen(path, "we");

		if (started) {
			fprintf(started, "%d\n", (int)child);
			fclose(started);
		}
	}
	for (;;)
		pause();
	return NULL;
}

static int start_in_a_thread(char *path)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, start_a_child, path) == 0)
		pthread_join(thread, NULL);
	return 1;
}

static void *run_with_threads(void *commands)
{
	char itself[4096] = "";
	char *command = NULL;
	intptr_t outcome;

	ASSERT(readlink("/proc/self/exe", itself, sizeof(itself) - 1) > 0);
	ASSERT(asprintf(&command, "exec '%s' starts '%s'", itself, in_place("started")) > 0);
	outcome = mio_recov_command_run(commands, command, none);
	free(command);
	return (void *)outcome;
}

static void should_end_what_a_thread_of_the_command_has_started(void)
{
	if (access("/proc/self/task", R_OK) < 0)
		SKIP("no /proc");
	end_with_child(run_with_threads);
}

/* The keeper, which starts the shell, can tell the shell's number only once the lock is released. By then the shell has a child. */
static void should_end_what_the_command_has_started_before_its_number_is_known(void)
{
	struct mio_recov_commands commands = {0};
	pthread_t thread;
	int runs = 0;
	pid_t child;

	if (access("/proc/self/task", R_OK) < 0)
		SKIP("no /proc");
	make_pipes();
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, run_with_children, &commands));
	while (!runs) {
		mio_lock_acquire(&commands.lock);
		runs = commands.running != NULL;
		if (!runs)
			mio_lock_release(&commands.lock);
	}
	child = when_started();
	ASSERT(child > 0);
	mio_lock_release(&commands.lock);
	mio_recov_commands_stop(&commands);
	pthread_join(thread, NULL);
	until_gone(child);
}

/* Whether mark is among the variables of the process. A process that has ended has none. */
static int is_marked(const char *process, const char *mark)
{
	char path[300], variables[65536];
	ssize_t bytes = -1;
	int fd;

	ASSERT(snprintf(path, sizeof(path), "/proc/%s/environ", process) < (int)sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	bytes = read(fd, variables, sizeof(variables));
	close(fd);
	return bytes > 0 && memmem(variables, (size_t)bytes, mark, strlen(mark)) != NULL;
}

static int count_marked(const char *mark)
{
	DIR *all = opendir("/proc");
	struct dirent *one;
	int count = 0;

	ASSERT(all);
	while ((one = readdir(all)) != NULL)
		count += one->d_name[0] >= '1' && one->d_name[0] <= '9' && is_marked(one->d_name, mark);
	closedir(all);
	return count;
}

struct marked {
	struct mio_recov_commands commands;
	const char *variables[2];
};

#define MANY_CHILDREN \
	"echo $$ > @/started; i=0; while [ $i -lt 150 ]; do i=$((i+1)); sleep 600 & done; read x < @/never"

static void *run_many(void *context)
{
	struct marked *marked = context;

	return (void *)(intptr_t)mio_recov_command_run(&marked->commands, command_of(MANY_CHILDREN), marked->variables);
}

/* Stops the command while it starts more and more processes. */
static void end_while_it_starts_others(int others)
{
	char mark[64];
	struct marked marked = {.variables = {mark, NULL}};
	pthread_t thread;

	ASSERT(snprintf(mark, sizeof(mark), "MIO_TEST_MARK=%d", (int)getpid()) < (int)sizeof(mark));
	make_pipes();
	ASSERT_EQUAL(0, pthread_create(&thread, NULL, run_many, &marked));
	ASSERT(when_started() > 0);
	while (count_marked(mark) < others)
		usleep(100);
	mio_recov_commands_stop(&marked.commands);
	pthread_join(thread, NULL);
	/* Processes that are told to end do so soon; others would run for ten minutes. */
	for (int i = 0; i < 10000 && count_marked(mark) > 0; i++)
		usleep(1000);
	ASSERT_EQUAL(0, count_marked(mark));
}

static void should_end_all_that_the_command_is_just_starting(void)
{
	if (access("/proc/self/task", R_OK) < 0)
		SKIP("no /proc");
	for (int others = 2; others < 12; others++)
		end_while_it_starts_others(others);
}

static volatile sig_atomic_t children_seen;

static void see_child(int number)
{
	(void)number;
	children_seen = children_seen + 1;
}

/* Runs in a process of its own, which has no other children. */
static int look_for_children(void)
{
	struct mio_recov_commands commands = {0};

	signal(SIGCHLD, see_child);
	errno = ERANGE;
	for (int i = 0; i < 20; i++)
		if (mio_recov_command_run(&commands, "true", none) != MIO_RECOV_RAN)
			return 2;
	if (errno != ERANGE)
		return 3;
	if (wait(NULL) != -1 || errno != ECHILD)
		return 4;
	if (waitpid(-1, NULL, WNOHANG | __WALL) != -1 || errno != ECHILD)
		return 5;
	if (children_seen)
		return 6;
	signal(SIGCHLD, SIG_IGN);
	if (mio_recov_command_run(&commands, "true", none) != MIO_RECOV_RAN)
		return 7;
	return 0;
}

static int in_child(int (*work)(void))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0)
		_exit(work());
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void should_not_show_the_command_to_a_program_that_waits_for_children(void)
{
	ASSERT_EQUAL(0, in_child(look_for_children));
}

static volatile sig_atomic_t signalled;
static volatile sig_atomic_t signalled_elsewhere;
static pid_t self;

static void see_signal(int number)
{
	(void)number;
	signalled = signalled + 1;
	if (getpid() != self)
		signalled_elsewhere = 1;
}

static int signal_the_group(void)
{
	struct mio_recov_commands commands = {0};
	sigset_t set;

	self = getpid();
	setpgid(0, 0);
	signal(SIGUSR1, see_signal);
	signal(SIGUSR2, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* The program handles the signal and goes on. The shell would be ended by it, and so ignores it first. */
	if (mio_recov_command_run(&commands, command_of("trap '' USR1; kill -USR1 0; kill -USR2 $$; kill -TERM $$; "
							"echo not reached > @/term"),
				  none) != MIO_RECOV_RAN)
		return 2;
	sigprocmask(SIG_SETMASK, NULL, &set);
	if (!sigismember(&set, SIGTERM) || sigismember(&set, SIGUSR1))
		return 3;
	return signalled == 1 && !signalled_elsewhere ? 0 : 4;
}

static void should_run_no_handler_of_the_program_twice_and_leave_its_mask(void)
{
#ifdef __SANITIZE_THREAD__
	SKIP("the thread sanitizer runs handlers where it likes");
#endif
	ASSERT_EQUAL(0, in_child(signal_the_group));
	ASSERT(!is_in_place("term"));
}

static const char *log_command;

static void *run_log(void *commands)
{
	for (int i = 0; i < 25; i++)
		ASSERT_EQUAL(MIO_RECOV_RAN, mio_recov_command_run(commands, log_command, none));
	return NULL;
}

static void should_run_commands_of_many_threads(void)
{
	struct mio_recov_commands commands = {0};
	pthread_t threads[4];

	log_command = command_of("echo x >> @/many");
	for (int i = 0; i < 4; i++)
		ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, run_log, &commands));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ASSERT_EQUAL(100, count_of("x\n", text_in_place("many")));
	ASSERT(!commands.running);
}

static int run_with_raised_rights(void)
{
	struct mio_recov_commands commands = {0};

	if (mio_recov_rights_are_raised())
		return 2;
	if (seteuid(1) < 0)
		return 77;
	if (!mio_recov_rights_are_raised())
		return 3;
	return mio_recov_command_run(&commands, command_of("echo x > @/raised"), none) == MIO_RECOV_NOT_RUN ? 0 : 4;
}

static void should_run_nothing_with_raised_rights(void)
{
	int status = in_child(run_with_raised_rights);

	if (status == 77)
		SKIP("to change the user takes root");
	ASSERT_EQUAL(0, status);
	ASSERT(!is_in_place("raised"));
}

struct told {
	int number;
	uintptr_t stack;
};

static void tell_and_end(void *context)
{
	struct told *told = context;
	int local = 0;

	told->stack = (uintptr_t)&local;
	/* If the memory is not shared, as in an emulator, only the number comes back. */
	mio_raw1(SYS_exit_group, told->number + (int)((uintptr_t)&local % 2));
}

static void should_begin_a_child_on_a_stack_of_its_own(void)
{
	static char stack[32768] __attribute__((aligned(16)));
	struct told told = {.number = 42};
	int status = 0;
	long child = mio_clone(CLONE_VM | CLONE_VFORK | SIGCHLD, stack + sizeof(stack) - 8, tell_and_end, &told, NULL, NULL);

	if (child == -ENOSYS)
		SKIP("not written for this machine");
	ASSERT(child > 0);
	ASSERT_EQUAL(child, waitpid((pid_t)child, &status, 0));
	ASSERT(WIFEXITED(status));
	ASSERT_EQUAL(42, WEXITSTATUS(status));
	ASSERT(told.stack == 0 || (told.stack > (uintptr_t)stack && told.stack < (uintptr_t)stack + sizeof(stack)));
	ASSERT(mio_clone(CLONE_THREAD, stack + sizeof(stack), tell_and_end, &told, NULL, NULL) < 0);
}

int main(int argc, char **argv)
{
	struct mio_recov_commands commands = {0};

	if (argc == 3 && strcmp(argv[1], "starts") == 0)
		return start_in_a_thread(argv[2]);
	/* What the test waits for may never come. */
	alarm(300);
	place_make();
	RUN(should_begin_a_child_on_a_stack_of_its_own);
	if (mio_recov_command_run(&commands, "true", none) == MIO_RECOV_NOT_RUN) {
		printf("skipped: no commands can be run here\n");
		place_remove();
		return 77;
	}
	RUN(should_give_the_command_its_variables_and_nothing_to_read);
	RUN(should_give_the_command_no_descriptor_of_the_program);
	RUN(should_run_the_command_where_the_program_may_have_no_more_descriptors);
	RUN(should_not_care_how_the_command_ends);
	RUN(should_end_the_command_when_the_file_is_closed);
	RUN(should_end_what_the_command_has_started);
	RUN(should_end_what_a_thread_of_the_command_has_started);
	RUN(should_end_what_the_command_has_started_before_its_number_is_known);
	RUN(should_end_all_that_the_command_is_just_starting);
	RUN(should_not_show_the_command_to_a_program_that_waits_for_children);
	RUN(should_run_no_handler_of_the_program_twice_and_leave_its_mask);
	RUN(should_run_commands_of_many_threads);
	RUN(should_run_nothing_with_raised_rights);
	place_remove();
	return TEST_RESULT();
}
