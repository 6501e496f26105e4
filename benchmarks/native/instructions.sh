#!/bin/sh
# instructions.sh [DIRECTORY]
#
# Counts the processor's instructions of a call, the program's and the C library's own included: without MIO, with a
# rule that does not match, with pf/auto, and with trace and pf/auto. The bytes are in the kernel's cache. Counts say
# where time may go and do not depend on what else the machine does; they say nothing of atomic operations, memory and
# the kernel, which cost more.
#
#   DIRECTORY  on a disk, as pf/auto leaves files in memory alone (default: the current one)
#
# Example:
#
#   benchmarks/native/instructions.sh /data
#
# MIO_LIBRARY names another libmio_preload.so than the build's. Needs a C compiler and valgrind, under which the kernel
# cannot be asked what its cache has (cachestat).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
. "$here/common.sh"
find_library
command -v valgrind >/dev/null || stop "no valgrind"
${CC:-cc} -O2 -o "$tools/requests" "$here/requests.c"
head -c 67108864 /dev/zero >"$work/file"
unset MIO_FILES MIO_DEBUG LD_PRELOAD

# total RULE PATTERN CALLS: prints the instructions of a run. RULE -: without MIO.
total() {
    [ "$1" = - ] || export MIO_FILES="$1" LD_PRELOAD="$library"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$tools/requests" "$work/file" "$2" "$3" 2>"$work/said" ||
        stop "$(tail -n 3 "$work/said")"
    sed -n 's/.*Collected : *//p' "$work/said" | tail -n 1
}

# each RULE PATTERN: prints the instructions of a call, as the difference of a long run and a short one.
each() {
    short=$(total "$1" "$2" 20000) long=$(total "$1" "$2" 120000)
    echo $(((long - short + 50000) / 100000))
}

printf '%-14s %8s %8s %8s %16s\n' '' alone 'no rule' pf/auto 'trace | pf/auto'
for pattern in random mixed strided nested seek-random seek-mixed seek-strided seek-nested; do
    printf '%-14s %8s %8s %8s %16s\n' "$pattern" "$(each - $pattern)" "$(each '*.other [ pf/auto ]' $pattern)" \
        "$(each '* [ pf/auto ]' $pattern)" "$(each '* [ trace | pf/auto ]' $pattern)"
done
