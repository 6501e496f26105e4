/* Processes, by what /proc tells. */
#include "recov_family.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>

#include "../common/raw.h"
#include "../common/text.h"
#include "recov_command.h"

#define FAMILY_MAX 256

/* Adds the children of process; returns how many there are then. */
static int add_children(int process, int *all, int count)
{
	struct mio_text path = {0};
	char digits[1024];
	int number = 0;
	long got;
	long fd;

	mio_text_add(&path, "/proc/");
	mio_text_add_number(&path, process);
	mio_text_add(&path, "/task/");
	mio_text_add_number(&path, process);
	mio_text_add(&path, "/children");
	fd = mio_raw4(SYS_openat, AT_FDCWD, mio_text_string(&path), O_RDONLY | O_CLOEXEC, 0);
	mio_text_clear(&path);
	if (fd < 0)
		return count;
	while ((got = mio_raw3(SYS_read, fd, digits, sizeof(digits))) > 0)
		for (long i = 0; i < got; i++) {
			if (digits[i] >= '0' && digits[i] <= '9') {
				number = number * 10 + (digits[i] - '0');
				continue;
			}
			if (number > 0 && count < FAMILY_MAX)
				all[count++] = number;
			number = 0;
		}
	mio_raw1(SYS_close, fd);
	return count;
}

void mio_recov_family_kill(int process)
{
	int all[FAMILY_MAX] = {process};
	int count = 1;

	for (int i = 0; i < count; i++)
		count = add_children(all[i], all, count);
	for (int i = 0; i < count; i++)
		mio_raw2(SYS_kill, all[i], SIGKILL);
}

int mio_recov_rights_are_raised(void)
{
	int errno_before = errno;
	unsigned long secure = getauxval(AT_SECURE);
	unsigned int real;
	unsigned int effective;
	unsigned int saved;
	int raised = secure != 0;

	errno = errno_before;
	if (mio_raw3(SYS_getresuid, &real, &effective, &saved) < 0 || real != effective)
		raised = 1;
	if (mio_raw3(SYS_getresgid, &real, &effective, &saved) < 0 || real != effective)
		raised = 1;
	return raised;
}
