#ifndef MIO_TEST_PRELOAD_SEE_FILTER_H
#define MIO_TEST_PRELOAD_SEE_FILTER_H

/* Runs this program again with one system call refused; argv[2] says what to do then. */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "see.h"

/* Runs in a program of its own, because a program that filters its own calls is another case (filter.c). */
static void with_filter(const char *what, unsigned int number, unsigned int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	char *const arguments[] = {see_program, (char *)(uintptr_t)".", (char *)(uintptr_t)what, NULL};
	pid_t child = fork();

	if (child == 0) {
		MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
		execv(see_program, arguments);
		_exit(98);
	}
	await(what, child);
}

#endif
