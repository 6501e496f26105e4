#!/bin/sh
# advise.sh [DIRECTORY] [MEBIBYTES] [ROUNDS] [PROGRAM...]
#
# Is the gain that mio advise predicts the gain one gets? Records real programs cold, takes a line
# MIO_FILES from mio advise for each, and runs each program cold without and with that line in turns.
#
#   DIRECTORY  lies on the disk to be measured, and has room for 4 times MEBIBYTES (default: the
#              current one)
#   MEBIBYTES  size of the data (default 400)
#   ROUNDS     rounds of each program (default 3)
#   PROGRAM    some of sort, scan, merge, extract, index, see programs.sh (default: all five)
#
# Example:
#
#   benchmarks/native/advise.sh /data 400 3
#
# A round is a recording, a run without the line, and a run with the line of the first recording that
# has one. An empty line is the advice to leave the files alone. Columns:
#
#   without, with  seconds of the whole program, medians
#   as fast        how many times as fast it is with the line, the median of the pairs
#   advised        N of ROUNDS recordings got a line; the next columns are of these, if any
#   told           how many times as fast as the recorded run the program is predicted to be, median
#   measured       how many times as fast as the recorded run it was, median
#   told of        told as a part of measured
#
# The recorded run is compared because a machine or disk that is faster for a while is so in the
# recording, too.
#
# MIO_COMMAND names another mio than the build's; MIO_KEEP=DIRECTORY keeps the recordings and the
# advice.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-400}
rounds=${3:-3}
programs="sort scan merge extract index"
[ $# -le 3 ] || { shift 3; programs=$*; }
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
for each in $programs; do
    one_of program "$each" sort scan merge extract index
done
mio_command=$(absolute "${MIO_COMMAND:-$here/../../mio-cli/bin/mio}")
cd "$work"
. "$here/programs.sh"

# member NAME FILE: the value of a member of a JSON object, one that has a line of its own.
member() { sed -n "s/^  \"$1\" : \"\{0,1\}\(.*[^\",]\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -1; }

keep() {
    if [ -n "${MIO_KEEP:-}" ]; then
        cp events "$MIO_KEEP/$name.events"
        cp advice "$MIO_KEEP/$name.json"
    fi
}

row() {
    name=$1
    "prepare_$name" || { echo "$name: could not be prepared"; return; }
    # shellcheck disable=SC2046 # a command of words without blanks
    set -- $(command_of "$name")
    : >pairs
    : >told
    : >alone
    line=
    round=0
    while [ $round -lt "$rounds" ]; do
        wall=$(timed "$mio_command" run -q --stats stats.txt --events events -- "$@")
        "$mio_command" advise --json events >advice
        advised=$(member mio_files advice)
        if [ -z "$line" ]; then
            line=$advised
            : >pairs
        fi
        keep
        plain=$(timed "$mio_command" run -q --door none -- "$@")
        with=$plain
        [ -z "$line" ] || with=$(timed "$mio_command" run -q --stats stats.txt --files "$line" -- "$@")
        echo "$plain $with" | awk '{ print $1, $2, $1 / $2 }' >>pairs
        # Predicted and measured ratios of the whole run, with the start of the program: advise knows only the time
        # between the first and the last call.
        told=told
        [ -n "$advised" ] || told=alone
        awk -v w="$wall" -v c="$(member recorded_ns advice)" -v r="$(member run_ns advice)" -v a="$(member advised_ns advice)" -v m="$with" 'BEGIN {
            start = w - c / 1e9; run = start + r / 1e9; print run / (start + a / 1e9), run / m }' >>$told
        round=$((round + 1))
    done
    [ -s told ] || cp alone told
    awk -v n="$name" -v p="$(median pairs 1)" -v w="$(median pairs 2)" -v f="$(median pairs 3)" -v t="$(median told 1)" -v m="$(median told 2)" \
        -v k="$(wc -l <told)" -v a="$rounds" -v l="$line" 'BEGIN {
        printf "%-8s %9.2f %9.2f %8.2fx %5d of %-2d %8.2fx %8.2fx %7.0f%%  %s\n", n, p, w, f, l == "" ? 0 : k, a, t, m, 100 * t / m, l }'
    find . -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system {} +
}

echo "$(uname -sr), $(nproc) processors, $mebibytes MiB, medians of $rounds in turns, cold"
printf '%-8s %9s %9s %9s %11s %9s %9s %8s  %s\n' "" without with "as fast" advised told measured "told of" ""
for each in $programs; do
    row "$each"
done
