#!/bin/sh
# start.sh [DIRECTORY] [RUNS]
#
# Measures what MIO adds to a short program, from its start to its end: to a native program that reads
# a file of 1 MiB in 16 requests, and to a JVM that reads 4 KiB of such a file 16 times.
#
#   DIRECTORY  where the file is made (default: the current one)
#   RUNS       runs of each rule, in turns (default 21)
#
# Example:
#
#   benchmarks/start.sh /data 21
#
# Prints a table by door and rule: the median, the least and the most time, in milliseconds.
# Needs a C compiler, mio-core/target/mio-core-*.jar and benchmarks/target/benchmarks.jar.
set -eu

here=$(cd "$(dirname "$0")/native" && pwd)
directory=${1:-.}
runs=${2:-21}
. "$here/common.sh"
number RUNS "$runs"
find_library
file=$work/file
head -c 1048576 /dev/zero >"$file"
"${CC:-cc}" -O2 -o "$work/small_files" "$here/small_files.c"
"$work/small_files" make "$work" 1 1048576
classes=$(ls "$here"/../../mio-core/target/mio-core-*.jar | grep -v -e sources -e javadoc -e tests):$here/../target/benchmarks.jar

# jvm RULE, native RULE: one run; the rule "none" is the program alone.
jvm() {
    provider=
    [ "$1" = none ] || provider=-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider
    MIO_FILES=$([ "$1" = none ] || echo "$1") java $provider -cp "$classes" io.mio.benchmarks.RandomPass "$file" 4096 65536 1 ""
}

native() {
    if [ "$1" = none ]; then
        "$work/small_files" read "$work" 1 1048576 65536 1
    else
        mio "$1" "$work/small_files" read "$work" 1 1048576 65536 1
    fi
}

timed() {
    began=$(date +%s%N)
    "$1" "$2" >/dev/null
    echo $((($(date +%s%N) - began) / 1000)) >>"$work/$3"
}

each_rule() { # COMMAND DOOR: calls COMMAND with the door, each rule and the name of the file of its times
    number=0
    for rule in none 'other [ pf ]' '* [ trace ]' '* [ pf/auto ]' '* [ pf/cache=16m ]'; do
        "$1" "$2" "$rule" "times.$2.$number"
        number=$((number + 1))
    done
}

told() {
    spread "$work/$3" 1 | awk -v door="$1" -v rule="$2" '
        { printf "| %s | `%s` | %.1f | %.1f to %.1f |\n", door, rule, $1 / 1000, $2 / 1000, $3 / 1000 }'
}

echo "| door | rule | ms | from, to |"
echo "|---|---|---|---|"
for door in native jvm; do
    round=0
    while [ $round -lt "$runs" ]; do
        each_rule timed "$door"
        round=$((round + 1))
    done
    each_rule told "$door"
done
