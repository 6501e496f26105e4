/* Writes a file, waits until it may write no more, and then makes the file visible to others in several ways; says how each call ended. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *what, int rc)
{
	printf("%s %s\n", what, rc == 0 ? "done" : strerrorname_np(errno));
	fflush(stdout);
}

int main(void)
{
	struct timespec times[2] = {{1, 0}, {1, 0}};
	int fd = open("from", O_RDWR | O_CREAT | O_TRUNC, 0644);

	int written = fd >= 0 && write(fd, "content", 7) == 7 ? 0 : -1;
	struct rlimit limit = {1, 1};

	/* It must say, read or open nothing until then: any of that would write the bytes out. */
	prctl(PR_SET_NAME, "waits");
	while (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur > 0)
		sched_yield();
	say("written", written);
	say("rename", rename("from", "to"));
	say("link", link("from", "linked"));
	say("chmod", chmod("from", 0600));
	say("fchmod", fchmod(fd, 0600));
	say("utimensat", utimensat(AT_FDCWD, "from", times, 0));
	say("symlink", symlink("from", "named"));
	say("lchown", fchownat(AT_FDCWD, "named", getuid(), getgid(), AT_SYMLINK_NOFOLLOW));
	say("rename by number", (int)syscall(SYS_renameat2, AT_FDCWD, "from", AT_FDCWD, "to", 0));
	say("fchmod by number", (int)syscall(SYS_fchmod, fd, 0600));
	/* The file that cannot be written is the one replaced here, not the one made visible. */
	say("replace", renameat2(AT_FDCWD, "other", AT_FDCWD, "from", 0));
	say("close", close(fd));
	return 0;
}
