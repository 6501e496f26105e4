#!/bin/sh
# events.sh [DIRECTORY] [ROUNDS] [CALLS]
#
# Measures what recording events adds to a read whose bytes are in memory, by one thread and by two:
# without MIO, with the library and no rule, with trace, with trace/events, and with one call in a
# hundred recorded. Then the same for a hit in pf's cache, which is a page event, too.
#
#   DIRECTORY  where the data and the events file are, in a directory of their own that is removed at
#              the end (default: the current one)
#   ROUNDS     rounds in turns, of which the medians are shown (default 7)
#   CALLS      calls of each thread, in batches of 5000 (default 1000000). Each takes 64 bytes of
#              events, twice that with a page event
#
# Example:
#
#   benchmarks/native/events.sh /data 7
#
# Prints nanoseconds and processor nanoseconds of a call, each with the difference to a call that is
# traced without events. MIO_LIBRARY names another libmio_preload.so than the build's. Needs a C
# compiler.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
rounds=${2:-7}
calls=${3:-1000000}
. "$here/common.sh"
number ROUNDS "$rounds"
number CALLS "$calls" 5000
find_library
${CC:-cc} -O2 -pthread -o "$work/calls" "$here/calls.c"
dd if=/dev/urandom of="$work/data" bs=1M count=1 status=none

recorded="trace/events={$work/x.events}/events_limit=64g"
sampled="$recorded/events_sample=100"
cache=pf/cache=4m/page=64k

# run NAME RULE BYTES THREADS: one run; NAME "none" runs without the library.
run() {
    if [ "$1" = none ]; then
        "$work/calls" "$work/data" "$3" "$4" "$calls" >>"$work/$1"
    else
        mio "$2" "$work/calls" "$work/data" "$3" "$4" "$calls" >>"$work/$1"
    fi
    rm -f "$work/x.events"
}

# line LABEL NAME AGAINST: prints the times of NAME, and their differences to those of AGAINST.
line() {
    awk -v l="$1" -v w="$(median "$work/$2" 1)" -v p="$(median "$work/$2" 2)" -v aw="$(median "$work/$3" 1)" -v ap="$(median "$work/$3" 2)" 'BEGIN {
        printf "%-44s %8.1f %+8.1f   %8.1f %+8.1f\n", l, w, w - aw, p, p - ap }'
}

echo "$(uname -sr), $(nproc) processors, medians of $rounds in turns, $calls calls of each thread"
for threads in 1 2; do
    for bytes in 64 4096; do
        rm -f "$work/none" "$work/bare" "$work/trace" "$work/events" "$work/sample" "$work"/pf-*
        round=0
        while [ $round -lt "$rounds" ]; do
            run none '' $bytes $threads
            run bare '*.none [ trace ]' $bytes $threads
            run trace '*data [ trace ]' $bytes $threads
            run events "*data [ $recorded ]" $bytes $threads
            run sample "*data [ $sampled ]" $bytes $threads
            run pf-trace "*data [ trace | $cache ]" $bytes $threads
            run pf-events "*data [ $recorded | $cache ]" $bytes $threads
            run pf-sample "*data [ $sampled | $cache ]" $bytes $threads
            round=$((round + 1))
        done
        printf '\n%-44s %17s   %17s\n' "$bytes bytes, threads: $threads" "ns" "processor ns"
        line "without MIO" none trace
        line "no rule" bare trace
        line "trace" trace trace
        line "trace, events" events trace
        line "trace, events of one in 100" sample trace
        line "trace | pf" pf-trace pf-trace
        line "trace | pf, events" pf-events pf-trace
        line "trace | pf, events of one in 100 (pages: all)" pf-sample pf-trace
    done
done
