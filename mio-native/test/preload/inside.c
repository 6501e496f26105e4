/* Functions of the C library that write, ask about files or change descriptors inside themselves. */
#include "see.h"

#include <execinfo.h>
#include <fts.h>
#include <ftw.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <utmp.h>
#include <wordexp.h>

/* Addresses differ from run to run, so only the text around them is said. */
static void writes_a_trace(void)
{
	void *addresses[20];
	char text[7] = "";
	int fd = open("trace", O_RDWR | O_CREAT | O_TRUNC, 0644);

	MUST(write(fd, "begin\n", 6) == 6);
	backtrace_symbols_fd(addresses, backtrace(addresses, 20), fd);
	MUST(write(fd, "end..\n", 6) == 6);
	MUST(pread(fd, text, 6, 0) == 6);
	say("%s", text);
	MUST(lseek(fd, -6, SEEK_END) > 6 && read(fd, text, 6) == 6);
	say("%s", text);
	SEE(close(fd));
	SEE(unlink("trace"));
}

static int walks(const char *name, const struct stat *about, int type, struct FTW *place)
{
	(void)type;
	(void)place;
	say("%s: %lld", name, S_ISREG(about->st_mode) ? (long long)about->st_size : 0);
	return 0;
}

static int walks_old(const char *name, const struct stat *about, int type)
{
	return walks(name, about, type, NULL);
}

static void walks_a_tree(void)
{
	char *const names[] = {(char *)(uintptr_t)"tree", NULL};
	FTSENT *entry;
	FTS *tree;
	int fd;

	SEE(mkdir("tree", 0755));
	fd = open("tree/file", O_RDWR | O_CREAT | O_TRUNC, 0644);
	MUST(write(fd, "0123456789", 10) == 10);
	SEE(nftw("tree", walks, 5, FTW_PHYS));
	MUST(write(fd, "0123456789", 10) == 10);
	SEE(ftw("tree", walks_old, 5));
	MUST(write(fd, "0123456789", 10) == 10);
	tree = fts_open(names, FTS_PHYSICAL, NULL);
	while ((entry = fts_read(tree)) != NULL)
		walks(entry->fts_path, entry->fts_statp, 0, NULL);
	SEE(fts_close(tree));
	SEE(close(fd));
}

static void expand(const char *words, int fd)
{
	wordexp_t words_found;
	int rc = wordexp(words, &words_found, 0);

	say("%s: %d, %s", words, rc, rc == 0 && words_found.we_wordc > 0 ? words_found.we_wordv[0] : "none");
	if (rc == 0)
		wordfree(&words_found);
	SEE(lseek(fd, 0, SEEK_CUR));
}

static void expands_words(void)
{
	char text[2];
	int fd = open("words", O_RDWR | O_CREAT | O_TRUNC, 0644);

	MUST(write(fd, "written\n", 8) == 8);
	expand("$(cat words)", fd);
	MUST(lseek(fd, 3, SEEK_SET) == 3 && dup2(fd, 5) == 5 && read(5, text, 2) == 2);
	expand("$(cat <&5)", fd);
	SEE(close(5));
	SEE(close(fd));
}

/* In a child, whose output goes to a file. */
static void logs_in(void)
{
	char text[100];
	int terminal, side;
	pid_t child = fork();

	if (child == 0) {
		int out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0644);
		int in;

		make_file("in", 1000, 1);
		in = open("in", O_RDONLY);
		MUST(dup2(in, 0) == 0 && read(0, text, 10) == 10 && openpty(&terminal, &side, NULL, NULL, NULL) == 0);
		dprintf(out, "login_tty: %d\n", login_tty(side));
		MUST(write(terminal, "typed\n", 6) == 6);
		dprintf(out, "read: %d\n", (int)read(0, text, sizeof(text)));
		MUST(close(out) == 0);
		_exit(0);
	}
	await("child", child);
	look("out");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	writes_a_trace();
	walks_a_tree();
	expands_words();
	logs_in();
	return 0;
}
