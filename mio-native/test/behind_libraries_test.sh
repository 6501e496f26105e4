#!/bin/sh
# A library behind MIO's that also offers names of the C library, and makes their system calls by syscall(), as tcmalloc
# does for mmap. Its calls go to the real functions, and come back to neither library.
. test/preloaded.sh

cat >"$work/behind.c" <<'EOF'
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int behind_calls;

void *mmap(void *place, size_t length, int rights, int flags, int fd, off_t offset)
{
	void *memory = (void *)syscall(SYS_mmap, place, length, rights, flags, fd, offset);

	behind_calls++;
	return memory;
}

/* A tail call: syscall() returns to the caller of write(). */
ssize_t write(int fd, const void *bytes, size_t length)
{
	return syscall(SYS_write, fd, bytes, length);
}
EOF
cat >"$work/uses.c" <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int behind_calls;

static int added;

/* A tail call: syscall() returns to the code that called the handler. */
static void add(int number)
{
	(void)number;
	syscall(SYS_write, added, "?", (size_t)1);
}

static int wrong(const char *what)
{
	fprintf(stderr, "%s\n", what);
	return 1;
}

int main(int count, char **words)
{
	char bytes[6000];
	int fd = open(words[count - 1], O_RDWR | O_CREAT, 0600);
	int before = behind_calls;
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || memory[8191] != 0 || behind_calls != before + 1)
		return wrong("memory");
	if (fd < 0 || write(fd, "first ", 6) != 6 || syscall(SYS_write, fd, "second", (size_t)6) != 6)
		return wrong("written");
	if (write(1, "said\n", 5) != 5)
		return wrong("said");
	if (syscall(SYS_pread64, fd, bytes, sizeof(bytes), (off_t)0) != 12 || memcmp(bytes, "first second", 12) != 0)
		return wrong("read");
	signal(SIGUSR2, add);
	added = fd;
	if (raise(SIGUSR2) != 0 || write(fd, "!", 1) != 1 || lseek(fd, 0, SEEK_CUR) != 14)
		return wrong("added");
	memory = mmap(NULL, 14, PROT_READ, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED || memcmp(memory, "first second?!", 14) != 0)
		return wrong("mapped");
	return close(fd);
}
EOF
# Optimized, so that functions end in tail calls.
${CC:-cc} -O2 -shared -fPIC -o "$work/libbehind.so" "$work/behind.c" &&
    ${CC:-cc} -O2 -o "$work/uses" "$work/uses.c" -L"$work" -lbehind || exit 1
export LD_LIBRARY_PATH="$work" MIO_STATS="$work/report.jsonl"
"$work/uses" "$work/plain" >"$work/said" || fail "the program failed without MIO"

# runs HOW LIBRARIES: runs the program with the libraries that are loaded first.
runs() {
    rm -f "$work/data" "$work/report.jsonl"
    LD_PRELOAD=$2 "$work/uses" "$work/data" >"$work/said" 2>"$work/errors" ||
        fail "$1: status $?: $(head -c 200 "$work/errors")"
    [ "$(cat "$work/said")" = said ] || fail "$1: said $(head -c 200 "$work/said")"
    cmp "$work/plain" "$work/data" || fail "$1: another file"
}
for layers in trace/stats 'trace/stats | pf/cache=64k/page=4k/behind' auto; do
    export MIO_FILES="$work/data [ $layers ]"
    runs "$layers" "$library"
    grep -q '"write":{"count":4,' "$work/report.jsonl" || fail "$layers: other writes than four: $(grep -o '"write":{[^}]*' "$work/report.jsonl")"
    runs "$layers, in front" "$work/libbehind.so:$library"
done
MIO_FILES='none [ trace ]' runs "no layers" "$library"

# A library that the program loads offers a name that MIO has, and perhaps no other library: the name is found, and no
# error is left behind.
cat >"$work/plugin.c" <<'EOF'
int pidfd_spawn(void);
int pidfd_spawn(void)
{
	return 7;
}
EOF
cat >"$work/asks.c" <<'EOF'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int count, char **words)
{
	void *plugin = dlopen(words[count - 1], RTLD_NOW | RTLD_LOCAL);
	int (*function)(void) = (int (*)(void))(uintptr_t)dlsym(plugin, "pidfd_spawn");
	const char *error = dlerror();

	if (error)
		fprintf(stderr, "%s\n", error);
	return error || function() != 7;
}
EOF
${CC:-cc} -shared -fPIC -o "$work/plugin.so" "$work/plugin.c" && ${CC:-cc} -o "$work/asks" "$work/asks.c" -ldl || exit 1
MIO_FILES='none [ trace ]' LD_PRELOAD=$library "$work/asks" "$work/plugin.so" || fail "a plugin with a name of MIO's"

exit $failed
