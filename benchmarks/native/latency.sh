#!/bin/sh
# latency.sh [DIRECTORY] [MEBIBYTES] [ROUNDS] [MICROSECONDS]
#
# Reads from storage with latency: through the kernel's cache without MIO, and with MIO with and
# without direct I/O, in turns, cold each time. Each request takes MICROSECONDS and no longer: it goes
# through slowfs (slowfs.c) to a file that stays in memory.
#
#   DIRECTORY     where the file behind slowfs is (default: the current one)
#   MEBIBYTES     size of the file (default 512)
#   ROUNDS        rounds, of which the medians are shown (default 5)
#   MICROSECONDS  latency of a request (default 1000)
#
# Example:
#
#   benchmarks/native/latency.sh /data 512 5
#
# Prints how many times as fast MIO is, with direct I/O and without; then MB/s; then, for each, the KB
# per request that came to the storage and the most requests in flight.
#
# The storage is a block device, as a cloud's disk is (ext4 on a loop device whose image slowfs shows;
# root only), and then the mount of slowfs itself, as a network file system is (MIO uses threads and
# the kernel's cache there, never direct I/O). MIO_STORAGE=device or mount chooses one.
#
# MIO_LIBRARY names another libmio_preload.so than the build's, MIO_RULE other options of pf than
# cache=100m/page=2m. MIO_READ_AHEAD is the kernel's readahead of the storage in KB (default 128, as
# disks have where nobody sets it; only root may set it). MIO_BENCHMARKS=BENCHMARKS_JAR adds rows of
# the JVM, by the benchmark Patterns in that jar; with MIO_BENCHMARKS_ONLY=1 there are no others.
# MIO_COMMAND is a command to run in place of all rows, with its current directory on the storage:
#
#   MIO_COMMAND="mio bench . --cold -r 4k -s 64m -i random-read,zipf --config plain= --config 'auto=[ pf/auto ]'"
#
# Needs a C compiler and FUSE: root, or fusermount3.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-512}
rounds=${3:-5}
microseconds=${4:-1000}
rule=pf/${MIO_RULE:-cache=100m/page=2m}
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
number MICROSECONDS "$microseconds" 0
for storage in ${MIO_STORAGE:-device mount}; do
    one_of storage "$storage" device mount
done
find_library
. "$here/storage.sh"

# counts: prints KB per request and the most requests in flight since the call before.
counts() {
    kill -USR1 "$slowfs"
    read -r line <&3
    echo "$line" | awk '{ gsub(/[,;]/, ""); printf "%d/%d", ($3 ? $5 / $3 / 1024 : 0), $(17) }'
}

# row LABEL PATTERN BYTES [LIMIT]: measures and prints one pattern.
row() {
    label=$1
    shift
    : >"$work/plain"
    : >"$work/direct"
    : >"$work/buffered"
    round=0
    while [ $round -lt "$rounds" ]; do
        counts >/dev/null
        "$work/patterns" "$f" "$1" "$2" cold ${3:-} >>"$work/plain"
        plain_counts=$(counts)
        mio "* [ $rule/direct ]" "$work/patterns" "$f" "$1" "$2" cold ${3:-} >>"$work/direct"
        direct_counts=$(counts)
        mio "* [ $rule ]" "$work/patterns" "$f" "$1" "$2" cold ${3:-} >>"$work/buffered"
        buffered_counts=$(counts)
        round=$((round + 1))
    done
    awk -v l="$label" -v b="$(median "$work/plain" 2)" -v p="$(median "$work/plain" 3)" -v d="$(median "$work/direct" 3)" \
        -v q="$(median "$work/buffered" 3)" -v pn="$plain_counts" -v dn="$direct_counts" -v qn="$buffered_counts" 'BEGIN {
        printf "%-18s %8.2fx %8.2fx   %7.1f %7.1f %7.1f   %9s %9s %9s\n", l, p / d, p / q, b / p * 1000, b / d * 1000, b / q * 1000, pn, dn, qn }'
}

# jvm PATTERNS SECONDS: prints the table of the JVM benchmark Patterns.
jvm() {
    java -cp "$MIO_BENCHMARKS" io.mio.benchmarks.Patterns --dir="$place" --size="${mebibytes}m" --rounds="$rounds" --patterns="$1" \
        --seconds="$2" --requests=4k,100k,1m --rule="$rule/direct" --rule="$rule"
}

# rows NAME: measures and prints all rows on the storage that was entered.
rows() {
    f=$place/file
    set_read_ahead
    if [ -n "${MIO_COMMAND:-}" ]; then
        echo "$1 (kernel's read-ahead $read_ahead KB)"
        (cd "$place" && sh -c "$MIO_COMMAND") || stop "the command failed: $?"
        return
    fi
    printf '\n%-18s %9s %9s   %23s   %29s\n' "$1" "direct" "pf" "MB/s plain, direct, pf" "KB/in flight, each"
    echo "(kernel's read-ahead $read_ahead KB)"
    if [ -z "${MIO_BENCHMARKS_ONLY:-}" ]; then
        dd if=/dev/urandom of="$f" bs=1M count="$mebibytes" status=none
        row "forward 4 KB" forward 4096
        row "forward 100 KB" forward 102400
        row "forward 1 MB" forward 1048576
        row "backward 4 KB" backward 4096 33554432
        row "backward 100 KB" backward 102400
        row "backward 1 MB" backward 1048576
        # So few requests that not many places come twice: the kernel would have kept them, and a cache of 100 MB not.
        row "random 4 KB" random 4096 8388608
        row "random 100 KB" random 102400 $((mebibytes * 131072))
        row "random 1 MB" random 1048576 $((mebibytes * 131072))
        rm "$f"
    fi
    if [ -n "${MIO_BENCHMARKS:-}" ]; then
        jvm forward,backward 1
        jvm random 0.1
    fi
}

echo "$(uname -sr), $(nproc) processors, $microseconds us, $mebibytes MiB, medians of $rounds in turns; $rule"
measured=
for storage in ${MIO_STORAGE:-device mount}; do
    if "enter_$storage"; then
        rows "$storage"
        measured=1
    fi
    leave
done
[ -n "$measured" ] || stop "no storage to measure"
