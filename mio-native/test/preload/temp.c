/* The mkstemp family, which opens files inside the C library. */
#include "see.h"

static void use(const char *what, int fd, char *name, size_t suffix)
{
	char bytes[32] = "";
	struct stat st;

	MUST(fd >= 0);
	MUST(fstat(fd, &st) == 0);
	say("%s: %d, mode %o, flags %o, close on exec %d, ends %s", what, fd, (unsigned int)st.st_mode, (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE,
	    fcntl(fd, F_GETFD), name + strlen(name) - suffix);
	SEE(write(fd, "temporary", 9));
	SEE(lseek(fd, 2, SEEK_SET));
	SEE(read(fd, bytes, 4));
	say("%s", bytes);
	SEE(write(fd, "RARY!", 5));
	SEE(close(fd));
	MUST(rename(name, what) == 0);
	look(what);
}

int main(int argc, char **argv)
{
	char a[] = "aXXXXXX";
	char b[] = "bXXXXXX";
	char c[] = "cXXXXXX.dat";
	char d[] = "dXXXXXX.da";
	char wrong[] = "wrong";
	char bytes[16] = "";
	FILE *stream;
	int fd;

	begin(argc, argv);
	use("mkstemp", mkstemp(a), a, 0);
	use("mkostemp", mkostemp(b, O_CLOEXEC | O_APPEND), b, 0);
	use("mkstemps", mkstemps(c, 4), c, 4);
	use("mkostemps", mkostemps(d, 3, O_SYNC), d, 3);
	SEE(mkstemp(wrong));
	say("%s", wrong);
	stream = tmpfile();
	MUST(stream != NULL);
	SEE(fputs("in a temporary file\n", stream));
	SEE(fseek(stream, 5, SEEK_SET));
	SEE_POINTER(fgets(bytes, sizeof(bytes), stream));
	say("%s", bytes);
	fd = fileno(stream);
	SEE(fd);
	SEE(fflush(stream));
	SEE(pread(fd, bytes, 3, 0));
	SEE(fclose(stream));
	SEE(fcntl(fd, F_GETFD));
	return 0;
}
