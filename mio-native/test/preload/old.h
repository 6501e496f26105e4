#ifndef MIO_TEST_PRELOAD_OLD_H
#define MIO_TEST_PRELOAD_OLD_H

#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/*
 * Returns once the file, if it exists, is so old that MIO takes no write of it to be still going on. That takes two seconds unless
 * the file system is one of those known to keep finer times.
 */
__attribute__((unused)) static void until_old(const char *name)
{
	long long least = 2100000000;
	struct timespec now;
	struct statfs on;
	struct stat found;

	if (statfs(name, &on) < 0)
		return;
	if (on.f_type == 0xef53 || on.f_type == 0x58465342 || on.f_type == 0x9123683e || on.f_type == 0x01021994)
		least = 60000000;
	while (stat(name, &found) == 0 && clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	       (now.tv_sec - found.st_ctim.tv_sec) * 1000000000LL + now.tv_nsec - found.st_ctim.tv_nsec < least)
		usleep(1000);
}

#endif
