/* Streams: every mode, what it does to an existing and to a missing file, the position, and what it refuses. */
#include "see.h"

static const char *const modes[] = {"r",  "w",  "a",  "r+", "w+",  "a+",  "rb", "wb", "ab+", "r+b", "wx", "w+x", "wbx",
				    "re", "we", "ae", "rm", "rc",  "",	"q",  "+r", "rw", "r,ccs=UTF-8", "w,ccs=UTF-8", "ax",
				    "rt", "wt", "at+", "r+t", "rbbbbb+", "rbbbbbb+"};

static void see_file(const char *name)
{
	char bytes[256] = "";
	int fd = open(name, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes) - 1);

	for (ssize_t i = 0; i < got; i++)
		if (bytes[i] < 32)
			bytes[i] = '_';
	say("  file: %zd %s", got, bytes);
	if (fd >= 0)
		close(fd);
}

static void make_there(void)
{
	int fd = open("there", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	MUST(write(fd, "0123456789\nabcdef\n", 18) == 18);
	MUST(close(fd) == 0);
}

static void use(const char *name, const char *mode)
{
	char bytes[64] = "";
	FILE *stream;
	size_t got;
	int fd;

	errno = 0;
	stream = fopen(name, mode);
	say("fopen of %s with \"%s\": %s %s", name, mode, stream ? "yes" : "no", strerror(errno));
	if (!stream) {
		see_file(name);
		return;
	}
	fd = fileno(stream);
	say("  number %d, flags %o, close on exec %d, at %ld", fd, (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE,
	    fcntl(fd, F_GETFD), ftell(stream));
	errno = 0;
	got = fread(bytes, 1, 5, stream);
	say("  read %zu %s %s, end %d, error %d, at %ld", got, bytes, strerror(errno), feof(stream) != 0, ferror(stream) != 0,
	    ftell(stream));
	clearerr(stream);
	say("  seek %d", fseek(stream, 0, SEEK_CUR));
	errno = 0;
	got = fwrite("WRITE", 1, 5, stream);
	say("  written %zu, flush %d, %s, error %d, at %ld", got, fflush(stream), strerror(errno), ferror(stream) != 0,
	    ftell(stream));
	clearerr(stream);
	say("  seek %d, at %ld", fseek(stream, 2, SEEK_SET), ftell(stream));
	memset(bytes, 0, sizeof(bytes));
	got = fread(bytes, 1, 4, stream);
	say("  read %zu %s, at %ld", got, bytes, ftell(stream));
	clearerr(stream);
	say("  seek %d", fseek(stream, 1, SEEK_SET));
	got = fwrite("X", 1, 1, stream);
	say("  written %zu, at %ld", got, ftell(stream));
	say("  end %d, at %ld", fseek(stream, -1, SEEK_END), ftell(stream));
	say("  close %d", fclose(stream));
	say("  number %d", fcntl(fd, F_GETFD));
	see_file(name);
}

/* Each mode again, for a stream that has been read; except the modes that make it a wide stream. */
static void reopened(const char *mode)
{
	FILE *stream = fopen("there", "r");
	char bytes[8] = "";
	size_t got;
	int fd;

	MUST(stream && fgetc(stream) != EOF && fgetc(stream) != EOF);
	errno = 0;
	stream = freopen("there", mode, stream);
	say("freopen with \"%s\": %s", mode, stream ? "yes" : strerror(errno));
	if (!stream)
		return;
	fd = fileno(stream);
	say("  flags %o, close on exec %d, at %ld", (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE,
	    fcntl(fd, F_GETFD), ftell(stream));
	got = fread(bytes, 1, 5, stream);
	say("  read %zu %s, at %ld", got, bytes, ftell(stream));
	clearerr(stream);
	say("  seek %d", fseek(stream, 0, SEEK_CUR));
	got = fwrite("WRITE", 1, 5, stream);
	say("  written %zu, at %ld", got, ftell(stream));
	clearerr(stream);
	say("  close %d", fclose(stream));
	see_file("there");
}

/* Whether a reopened stream is closed on exec, by its earlier modes; and by the descriptor's own flag, which is another matter. */
static void closes_on_exec(void)
{
	static const char *const sequences[][3] = {{"r", "re", "r"}, {"re", "r", "r"}, {"w+e", "a", "r"}, {"r", "r", "r"}};

	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		FILE *stream = fopen("there", sequences[i][0]);
		int fd = fileno(stream);

		say("%s: %d", sequences[i][0], fcntl(fd, F_GETFD));
		for (int j = 1; j < 3; j++) {
			SEE(fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) ^ FD_CLOEXEC));
			MUST(freopen(j == 1 ? "again" : NULL, sequences[i][j], stream) == stream && fileno(stream) == fd);
			say("then %s: %d", sequences[i][j], fcntl(fd, F_GETFD));
		}
		SEE(fclose(stream));
	}
	for (int i = 0; i < 2; i++) {
		int fd = open("there", O_RDONLY | (i ? O_CLOEXEC : 0));
		FILE *stream = fdopen(fd, "re");

		MUST(freopen("again", "r", stream) == stream);
		say("of a descriptor: %d", fcntl(fd, F_GETFD));
		SEE(fclose(stream));
	}
}

/* A stream whose number the program has closed itself, and may have given to something else. */
static void number_gone(void)
{
	make_there();
	for (int i = 0; i < 4; i++) {
		FILE *stream = fopen("there", i & 2 ? "r" : "r+");
		char bytes[8] = "";
		int fd = fileno(stream);
		size_t got;

		MUST(fgetc(stream) != EOF && close(fd) == 0);
		if (i & 1)
			MUST(open("/dev/null", O_RDONLY) == fd);
		SEE_POINTER(stream = freopen("again", "a+", stream));
		say("number same %d", fileno(stream) == fd);
		got = fread(bytes, 1, 5, stream);
		say("read %zu %s, error %d", got, bytes, ferror(stream));
		SEE(fseek(stream, 0, SEEK_END));
		SEE(fputs("+", stream));
		SEE(fclose(stream));
		SEE(fcntl(fd, F_GETFD));
		see_file("again");
	}
}

/* A reopened stream, and one made from a descriptor: unknown letters are ignored there, too. */
static void other_ways(void)
{
	FILE *stream = fopen("there", "w");
	char bytes[8] = "";
	int fd;

	MUST(stream && fputs("before", stream) >= 0);
	SEE_POINTER(stream = freopen("again", "wt", stream));
	MUST(stream && fputs("again", stream) >= 0);
	SEE_POINTER(stream = freopen("there", "rt", stream));
	MUST(stream);
	say("%zu %s", fread(bytes, 1, 6, stream), bytes);
	SEE_POINTER(stream = freopen("again", "r,ccs=UTF-8", stream));
	SEE(stream && fclose(stream) == 0);
	see_file("again");
	fd = open("there", O_RDONLY);
	SEE_POINTER(stream = fdopen(fd, "re"));
	say("close on exec %d", fcntl(fd, F_GETFD));
	SEE(fclose(stream));
}

/* What was written before the C library cut the file through a symbolic link does not come back. */
static void cut_by_link(void)
{
	int fd = open("linked to", O_RDWR | O_CREAT | O_TRUNC, 0600);
	FILE *stream;

	MUST(symlink("linked to", "link") == 0);
	MUST(write(fd, "before it was cut", 17) == 17);
	MUST((stream = freopen("link", "w", fopen("/dev/null", "r"))) != NULL);
	see_file("linked to");
	SEE(fputs("after", stream) >= 0);
	SEE(fclose(stream));
	SEE(close(fd));
	see_file("linked to");
}

int main(int argc, char **argv)
{
	FILE *stream;

	begin(argc, argv);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		make_there();
		use("there", modes[i]);
		unlink("not there");
		use("not there", modes[i]);
		make_there();
		if (!strchr(modes[i], ','))
			reopened(modes[i]);
	}
	errno = 0;
	SEE_POINTER(fopen(".", "w"));
	SEE_POINTER(fopen("none/none", "r"));
	SEE_POINTER(fopen("", "r"));
	SEE_POINTER(fopen("there/x", "r"));
	SEE_POINTER(stream = fopen(".", "r"));
	SEE(fgetc(stream) == EOF);
	SEE(fclose(stream));
	SEE_POINTER(stream = fopen("/dev/null", "r+"));
	SEE(fputs("gone", stream));
	SEE(fclose(stream));
	SEE_POINTER(stream = fopen("/dev/full", "w"));
	SEE(fputs("gone", stream));
	SEE(fclose(stream));
	other_ways();
	closes_on_exec();
	number_gone();
	cut_by_link();
	return 0;
}
