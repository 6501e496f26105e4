/*
 * pidfd_spawning DIRECTORY [absent]: children of pidfd_spawn and pidfd_spawnp get files up to date and at the right position.
 * absent: the C library has neither.
 */
#include "../preload/see.h"

#include <dlfcn.h>
#include <spawn.h>

/* P_PIDFD, which older headers do not define. */
#define BY_DESCRIPTOR ((idtype_t)3)

typedef int spawn_function(int *child, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
			   char *const *arguments, char *const *environment);

extern char **environ;

static char bytes[30000];
static int fd;

static spawn_function *find(const char *name)
{
	return (spawn_function *)(uintptr_t)dlsym(RTLD_DEFAULT, name);
}

static void dirty(void)
{
	fd = open("in", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	MUST(lseek(fd, 29000, SEEK_SET) == 29000);
}

static void await_descriptor(int child)
{
	siginfo_t info;

	MUST(waitid(BY_DESCRIPTOR, (id_t)child, &info, WEXITED) == 0);
	say("ended with %d", info.si_status);
	SEE(close(child));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(write(fd, "after", 5));
	SEE(close(fd));
	outside("in");
}

static void spawns(const char *by, const char *name)
{
	char *const count[] = {(char *)(uintptr_t)"wc", (char *)(uintptr_t)"-c", NULL};
	char *const shell[] = {(char *)(uintptr_t)"sh", (char *)(uintptr_t)"-c", (char *)(uintptr_t)"wc -c <&9", NULL};
	spawn_function *spawn = find(by);
	posix_spawn_file_actions_t actions;
	int child = -1;

	dirty();
	MUST(posix_spawn_file_actions_init(&actions) == 0);
	MUST(posix_spawn_file_actions_adddup2(&actions, fd, 0) == 0);
	MUST(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
	MUST(spawn(&child, name, &actions, NULL, count, environ) == 0);
	await_descriptor(child);
	posix_spawn_file_actions_destroy(&actions);
	/* The child inherits the descriptor. */
	dirty();
	MUST(dup2(fd, 9) == 9);
	MUST(spawn(&child, "/bin/sh", NULL, NULL, shell, environ) == 0);
	await_descriptor(child);
	SEE(close(9));
	SEE(spawn(&child, "./none", NULL, NULL, shell, environ));
}

int main(int argc, char **argv)
{
	int child = -5;

	begin(argc, argv);
	if (argc > 2) {
		if (!find("pidfd_spawn"))
			return 2;
		dirty();
		SEE(find("pidfd_spawn")(&child, "/bin/true", NULL, NULL, argv, environ));
		SEE(find("pidfd_spawnp")(&child, "true", NULL, NULL, argv, environ));
		say("%d", child);
		return 0;
	}
	outside_begin();
	spawns("pidfd_spawn", "/usr/bin/wc");
	spawns("pidfd_spawnp", "wc");
	return 0;
}
