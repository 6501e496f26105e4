#!/bin/sh
# plan.sh [DIRECTORY] [MEBIBYTES] [ROUNDS] [MICROSECONDS]
#
# Measures reads in random order that are recorded once and made again by the plan (pf/plan), from
# storage with latency, cold each time, in turns. Also measures what a plan of another order costs,
# there and on DIRECTORY itself.
#
#   DIRECTORY     where the file is (default: the current one)
#   MEBIBYTES     size of the file (default 256)
#   ROUNDS        rounds, of which the medians are shown (default 5)
#   MICROSECONDS  latency of a request (default 1000)
#
# Example:
#
#   benchmarks/native/plan.sh /data 256 5
#
# Prints how many times as fast a run by the plan is as the first run (which records), and as one
# without MIO; what the wrong plan adds to a run, in percent; and microseconds per read.
#
# The storage is that of latency.sh: a block device (root), else the mount of slowfs; MIO_STORAGE=device
# or mount chooses one. MIO_BENCHMARKS=BENCHMARKS_JAR adds the same in a JVM, which is started before
# the time begins. MIO_LIBRARY names another libmio_preload.so than the build's.
# Needs a C compiler and FUSE.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-256}
rounds=${3:-5}
microseconds=${4:-1000}
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
number MICROSECONDS "$microseconds" 0
storage=${MIO_STORAGE:-device}
one_of storage "$storage" device mount
find_library
. "$here/storage.sh"

# native or jvm RULE BYTES LIMIT SEED: one run. The third number that it prints is nanoseconds.
native() {
    if [ -n "$1" ]; then
        mio "* [ $1 ]" "$work/patterns" "$f" random "$2" cold "$3" "$4"
    else
        "$work/patterns" "$f" random "$2" cold "$3" "$4"
    fi
}

jvm() {
    dd if=/dev/null of="$f" oflag=nocache conv=notrunc,fdatasync count=0 status=none
    java -cp "$MIO_BENCHMARKS" io.mio.benchmarks.RandomPass "$f" "$2" "$3" "$4" "$1"
}

# row DOOR LABEL RULE BYTES LIMIT PART: measures and prints one row. The wrong plan is of LIMIT bytes, and the runs that
# have it read 1/PART of these.
row() {
    rm -f "$work"/*.times "$work"/*.mio
    "$1" "trace/events={$work/other.mio}" "$4" "$5" 2 >/dev/null
    round=0
    while [ $round -lt "$rounds" ]; do
        "$1" "" "$4" "$5" 1 >>"$work/plain.times"
        "$1" "trace/events={$work/plan.mio} | $3" "$4" "$5" 1 >>"$work/first.times"
        "$1" "$3/plan={$work/plan.mio}" "$4" "$5" 1 >>"$work/plan.times"
        # Ratios of runs that follow one another, and three of them in each round, because the machine's speed changes.
        for pair in 1 2 3; do
            none=$("$1" "$3" "$4" $(($5 / $6)) 1)
            echo "$("$1" "$3/plan={$work/other.mio}" "$4" $(($5 / $6)) 1) $none" | awk '{ print $3 / $(NF / 2 + 3) }' >>"$work/cost.times"
        done
        round=$((round + 1))
    done
    awk -v l="$1, $2" -v n="$(median "$work/plain.times" 3)" -v f="$(median "$work/first.times" 3)" -v p="$(median "$work/plan.times" 3)" \
        -v c="$(median "$work/cost.times" 1)" -v r="$(median "$work/plain.times" 1)" 'BEGIN {
        printf "%-24s %8.1fx %10.1fx %12.1f %%   %8.0f %8.0f %8.0f\n", l, f / p, n / p, (c - 1) * 100, n / r / 1000, f / r / 1000, p / r / 1000 }'
}

# rows NAME LIMIT_OF_4K LIMIT_OF_64K PART: measures and prints all rows. The limits are the bytes that a run reads; runs
# that have a wrong plan read 1/PART of these.
rows() {
    f=$place/file
    printf '\n%-24s %9s %11s %14s   %26s\n' "$1" "first run" "without MIO" "wrong plan" "us per read: plain, first, plan"
    echo "(kernel's read-ahead $read_ahead KB)"
    dd if=/dev/urandom of="$f" bs=1M count="$mebibytes" status=none
    for door in native ${MIO_BENCHMARKS:+jvm}; do
        row $door "4 KB" pf/cache=16m/page=4k/direct 4096 "$2" "$4"
        row $door "4 KB, pages of 2 MB" pf/cache=100m/page=2m/direct 4096 "$2" "$4"
        row $door "64 KB" pf/cache=64m/page=64k/direct 65536 "$3" "$4"
    done
    rm "$f"
}

echo "$(uname -sr), $(nproc) processors, $microseconds us, $mebibytes MiB, medians of $rounds in turns"
if ! "enter_$storage"; then
    leave
    [ -z "${MIO_STORAGE:-}" ] || stop "no storage to measure"
    storage=mount
    enter_mount
fi
set_read_ahead
rows "$storage" 16777216 $((mebibytes * 1048576)) 4
leave
place=$work
read_ahead=unchanged
# Runs are so short here that the time to read the plan shows. So they are as long as the plan, as a program's runs are.
rows "the directory itself" $((mebibytes * 524288)) $((mebibytes * 1048576)) 1
