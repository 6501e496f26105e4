#ifndef MIO_TEST_STATS_FILES_H
#define MIO_TEST_STATS_FILES_H

/* Searches the text of reports, and makes reports in a process of their own. */

#include "stats_place.h"

#include <fcntl.h>
#include <regex.h>
#include <sys/wait.h>

#define SEPARATOR "============================================================================\n"

static inline void assert_matches(const char *pattern, const char *text)
{
	regex_t compiled;

	ASSERT_EQUAL(0, regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB));
	if (regexec(&compiled, text, 0, NULL, 0) != 0) {
		fprintf(stderr, "no\n%s\nin\n%s\n", pattern, text);
		exit(1);
	}
	regfree(&compiled);
}

/* Runs work in a child, with its stderr in the file err; returns its exit status. */
static inline int in_child(int (*work)(void))
{
	int status = 0;
	pid_t child = fork();

	ASSERT(child >= 0);
	if (child == 0) {
		int fd = open(in_place("err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

		if (fd < 0 || dup2(fd, 2) < 0)
			_exit(99);
		close(fd);
		_exit(work());
	}
	ASSERT_EQUAL(child, waitpid(child, &status, 0));
	ASSERT(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#endif
