#!/bin/sh
# patterns.sh [DIRECTORY] [MEBIBYTES] [ROUNDS]
#
# Measures the aims of docs/Performance.md that concern native programs: the program alone and under
# libmio_preload.so, in turns. Each row is a ratio of medians.
#
#   DIRECTORY  lies on the disk to be measured (default: the current one)
#   MEBIBYTES  size of the file (default 1024)
#   ROUNDS     rounds, of which the medians are taken (default 5)
#
# Example:
#
#   benchmarks/native/patterns.sh /data 2048 7
#
# Prints for each row the aim, how many times as fast MIO is, the ratio of processor time, both rates,
# and the quartiles of the ratios; for single calls nanoseconds in place of rates.
# MIO_LIBRARY names another libmio_preload.so than the build's, MIO_RULE another rule for cold passes.
# Needs a C compiler; uses fio if it is installed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-1024}
rounds=${3:-5}
rule=${MIO_RULE:-pf/cache=100m/page=2m/direct}
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
find_library
${CC:-cc} -O2 -o "$work/patterns" "$here/patterns.c"
dd if=/dev/urandom of="$work/file" bs=1M count="$mebibytes" status=none

# row LABEL AIM RULE FILE PATTERN BYTES COLD LIMIT: prints the rate and the processor time with MIO against those
# without, and the quartiles of the rounds' ratios of rates.
row() {
    label=$1 aim=$2 asked=$3
    shift 3
    : >"$work/plain"
    : >"$work/mio"
    round=0
    while [ $round -lt "$rounds" ]; do
        "$work/patterns" "$@" >>"$work/plain"
        mio "$asked" "$work/patterns" "$@" >>"$work/mio"
        round=$((round + 1))
    done
    plain=$(median "$work/plain" 3) with=$(median "$work/mio" 3)
    plain_cpu=$(median "$work/plain" 4) with_cpu=$(median "$work/mio" 4)
    bytes=$(median "$work/plain" 2)
    spread=$(paste -d ' ' "$work/plain" "$work/mio" | awk '{ print $3 / $8 }' | sort -n | awk '{ a[NR] = $1 } END {
        printf "%.2f-%.2f", a[int((NR + 3) / 4)], a[NR + 1 - int((NR + 3) / 4)] }')
    awk -v l="$label" -v a="$aim" -v p="$plain" -v w="$with" -v pc="$plain_cpu" -v wc="$with_cpu" -v b="$bytes" -v s="$spread" 'BEGIN {
        printf "%-34s %8s %9.2fx %9.2f %10.0f %10.0f   %s\n", l, a, p / w, wc / pc, b / p * 1000, b / w * 1000, s }'
}

# call LABEL AIM RULE BYTES [PATTERN]: prints nanoseconds of one call whose bytes are in memory, without MIO and with
# it.
call() {
    : >"$work/plain"
    : >"$work/mio"
    round=0
    while [ $round -lt "$rounds" ]; do
        "$work/patterns" "$work/file" "${5:-hit}" "$4" warm >>"$work/plain"
        mio "$3" "$work/patterns" "$work/file" "${5:-hit}" "$4" warm >>"$work/mio"
        round=$((round + 1))
    done
    awk -v l="$1" -v a="$2" -v p="$(median "$work/plain" 5)" -v w="$(median "$work/mio" 5)" 'BEGIN {
        printf "%-34s %8s %9.2fx %9s %7d ns %7d ns   %+d ns\n", l, a, p / w, "", p, w, w - p }'
}

echo "$(uname -sr), $(nproc) processors, $mebibytes MiB, medians of $rounds in turns; $rule"
printf '%-34s %8s %10s %9s %10s %10s   %s\n' "" aim rate "cpu" "plain MB/s" "mio MB/s" "quartiles"
f=$work/file
row "forward 4 KB, cold" 1.5x "* [ $rule ]" "$f" forward 4096 cold
row "forward 1 MB, cold" "" "* [ $rule ]" "$f" forward 1048576 cold
row "backward 4 KB, cold" 12x "* [ $rule ]" "$f" backward 4096 cold 268435456
row "backward 100 KB, cold" 2.5x "* [ $rule ]" "$f" backward 102400 cold
row "100 bytes forward, cold" 4x "* [ $rule ]" "$f" forward 100 cold 268435456
row "100 bytes backward, cold" 4x "* [ $rule ]" "$f" backward 100 cold 67108864
row "strided 4 KB, cold" 1x "* [ $rule ]" "$f" strided 4096 cold
row "strided 64 KB, cold" 1x "* [ $rule ]" "$f" strided 65536 cold
row "random 4 KB, cold" 1x "* [ $rule ]" "$f" random 4096 cold 67108864
row "random 64 KB, cold" 1x "* [ $rule ]" "$f" random 65536 cold 268435456
row "write 100 KB and fdatasync" "" "* [ $rule ]" "$work/new" write 102400 cold $((mebibytes * 1048576))
call "hit of 100 bytes" 4x "* [ pf/cache=100m/page=2m ]" 100
call "hit of 4 KB" "" "* [ pf/cache=100m/page=2m ]" 4096
call "traced call, 100 bytes" "+60 ns" "* [ trace ]" 100
call "traced call, 4 KB" "+60 ns" "* [ trace ]" 4096
call "traced call, 100 bytes, pread" "+60 ns" "* [ trace ]" 100 hit-at
call "traced call, 100 bytes, readv" "+60 ns" "* [ trace ]" 100 hit-vector
call "descriptor without a rule" "" "*.other [ pf ]" 100

if command -v fio >/dev/null; then
    fio_rate() {
        fio --name=x --filename="$f" --rw="$1" --bs=2m --iodepth=4 --ioengine=io_uring --direct=1 --minimal 2>/dev/null |
            awk -F';' -v w="$1" '{ print (w == "read" ? $7 : $48) * 1024 }'
    }
    : >"$work/fio"
    : >"$work/mio"
    round=0
    while [ $round -lt "$rounds" ]; do
        fio_rate read >>"$work/fio"
        mio "* [ $rule/pref=4 ]" "$work/patterns" "$f" forward 2097152 cold >>"$work/mio"
        round=$((round + 1))
    done
    awk -v p="$(median "$work/fio" 1)" -v w="$(median "$work/mio" 3)" -v b="$(median "$work/mio" 2)" 'BEGIN {
        printf "%-34s %8s %9.0f%% %9s %10.0f %10.0f\n", "streaming, of fio (direct, depth 4)", "95%", b / w * 1e9 / p * 100, "", p / 1e6, b / w * 1000 }'
fi
