#!/bin/sh
# small.sh [DIRECTORY] [DOOR] [RUNS] [FILES] [BYTES]
#
# Measures many small files, each opened, read in records and closed: under pf/auto, under a rule
# made by hand, and without MIO, in turns; cold, and in memory (there the best of five rounds).
#
#   DIRECTORY  where the files are made (default: the current one)
#   DOOR       native (default); jvm: names begin with mio:; jvm-default: MIO is the default file
#              system of the JVM
#   RUNS       runs, of which the medians are shown (default 5)
#   FILES      number of files (default 4000)
#   BYTES      size of each file (default 16384)
#
# Example:
#
#   benchmarks/small.sh /data native 5
#
# Prints lines like those of matrix.sh without the last three columns, because no rule here reads past
# the kernel's cache. Needs a C compiler, and benchmarks/target/benchmarks.jar for the JVM.
set -eu

here=$(cd "$(dirname "$0")/native" && pwd)
directory=${1:-.}
door=${2:-native}
runs=${3:-5}
files=${4:-4000}
bytes=${5:-16384}
. "$here/common.sh"
one_of door "$door" native jvm jvm-default
number RUNS "$runs"
number FILES "$files"
number BYTES "$bytes"
find_library
"${CC:-cc}" -O2 -o "$work/small_files" "$here/small_files.c"
mkdir "$work/files" "$work/warm-up"
"$work/small_files" make "$work/files" "$files" "$bytes"
"$work/small_files" make "$work/warm-up" 1000 "$bytes"

# native RULE RECORD ROUNDS: prints calls, bytes and nanoseconds. jvm and jvm_default do the same.
native() {
    if [ -n "$1" ]; then
        mio "* [ $1 ]" "$work/small_files" read "$work/files" "$files" "$bytes" "$2" "$3"
    else
        "$work/small_files" read "$work/files" "$files" "$bytes" "$2" "$3"
    fi
}

jvm() {
    java -cp "$here/../target/benchmarks.jar" io.mio.benchmarks.SmallFiles "$work/files" "$files" "$bytes" "$2" "$3" "$work/warm-up" 1000 "$1"
}

jvm_default() { # the door jvm-default
    # shellcheck disable=SC2086 # a word for each option
    MIO_FILES="* [ ${1:-os} ]" java ${1:+-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider} \
        -cp "$here/../target/benchmarks.jar" io.mio.benchmarks.SmallFiles "$work/files" "$files" "$bytes" "$2" "$3" "$work/warm-up" 1000 ""
}

run() { # STATE NAME RULE RECORD
    rounds=5
    if [ "$1" = cold ]; then
        "$work/small_files" drop "$work/files" "$files" "$bytes"
        rounds=1
    fi
    case $door in
        jvm-default) jvm_default "$3" "$4" "$rounds" ;;
        *) "$door" "$3" "$4" "$rounds" ;;
    esac >>"$work/$2.times"
}

rate() { # NAME: megabytes a second, least and most
    awk '{ print $2 * 1000 / $3 }' "$work/$1.times" >"$work/$1.rates"
    spread "$work/$1.rates" 1
}

for state in cold warm; do
    for record in 1024 4096 16384; do
        rm -f "$work"/*.times
        round=0
        while [ $round -lt "$runs" ]; do
            run $state plain "" $record
            run $state auto pf/auto $record
            run $state pages pf/cache=1m/page=64k/pref=1/synchronous/through $record
            round=$((round + 1))
        done
        echo "$state $record $(rate plain) $(rate auto) $(rate pages)" | awk '{
            chance = $7 <= $5 && $8 >= $4 ? "~" : ""; best = $9 > $3 ? $9 : $3
            name = $9 > $3 ? "pages" : "none"
            printf "| %s | small files | %d | %.0f | %s%.2fx | %.2fx | %s | %.2f |\n", $1, $2, $3, chance, $6 / $3, best / $3, name, $6 / best }'
    done
done
