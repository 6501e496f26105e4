/* Functions that a program looks up in the C library by its handle, as foreign-function interfaces do, mixed with those that it is linked with. */
#include "see.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t read_function(int fd, void *memory, size_t length);
typedef ssize_t write_function(int fd, const void *memory, size_t length);
typedef off_t seek_function(int fd, off_t offset, int whence);

static void *asked(void *handle, const char *name)
{
	void *function = dlsym(handle, name);

	say("%s: %s", name, function ? "there" : "not there");
	return function;
}

/* Makes each call in another way than the one before it. */
static void mixed(void *handle)
{
	read_function *read_by = (read_function *)(uintptr_t)asked(handle, "read");
	write_function *write_by = (write_function *)(uintptr_t)asked(handle, "write");
	seek_function *seek_by = (seek_function *)(uintptr_t)asked(handle, "lseek64");
	char bytes[200] = {0};
	int fd = open("asked", O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (int i = 0; i < 3000; i++) {
		memset(bytes, 'a' + i % 26, sizeof(bytes));
		if ((i % 2 == 0 ? write(fd, bytes, 100) : write_by(fd, bytes, 100)) != 100)
			say("write %d failed", i);
	}
	SEE(seek_by(fd, 1234, SEEK_SET));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(read(fd, bytes, 4));
	SEE(read_by(fd, bytes + 4, 200 - 4));
	say("%.200s", bytes);
	SEE(lseek(fd, 250000, SEEK_SET));
	SEE(write_by(fd, "here", 4));
	SEE(seek_by(fd, -4, SEEK_CUR));
	SEE(read(fd, bytes, 8));
	say("%.8s", bytes);
	SEE(close(fd));
}

int main(int argc, char **argv)
{
	void *handle = dlopen("libc.so.6", RTLD_LAZY);

	begin(argc, argv);
	mixed(handle);
	mixed(RTLD_DEFAULT);
	mixed(RTLD_NEXT);
	say("%d", asked(handle, "write") == asked(RTLD_DEFAULT, "write"));
	say("%d", asked(handle, "no_such_function") == NULL);
	say("%d %d", dlerror() != NULL, dlerror() == NULL);
	say("%d", dlsym(RTLD_NEXT, "main") == NULL);
	return 0;
}
