#!/bin/sh
# synced.sh [DIRECTORY] [DOOR] [ROUNDS] [SECONDS]
#
# Does a rule make threads wait for each other? As in a database, two threads read pages of 8 KB at
# random, one writes some, and one syncs all the time, in a file of 64 MB in memory. They run alone
# and under [ auto ], [ pf/auto ] and [ trace ], in turns.
#
#   DIRECTORY  where the file is made (default: the current one)
#   DOOR       native (default) or jvm
#   ROUNDS     runs of each, of which the medians are shown (default 5)
#   SECONDS    length of a run (default 2)
#
# Example:
#
#   benchmarks/synced.sh /data native 5
#
# Prints for each rule the reads and writes per second, each also as a multiple of the run alone (x),
# and the longest read. Needs a C compiler, and benchmarks/target/benchmarks.jar for the JVM.
set -eu

here=$(cd "$(dirname "$0")/native" && pwd)
directory=${1:-.}
door=${2:-native}
rounds=${3:-5}
seconds=${4:-2}
. "$here/common.sh"
one_of door "$door" native jvm
number ROUNDS "$rounds"
number SECONDS "$seconds"
find_library
export MIO_STATS="$work/stats"
"${CC:-cc}" -O2 -pthread -o "$work/synced" "$here/synced.c"

native() {
    if [ -n "$1" ]; then
        mio "* [ $1 ]" "$work/synced" "$work/file" "$seconds"
    else
        "$work/synced" "$work/file" "$seconds"
    fi
}

jvm() {
    java -cp "$here/../target/benchmarks.jar" io.mio.benchmarks.Synced "$work/file" "$seconds" "$1"
}

round=0
while [ $round -lt "$rounds" ]; do
    "$door" "" >>"$work/alone"
    "$door" auto >>"$work/auto"
    "$door" pf/auto >>"$work/pf_auto"
    "$door" trace >>"$work/trace"
    round=$((round + 1))
done
echo "                reads/s      x   writes/s      x   longest read, ms"
for rule in alone auto pf_auto trace; do
    echo "$rule $(median "$work/$rule" 1) $(median "$work/alone" 1) $(median "$work/$rule" 2) $(median "$work/alone" 2) $(median "$work/$rule" 3)" |
        awk '{ sub("_", "/", $1); printf "%-12s %10d %6.2f %10d %6.2f %10.1f\n", $1, $2, $2 / $3, $4, $4 / $5, $6 / 1000 }'
done
