#!/bin/sh
# The report has calls that the kernel does past the layers: where and how much they moved, that they failed, and how
# large they made the file.
. test/preloaded.sh

cat >"$work/calls.c" <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char bytes[4096];

int main(int count, char **words)
{
	int fd = open(words[2], (strcmp(words[1], "append") == 0 ? O_APPEND | O_WRONLY : O_RDWR) | O_CREAT, 0600);

	(void)count;
	if (strcmp(words[1], "append") == 0) {
		for (int i = 0; i < 10; i++)
			if (pwrite(fd, bytes, sizeof(bytes), 0) != sizeof(bytes))
				return 1;
	} else if (strcmp(words[1], "allocate") == 0) {
		if (posix_fallocate(fd, 0, 1 << 20) != 0)
			return 1;
		for (int i = 0; i < 10; i++)
			if (write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
				return 1;
		return posix_fallocate(fd, 0, -1) == 0;
	} else {
		off64_t at = 10, to = 20;

		if (copy_file_range(fd, &at, fd, &to, 10, 1) >= 0)
			return 1;
	}
	return 0;
}
END
${CC:-cc} -o "$work/calls" "$work/calls.c" || exit 1
export MIO_FILES="$work/data [ trace/stats ]" MIO_STATS="$work/report.jsonl"

# has WHAT PATTERN...: fails unless, after a run of WHAT, the last block of the report matches all patterns.
has() {
    what=$1
    shift
    rm -f "$work/report.jsonl" "$work/data"
    LD_PRELOAD=$library "$work/calls" "$what" "$work/data" || fail "$what: the program failed"
    for pattern in "$@"; do
        tail -n 1 "$work/report.jsonl" | grep -q "$pattern" || fail "$what: no $pattern in $(tail -n 1 "$work/report.jsonl")"
    done
}

has append '"write":{"count":10,[^}]*"delivered_bytes":40960' '"size_extensions":10' '"max_size_bytes":40960' '"seek":{"count":10'
has allocate '"size_extensions":1,' '"current_size_bytes":1048576' '"errors":{"EINVAL":1}'
has copy '"errors":{"EINVAL":'

exit $failed
