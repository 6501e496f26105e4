/* What programs do with streams: all functions in all orders, and the number beneath. */
#include "see.h"

#include <pthread.h>
#include <stdio_ext.h>

static char bytes[100000];

static void lines(void)
{
	char line[64];
	char *long_line = NULL;
	size_t room = 0;
	int number;
	char word[32];
	FILE *stream = fopen("lines", "w");

	MUST(stream != NULL);
	for (int i = 0; i < 500; i++)
		MUST(fprintf(stream, "line %d %*s\n", i, i % 90, "x") > 0);
	SEE(putc('p', stream));
	SEE(fputc('q', stream));
	SEE(putc_unlocked('\n', stream));
	SEE(ftell(stream));
	SEE(fclose(stream));
	stream = fopen("lines", "r");
	SEE_POINTER(fgets(line, sizeof(line), stream));
	SEE(fscanf(stream, "%31s %d %31s", word, &number, word));
	say("%d %s at %ld", number, word, ftell(stream));
	SEE(getc(stream));
	SEE(getline(&long_line, &room, stream));
	say("%s", long_line);
	SEE(ungetc('U', stream));
	SEE(ftell(stream));
	SEE(getc(stream));
	SEE(fgetc(stream));
	SEE(ungetc('V', stream));
	SEE(fseeko(stream, 3, SEEK_CUR));
	SEE(ftello(stream));
	SEE(getc_unlocked(stream));
	SEE(getdelim(&long_line, &room, '7', stream));
	say("%s", long_line);
	SEE(fseeko(stream, -10, SEEK_END));
	while ((number = getc(stream)) != EOF)
		say("%d", number);
	SEE(feof(stream) != 0);
	rewind(stream);
	SEE(feof(stream));
	SEE(getw(stream));
	SEE(fseek(stream, -1, SEEK_SET));
	SEE(fseek(stream, 0, 77));
	SEE(ftell(stream));
	SEE(fseek(stream, 100000, SEEK_SET));
	SEE(getc(stream));
	SEE(fclose(stream));
	free(long_line);
}

static void blocks(void)
{
	FILE *stream = fopen("blocks", "w+");
	fpos_t place;

	fill(bytes, sizeof(bytes), 1, 0);
	SEE(fwrite(bytes, 1, 10, stream));
	SEE(fwrite(bytes + 10, 1000, 50, stream));
	SEE(fgetpos(stream, &place));
	SEE(fwrite(bytes + 50010, 1, 3, stream));
	SEE(fflush(stream));
	SEE(fseek(stream, 100, SEEK_SET));
	SEE(fread(bytes, 1, 30000, stream));
	say("%016llx", (unsigned long long)digest(bytes, 30000));
	SEE(fsetpos(stream, &place));
	SEE(fread(bytes, 2, 100, stream));
	SEE(ftell(stream));
	SEE(fseek(stream, 20, SEEK_SET));
	SEE(fwrite("over", 1, 4, stream));
	SEE(fseek(stream, 0, SEEK_CUR));
	SEE(getc(stream));
	SEE(fread_unlocked(bytes, 1, 5000, stream));
	SEE(fseek(stream, 70000, SEEK_SET));
	SEE(fputs("far", stream));
	SEE(fclose(stream));
	look("blocks");
}

/* Buffers of the program's own, line buffering, and none. */
static void buffers(void)
{
	static char own[333];
	FILE *stream = fopen("buffers", "w+");

	SEE(setvbuf(stream, own, _IOFBF, sizeof(own)));
	for (int i = 0; i < 100; i++)
		MUST(fprintf(stream, "number %d\n", i) > 0);
	SEE(fseek(stream, 50, SEEK_SET));
	SEE(fread(bytes, 1, 20, stream));
	SEE(fclose(stream));
	look("buffers");
	stream = fopen("buffers", "a");
	SEE(setvbuf(stream, NULL, _IOLBF, 0));
	SEE(fputs("a line\nnot a line", stream));
	look("buffers");
	SEE(fclose(stream));
	stream = fopen("buffers", "r+");
	setbuf(stream, NULL);
	SEE(fputs("at once", stream));
	look("buffers");
	SEE(fseek(stream, 0, SEEK_CUR));
	SEE(fgetc(stream));
	SEE(lseek(fileno(stream), 0, SEEK_CUR));
	SEE(fclose(stream));
	look("buffers");
}

/* A buffer of the program's own, or none, belongs to the stream before it is reopened; the reopened one reads ahead like any other. */
static void buffered_again(void)
{
	static char own[128];
	static const int kinds[] = {_IOFBF, _IOLBF, _IONBF};

	memset(bytes, 't', 9000);
	for (int i = 0; i < 3; i++) {
		FILE *stream = fopen("long", "w");

		MUST(stream && fwrite(bytes, 1, 9000, stream) == 9000 && fclose(stream) == 0);
		stream = fopen("long", "r");
		SEE(setvbuf(stream, kinds[i] == _IONBF ? NULL : own, kinds[i], 64));
		SEE(fgetc(stream));
		SEE(lseek(fileno(stream), 0, SEEK_CUR));
		stream = freopen("long", "r+", stream);
		SEE(fgetc(stream));
		SEE(lseek(fileno(stream), 0, SEEK_CUR));
		SEE(fseek(stream, 8990, SEEK_SET));
		SEE(fputs("one\nline", stream));
		SEE(lseek(fileno(stream), 0, SEEK_CUR));
		SEE(setvbuf(stream, own, _IOFBF, 128));
		SEE(fseek(stream, 0, SEEK_SET));
		SEE(fgetc(stream));
		SEE(lseek(fileno(stream), 0, SEEK_CUR));
		SEE(fclose(stream));
		look("long");
	}
}

/* The stream and its number, in turns as the standard allows. */
static void numbers(void)
{
	FILE *stream = fopen("numbers", "w+");
	int fd = fileno(stream);
	char few[8] = "";
	int copy;

	SEE(fd);
	SEE(fputs("by the stream, ", stream));
	SEE(fflush(stream));
	SEE(write(fd, "by the number, ", 15));
	SEE(fseek(stream, 0, SEEK_END));
	SEE(fputs("by the stream again", stream));
	SEE(fflush(stream));
	SEE(lseek(fd, 3, SEEK_SET));
	SEE(read(fd, few, 3));
	say("%s", few);
	SEE(fseek(stream, 7, SEEK_SET));
	SEE(fread(few, 1, 6, stream));
	say("%s", few);
	SEE(fileno_unlocked(stream) == fd);
	SEE(ftruncate(fd, 20));
	SEE(fseek(stream, 0, SEEK_END));
	SEE(ftell(stream));
	SEE(fsync(fd));
	copy = dup(fd);
	SEE(fclose(stream));
	SEE(fcntl(fd, F_GETFD));
	SEE(pread(copy, bytes, 100, 0));
	SEE(close(copy));
	look("numbers");
	/* After a close or a flush, the position of a stream that reads is where it has read to. */
	stream = fopen("numbers", "r");
	fd = dup(fileno(stream));
	SEE(fgetc(stream));
	SEE(fflush(stream));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(fgetc(stream));
	SEE(fclose(stream));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
}

static void from_numbers(void)
{
	int fd = open("fd", O_RDWR | O_CREAT, 0600);
	FILE *stream;

	MUST(write(fd, "0123456789", 10) == 10 && lseek(fd, 4, SEEK_SET) == 4);
	SEE_POINTER(fdopen(fd, "q"));
	SEE_POINTER(fdopen(-1, "r"));
	SEE_POINTER(stream = fdopen(fd, "r+"));
	SEE(ftell(stream));
	SEE(fgetc(stream));
	SEE(fseek(stream, 0, SEEK_CUR));
	SEE(fputs("five", stream));
	SEE(fclose(stream));
	SEE(close(fd));
	look("fd");
	fd = open("fd", O_RDONLY);
	SEE_POINTER(fdopen(fd, "w"));
	SEE_POINTER(stream = fdopen(fd, "r"));
	SEE(fputs("x", stream));
	SEE(ferror(stream) != 0);
	SEE(fclose(stream));
	fd = open("fd", O_RDWR);
	SEE_POINTER(stream = fdopen(fd, "a"));
	say("flags %o", (unsigned int)fcntl(fd, F_GETFL) & ~(unsigned int)O_LARGEFILE);
	SEE(fputs("end", stream));
	SEE(fclose(stream));
	look("fd");
}

static void *print(void *context)
{
	for (int i = 0; i < 500; i++) {
		flockfile(context);
		fputs("one ", context);
		fputs("line\n", context);
		funlockfile(context);
	}
	return NULL;
}

static void threads(void)
{
	FILE *stream = fopen("threads", "w");
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		MUST(pthread_create(&thread[i], NULL, print, stream) == 0);
	for (int i = 0; i < 3; i++)
		MUST(pthread_join(thread[i], NULL) == 0);
	SEE(fclose(stream));
	look("threads");
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	lines();
	blocks();
	buffers();
	buffered_again();
	numbers();
	from_numbers();
	threads();
	return 0;
}
