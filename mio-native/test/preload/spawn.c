/* Programs started with posix_spawn, system and popen: they get files up to date and at the right position, and write to them. */
#include "see.h"

#include <spawn.h>

extern char **environ;

static char bytes[30000];

static int dirty(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	MUST(fd >= 0);
	memset(bytes, 'd', sizeof(bytes));
	for (int i = 0; i < (int)sizeof(bytes); i += 100)
		bytes[i + 99] = '\n';
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	return fd;
}

static pid_t spawn(const char *name, char *const *arguments, posix_spawn_file_actions_t *actions)
{
	pid_t child = -1;
	int error = posix_spawnp(&child, name, actions, NULL, arguments, environ);

	if (error)
		say("posix_spawnp: %s", strerror(error));
	return child;
}

static void spawns(void)
{
	char *const count[] = {(char *)(uintptr_t)"wc", (char *)(uintptr_t)"-c", NULL};
	char *const shell[] = {(char *)(uintptr_t)"sh", (char *)(uintptr_t)"-c", (char *)(uintptr_t)"echo spawned; echo again", NULL};
	char *const none[] = {(char *)(uintptr_t)"no such program", NULL};
	posix_spawn_file_actions_t actions;
	int fd = dirty("in");
	int out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);

	/* Standard input at the position where the program left it. */
	MUST(lseek(fd, 29000, SEEK_SET) == 29000);
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, fd, 0) == 0);
	await("wc", spawn("wc", count, &actions));
	SEE(lseek(fd, 0, SEEK_CUR));
	posix_spawn_file_actions_destroy(&actions);
	/* Standard output after what the program has written. */
	MUST(write(out, "first\n", 6) == 6);
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, out, 1) == 0);
	MUST(posix_spawn_file_actions_addclose(&actions, fd) == 0);
	await("sh", spawn("sh", shell, &actions));
	SEE(lseek(out, 0, SEEK_CUR));
	MUST(write(out, "last\n", 5) == 5);
	posix_spawn_file_actions_destroy(&actions);
	/* The child opens a file that has dirty bytes here. */
	MUST(write(fd, "more\n", 5) == 5);
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_addopen(&actions, 0, "in", O_RDONLY, 0) == 0);
	MUST(posix_spawn_file_actions_addopen(&actions, 1, "out2", O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0);
	await("wc", spawn("wc", count, &actions));
	look("out2");
	posix_spawn_file_actions_destroy(&actions);
	SEE(spawn("no such program", none, NULL));
	/* Descriptors that exec closes, except for their copies. */
	MUST(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(out, F_SETFD, FD_CLOEXEC) == 0);
	MUST(lseek(fd, 100, SEEK_SET) == 100);
	MUST(write(out, "copied\n", 7) == 7);
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, fd, 0) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, out, 1) == 0);
	await("wc", spawn("wc", count, &actions));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(lseek(out, 0, SEEK_CUR));
	MUST(write(out, "behind\n", 7) == 7);
	posix_spawn_file_actions_destroy(&actions);
	/* Dirty bytes of files that the child does not get are safe as well. */
	SEE(pread(fd, bytes, 10, 29995));
	SEE(close(fd));
	SEE(close(out));
	look("out");
	outside("out");
	outside("in");
}

static void shells(void)
{
	int fd = dirty("in");
	FILE *stream;
	char line[200] = "";
	int saved;

	SEE(system("wc -c <in"));
	MUST(pwrite(fd, "changed", 7, 0) == 7);
	SEE(system("head -c 7 in; echo"));
	SEE(system("echo by the shell >in"));
	SEE(pread(fd, bytes, 20, 0));
	say("%.12s", bytes);
	SEE(lseek(fd, 0, SEEK_END));
	SEE(system("exit 3"));
	SEE(system(NULL) != 0);
	MUST(pwrite(fd, "dirty for popen", 15, 0) == 15);
	stream = popen("cat in", "r");
	MUST(stream != NULL);
	SEE_POINTER(fgets(line, sizeof(line), stream));
	say("%.15s", line);
	SEE(pclose(stream));
	stream = popen("cat >piped", "w");
	MUST(stream != NULL);
	fprintf(stream, "through a pipe\n");
	SEE(pclose(stream));
	look("piped");
	/* Standard output is a file of this program, and a shell writes to it. */
	saved = dup(1);
	MUST(dup2(fd, 1) == 1 && lseek(1, 0, SEEK_END) >= 0);
	MUST(write(1, "ours\n", 5) == 5);
	MUST(system("echo theirs") == 0);
	MUST(write(1, "ours again\n", 11) == 11);
	MUST(dup2(saved, 1) == 1 && close(saved) == 0);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	look("in");
	outside("in");
}

/* In a loop of the shell several programs read lines of one standard input. */
static void lines(void)
{
	int fd = open("lines", O_RDWR | O_CREAT | O_TRUNC, 0600);
	int saved = dup(0);

	for (int i = 0; i < 20; i++)
		MUST(dprintf(fd, "line %d\n", i) > 0);
	MUST(lseek(fd, 7, SEEK_SET) == 7);
	MUST(dup2(fd, 0) == 0);
	SEE(system("read a; echo got $a; (head -n 2; cat) | tail -n +2 | wc -l; cat"));
	SEE(lseek(0, 0, SEEK_CUR));
	MUST(dup2(saved, 0) == 0 && close(saved) == 0);
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	spawns();
	shells();
	lines();
	return 0;
}
