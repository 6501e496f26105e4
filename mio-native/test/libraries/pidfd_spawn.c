/*
 * pidfd_spawn and pidfd_spawnp, as the C library has them since 2.39, for older ones. They use its posix_spawn directly, past any
 * library in front of it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int spawn_function(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
			   char *const *arguments, char *const *environment);

static int spawn(const char *by, int *child, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const *arguments, char *const *environment)
{
	spawn_function *real = (spawn_function *)(uintptr_t)dlsym(RTLD_NEXT, by);
	pid_t number;
	int rc = real(&number, name, actions, attributes, arguments, environment);

	if (rc != 0)
		return rc;
	*child = (int)syscall(SYS_pidfd_open, number, 0);
	return *child < 0 ? errno : 0;
}

int pidfd_spawn(int *child, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		char *const *arguments, char *const *environment)
{
	return spawn("posix_spawn", child, name, actions, attributes, arguments, environment);
}

int pidfd_spawnp(int *child, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const *arguments, char *const *environment)
{
	return spawn("posix_spawnp", child, name, actions, attributes, arguments, environment);
}
