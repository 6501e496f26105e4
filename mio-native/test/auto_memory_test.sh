#!/bin/sh
# A program under pf/auto in a memory cgroup that is far smaller than its file: it ends as it does alone, is not killed,
# swaps nothing, and uses no more memory than the limit. The same on an overlay, where the kernel does not show what its
# cache has of a file. The file has 2 GiB, or 10 GiB with MIO_TEST_FULL, and has only holes. Needs the right to make a
# cgroup.
set -u

. test/preloaded.sh

auto_serves "$work" || { echo "skipped: pf/auto leaves files of this file system to the kernel"; exit 77; }
group=
undo='[ -z "$group" ] || rmdir "$group" 2>/dev/null; umount "$work/over" 2>/dev/null'
limit=$((256 << 20))

# make_group MOUNT LIMIT_FILE: sets "group" to a new cgroup with the limit, or to nothing.
make_group() {
    group=$1/mio-test.$$
    mkdir "$group" 2>/dev/null && echo "$limit" 2>/dev/null >"$group/$2" && return 0
    rmdir "$group" 2>/dev/null
    group=
    return 1
}

own=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
first=$(awk '$0 ~ / - cgroup / && $NF ~ /memory/ { print $5; exit }' /proc/self/mountinfo)
second=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
if [ -n "$first" ] && { make_group "$first$own" memory.limit_in_bytes || make_group "$first" memory.limit_in_bytes; }; then
    peak=memory.max_usage_in_bytes
    events=memory.oom_control
elif [ -n "$second" ] && make_group "$second" memory.max; then
    peak=memory.peak
    events=memory.events
else
    echo "skipped: no memory cgroup can be made" && exit 77
fi

cat >"$work/passes.c" <<'END'
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Forward, backward, forward. */
int main(int count, char **words)
{
	enum { BYTES = 100 << 10 };
	char *memory = malloc(BYTES);
	int fd = count == 2 && memory ? open(words[1], O_RDONLY) : -1;
	off_t size = lseek(fd, 0, SEEK_END) / BYTES * BYTES;

	for (int pass = 0; pass < 3; pass++)
		for (off_t at = 0; at < size; at += BYTES) {
			if (lseek(fd, pass == 1 ? size - BYTES - at : at, SEEK_SET) < 0 || read(fd, memory, BYTES) != BYTES)
				return 1;
			for (int i = 0; i < BYTES; i += 512)
				if (memory[i])
					return 2;
		}
	return size > 0 && close(fd) == 0 ? 0 : 1;
}
END
${CC:-cc} -O2 "$work/passes.c" -o "$work/passes" || exit 1
truncate -s "${MIO_TEST_FULL:+10G}" "$work/large.dat" 2>/dev/null || truncate -s 2G "$work/large.dat"

swapped=$(awk '/^pswpout/ { print $2 }' /proc/vmstat)
# read_in_group FILE REPORT: runs the program in the cgroup; fails unless it ends well and nothing is killed.
read_in_group() {
    timeout 300 sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
        env LD_PRELOAD="$library" MIO_FILES='* [ pf/auto/stats ]' MIO_STATS="$2" "$work/passes" "$1"
    status=$?
    [ $status -eq 0 ] || fail "the program ended with $status"
    killed=$(awk '$1 == "oom_kill" { print $2 }' "$group/$events" 2>/dev/null)
    [ "${killed:-0}" -eq 0 ] || fail "$killed processes were killed"
}
read_in_group "$work/large.dat" "$work/report"
used=$(cat "$group/$peak" 2>/dev/null || echo 0)
[ "$used" -le "$limit" ] || fail "$used bytes were used"
[ "$(awk '/^pswpout/ { print $2 }' /proc/vmstat)" = "$swapped" ] || [ "$(awk 'NR > 1 { s += $4 } END { print s + 0 }' /proc/swaps)" -eq 0 ] ||
    fail "memory was swapped out"
if grep -q 'no direct I/O' "$work/report"; then
    echo "no direct I/O here: the kernel kept the file"
elif grep -q 'unseen  ' "$work/report"; then
    echo "the kernel does not show what it has of a file here: it kept the file"
else
    grep -q "past the kernel's cache: the file" "$work/report" || { fail 'no pages'; cat "$work/report" >&2; }
fi
mkdir "$work/lower" "$work/upper" "$work/place" "$work/over"
truncate -s 1G "$work/lower/large.dat"
if mount -t overlay overlay -o "lowerdir=$work/lower,upperdir=$work/upper,workdir=$work/place" "$work/over" 2>/dev/null; then
    read_in_group "$work/over/large.dat" "$work/report.over"
    # Only if MIO could ask the kernel for the first file.
    ! grep -q "past the kernel's cache: " "$work/report" || grep -q "unseen  " "$work/report.over" || fail 'nothing was said to be unseen'
    ! grep -q "past the kernel's cache: " "$work/report.over" || { fail 'pages of a file of which nothing is seen'; cat "$work/report.over" >&2; }
else
    echo "no overlay can be mounted here: that part is left out"
fi
exit $failed
