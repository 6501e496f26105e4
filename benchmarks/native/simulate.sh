#!/bin/sh
# simulate.sh [DIRECTORY] [MEBIBYTES] [ROUNDS] [PROGRAM...]
#
# Does mio simulate put rules in the order in which they are fast? Records real programs cold and
# without a cache; mio simulate predicts the time of five rules for each, with the device measured;
# then each program runs cold with each rule, in turns.
#
#   DIRECTORY  lies on the disk to be measured, and has room for 4 times MEBIBYTES (default: the
#              current one)
#   MEBIBYTES  size of the data (default 150)
#   ROUNDS     runs of each rule (default 3)
#   PROGRAM    some of sort, scan, merge, extract (see programs.sh), random, strided and backward
#              (patterns.c, requests of 16 KB) (default: all seven)
#
# Example:
#
#   benchmarks/native/simulate.sh /data 150 3
#
# Prints a table for each program, in the predicted order: predicted seconds, and measured seconds
# (median, least, most). Below it, how many of all pairs of rules were measured in the predicted
# order, and how many in the other order by more than their spreads. All rules read past the kernel's
# cache, of which there is no model.
#
# MIO_COMMAND names another mio than the build's, MIO_LIBRARY another libmio_preload.so. Needs a C
# compiler.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-150}
rounds=${3:-3}
programs="sort scan merge extract random strided backward"
[ $# -le 3 ] || { shift 3; programs=$*; }
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
for each in $programs; do
    one_of program "$each" sort scan merge extract random strided backward
done
find_library
mio_command=$(absolute "${MIO_COMMAND:-$here/../../mio-cli/bin/mio}")
cd "$work"
. "$here/programs.sh"
${CC:-cc} -O2 -o "$tools/patterns" "$here/patterns.c"

cat >"$tools/rules" <<'END'
pf/cache=64m/page=1m/direct
pf/cache=64m/page=1m/pref=1/synchronous/direct
pf/cache=64m/page=64k/direct
pf/cache=8m/page=64k/pref=2/direct
pf/cache=64m/page=16k/pref=1/synchronous/direct
END

prepare_pattern() { lines "$mebibytes" >data.bin; }

# prepared PROGRAM: makes its data; words_of PROGRAM: prints the words of its command.
prepared() {
    case $1 in
        random | strided | backward) prepare_pattern ;;
        *) "prepare_$1" ;;
    esac
}

words_of() {
    case $1 in
        random | strided | backward) echo "$tools/patterns data.bin $1 16384" ;;
        *) command_of "$1" ;;
    esac
}

# names_of PROGRAM: prints its files, as in a rule.
names_of() {
    case $1 in
        sort) echo 'sort*' ;;
        scan) echo 'scan.db' ;;
        merge) echo 'run.*:merged.txt' ;;
        extract) echo 'extract.tar:file.*' ;;
        *) echo 'data.bin' ;;
    esac
}

# largest: prints the name of the largest file, with which the device is measured.
largest() { find . -type f -printf '%s %p\n' | sort -rn | head -1 | cut -d' ' -f2; }

# table: prints the table, from lines "predicted number rule" in the predicted order, and from the measured seconds of
# rule N in the file N.times.
table() {
    : >"$tools/table"
    while read -r predicted number rule; do
        echo "$predicted $(spread "$tools/$number.times" 1) $rule"
    done <"$tools/predicted" >>"$tools/table"
    awk -v n="$name" '{ printf "%-9s %9.2f %9.2f %8.2f %7.2f  %s\n", n, $1, $2, $3, $4, $5
            median[NR] = $2; least[NR] = $3; most[NR] = $4 }
        END { for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) {
                pairs++; same += median[i] <= median[j]; other += least[i] > most[j] }
            printf "%s: %d of %d pairs in the predicted order, %d in the other one by more than the spread\n\n", n, same, pairs, other }' "$tools/table"
}

row() {
    name=$1
    prepared "$name" || { echo "$name: could not be prepared"; return; }
    # shellcheck disable=SC2046 # a command of words without blanks
    set -- $(words_of "$name")
    data=$(largest)
    names=$(names_of "$name")
    timed mio "$names [ trace/events={$tools/events} ]" "$@" >/dev/null
    # What the program has written may still be on its way to the device.
    cold
    while read -r rule; do echo "--config $rule"; done <"$tools/rules" |
        xargs "$mio_command" simulate "$tools/events" --measure "$data" --csv >"$tools/csv"
    # Columns are found by their names.
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { gsub(/"/, ""); print $at["time_ns"] / 1e9, $at["configuration"] }' "$tools/csv" >"$tools/times"
    awk 'NR == FNR { number[$1] = FNR; next } { print $1, number[$2], $2 }' "$tools/rules" "$tools/times" | sort -n >"$tools/predicted"
    rm -f "$tools"/*.times
    round=0
    while [ $round -lt "$rounds" ]; do
        number=0
        while read -r rule <&4; do
            number=$((number + 1))
            timed mio "$names [ $rule ]" "$@" >>"$tools/$number.times"
        done 4<"$tools/rules"
        round=$((round + 1))
    done
    table
    find . -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system {} +
}

echo "$(uname -sr), $(nproc) processors, $mebibytes MiB, medians of $rounds in turns, cold"
printf '%-9s %9s %9s %8s %7s\n' "" predicted measured least most
for each in $programs; do
    row "$each"
done
