/* Streams that are reopened, all flushed at once, left open, closed behind their back, or hundreds; and errors that only closing reports. */
#include "see.h"

#include <sys/resource.h>

static void see_text(const char *name)
{
	char bytes[200] = "";
	int fd = open(name, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes) - 1);

	for (ssize_t i = 0; i < got; i++)
		if (bytes[i] < 32)
			bytes[i] = '_';
	say("%s: %zd %s", name, got, bytes);
	if (fd >= 0)
		close(fd);
}

static void reopened(void)
{
	FILE *stream = fopen("first", "w");
	FILE *again;
	char line[64] = "";
	int fd = fileno(stream);

	SEE(fputs("in the first", stream));
	again = freopen("second", "w+", stream);
	say("same %d, number same %d", again == stream, fileno(stream) == fd);
	see_text("first");
	SEE(fputs("in the second\n", stream));
	SEE(fseek(stream, 3, SEEK_SET));
	SEE_POINTER(fgets(line, sizeof(line), stream));
	say("%s", line);
	again = freopen("first", "r", stream);
	say("same %d", again == stream);
	SEE_POINTER(fgets(line, sizeof(line), stream));
	say("%s", line);
	SEE(fputs("x", stream));
	again = freopen("first", "a", stream);
	SEE(fgetc(stream));
	clearerr(stream);
	SEE(fputs(", more", stream));
	SEE(fflush(stream));
	see_text("first");
	SEE(fclose(stream));
	see_text("second");
	stream = fopen("first", "r");
	SEE_POINTER(freopen("none/none", "r", stream));
	/* To a file that MIO does not serve, and back. */
	stream = fopen("first", "r");
	SEE_POINTER(freopen("/dev/null", "r", stream));
	SEE(fgetc(stream));
	SEE_POINTER(freopen("first", "r", stream));
	SEE(fgetc(stream));
	SEE(fclose(stream));
}

/* Standard streams that lead to files. */
static void standard(void)
{
	pid_t child = fork();

	if (child == 0) {
		char line[64] = "";

		MUST(freopen("stdout", "w", stdout) == stdout);
		printf("by printf %d\n", fileno(stdout));
		puts("by puts");
		fprintf(stdout, "by fprintf\n");
		putchar('c');
		MUST(fflush(stdout) == 0);
		MUST(write(1, "by write\n", 9) == 9);
		MUST(system("echo by echo") == 0);
		MUST(fseek(stdout, 0, SEEK_END) == 0);
		printf("last");
		MUST(freopen("first", "r", stdin) == stdin);
		MUST(fgets(line, 20, stdin) && line[0] == 'i');
		fprintf(stderr, "%s", "");
		exit(getchar() == EOF ? 3 : 4);
	}
	await("standard", child);
	see_text("stdout");
}

static void all_flushed(void)
{
	FILE *a = fopen("a", "w");
	FILE *b = fopen("b", "w+");
	FILE *c = fopen("first", "r");

	SEE(fputs("a dirty", a));
	SEE(fputs("b dirty", b));
	SEE(fgetc(c));
	SEE(fflush(NULL));
	see_text("a");
	see_text("b");
	SEE(fputs(", again", a));
	SEE(fcloseall());
	see_text("a");
}

static void left_open(void)
{
	pid_t child = fork();

	if (child == 0) {
		FILE *stream = fopen("left", "w");
		FILE *other = fopen("left too", "a");

		fputs("left open", stream);
		fputs("left open, too", other);
		exit(0);
	}
	await("left open", child);
	see_text("left");
	see_text("left too");
	/* Not written if the program ends at once. */
	child = fork();
	if (child == 0) {
		FILE *stream = fopen("lost", "w");

		fputs("flushed", stream);
		fflush(stream);
		fputs(", not flushed", stream);
		_exit(0);
	}
	await("lost", child);
	see_text("lost");
	/* A buffer that both processes have is written by both, as without MIO. */
	{
		FILE *stream = fopen("twice", "w");

		fputs("twice ", stream);
		child = fork();
		if (child == 0)
			exit(0);
		await("twice", child);
		SEE(fclose(stream));
		see_text("twice");
	}
}

static void errors(void)
{
	struct rlimit limit = {50000, 50000};
	pid_t child = fork();

	if (child == 0) {
		FILE *stream = fopen("limited", "w");
		static char many[90000];

		signal(SIGXFSZ, SIG_IGN);
		MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
		memset(many, 'm', sizeof(many));
		SEE(fwrite(many, 1, sizeof(many), stream));
		SEE(ferror(stream));
		SEE(fclose(stream));
		stream = fopen("limited", "r+");
		SEE(fseek(stream, 70000, SEEK_SET));
		SEE(fputs("behind", stream));
		SEE(fflush(stream));
		SEE(ferror(stream) != 0);
		SEE(fclose(stream));
		_exit(0);
	}
	await("errors", child);
	{
		FILE *stream = fopen("closed", "w");

		SEE(fputs("lost", stream));
		SEE(close(fileno(stream)));
		SEE(fclose(stream));
		see_text("closed");
	}
}

static void pipes(void)
{
	char line[64] = "";
	FILE *stream = popen("cat first", "r");

	SEE_POINTER(fgets(line, sizeof(line), stream));
	SEE(pclose(stream));
	stream = tmpfile();
	SEE(fputs("temporary", stream));
	rewind(stream);
	SEE(fgetc(stream));
	SEE_POINTER(freopen("first", "r", stream));
	SEE(fgetc(stream));
	SEE(fclose(stream));
}

/*
 * More than there are places for (preload_cookie.c): closed in the order in which they were opened, given another file, and left to
 * the end of the program.
 */
static void hundreds(void)
{
	enum { COUNT = 400 };
	static FILE *streams[COUNT];
	char name[32];
	int wrong = 0;

	for (int i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "many%d", i % 7 == 0 ? i : COUNT);
		streams[i] = fopen(name, "a");
		wrong += !streams[i] || fprintf(streams[i], "stream %d\n", i) < 0;
	}
	for (int i = 0; i < COUNT; i++)
		if (i % 5 == 0)
			wrong += freopen("many", "a", streams[i]) != streams[i] || fprintf(streams[i], "again %d\n", i) < 0;
	for (int i = 0; i < COUNT; i++)
		if (i % 7 != 0 || i % 2 == 0)
			wrong += fclose(streams[i]) != 0;
	say("wrong with hundreds: %d", wrong);
	see_text("many0");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	reopened();
	standard();
	all_flushed();
	left_open();
	errors();
	pipes();
	hundreds();
	return 0;
}
