/* One thread reads a file in order while another installs a system-call filter that allows everything. */
#include "see.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>

enum { WORDS = 1 << 20 };

static unsigned int words[WORDS];
static int fd;
static atomic_int reads, stop, wrong;

static void *reads_on(void *unused)
{
	unsigned int word;
	unsigned int expected = 0;

	(void)unused;
	while (!atomic_load(&stop)) {
		ssize_t got = read(fd, &word, sizeof(word));

		if (got == 0) {
			MUST(lseek(fd, 0, SEEK_SET) == 0);
			expected = 0;
			continue;
		}
		if (got != sizeof(word) || word != expected)
			atomic_store(&wrong, 1);
		expected = word + 1;
		atomic_fetch_add(&reads, 1);
	}
	return NULL;
}

static void let_it_read(int more)
{
	int now = atomic_load(&reads);

	while (atomic_load(&reads) < now + more)
		sched_yield();
}

int main(int argc, char **argv)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &all};
	pthread_t thread;

	begin(argc, argv);
	for (unsigned int i = 0; i < WORDS; i++)
		words[i] = i;
	fd = open("words", O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(write(fd, words, sizeof(words)) == sizeof(words) && lseek(fd, 0, SEEK_SET) == 0);
	MUST(pthread_create(&thread, NULL, reads_on, NULL) == 0);
	let_it_read(2000);
	MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	SEE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	let_it_read(2000);
	atomic_store(&stop, 1);
	MUST(pthread_join(thread, NULL) == 0);
	say("in order: %d", !atomic_load(&wrong));
	return 0;
}
