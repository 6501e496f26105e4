/* O_APPEND: by two processes, by two opens, and next to opens that do not append. */
#include "see.h"

enum { RECORD = 700, RECORDS = 60 };

static char bytes[200000];

static void append_records(char mark, int by_own_open)
{
	char record[RECORD];
	int fd = by_own_open ? open("log", O_WRONLY | O_APPEND) : 3;

	memset(record, mark, RECORD);
	record[0] = '<';
	record[RECORD - 1] = '>';
	for (int i = 0; i < RECORDS; i++)
		MUST(write(fd, record, RECORD) == RECORD);
	_exit(0);
}

/* Records are whole, in whatever order they come. */
static void two_processes(int by_own_open)
{
	pid_t children[2];
	int counts[2] = {0, 0};
	int fd = open("log", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	ssize_t got;

	MUST(fd == 3);
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (children[i] == 0)
			append_records((char)('a' + i), by_own_open);
	}
	for (int i = 0; i < 2; i++)
		await("child", children[i]);
	got = pread(fd, bytes, sizeof(bytes), 0);
	say("%zd bytes", got);
	for (ssize_t at = 0; at < got; at += RECORD) {
		MUST(bytes[at] == '<' && bytes[at + RECORD - 1] == '>');
		for (int i = 2; i < RECORD - 1; i++)
			MUST(bytes[at + i] == bytes[at + 1]);
		counts[bytes[at + 1] - 'a']++;
	}
	say("%d %d", counts[0], counts[1]);
	MUST(close(fd) == 0 && unlink("log") == 0);
}

static void one_process(void)
{
	int plain = open("f", O_RDWR | O_CREAT, 0600);
	int appends = open("f", O_RDWR | O_APPEND);

	SEE(write(plain, "plain", 5));
	SEE(write(appends, "one", 3));
	SEE(lseek(appends, 0, SEEK_CUR));
	SEE(write(plain, "PLAIN", 5));
	SEE(lseek(appends, 0, SEEK_SET));
	SEE(read(appends, bytes, 4));
	SEE(write(appends, "two", 3));
	SEE(lseek(appends, 0, SEEK_CUR));
	SEE(pwrite(appends, "three", 5, 0));
	SEE(lseek(appends, 0, SEEK_CUR));
	SEE(pread(plain, bytes, 100, 0));
	say("%.18s", bytes);
	SEE(pwrite(plain, "dirty", 5, 100000));
	SEE(write(appends, "behind", 6));
	SEE(lseek(plain, 0, SEEK_END));
	SEE(ftruncate(plain, 50));
	SEE(write(appends, "cut", 3));
	SEE(pread(plain, bytes, 100, 40));
	SEE(close(plain));
	SEE(write(appends, "last", 4));
	SEE(close(appends));
	look("f");
	outside("f");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	two_processes(0);
	two_processes(1);
	outside_begin();
	one_process();
	return 0;
}
