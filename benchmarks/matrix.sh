#!/bin/sh
# matrix.sh [DIRECTORY] [DOOR] [RUNS]
#
# Compares pf/auto with the program without MIO, and with rules made by hand, in turns: by pattern,
# size of request and state of the file. Prints a table. Takes an hour and more.
#
#   DIRECTORY  lies on the disk to be measured (default: the current one)
#   DOOR       native (default) or jvm
#   RUNS       runs of each rule (default 3)
#
# Examples; the second one makes the table again from a file that MATRIX_CSV kept:
#
#   benchmarks/matrix.sh /data native 5 > matrix.md
#   benchmarks/matrix.sh figures.csv > matrix.md
#
# For each cell there are two steps:
# 1. A search tries all rules with RUNS runs. It finds the best rule, and the best one that reads
#    through the kernel's cache, so that the file is there for others afterwards.
# 2. pf/auto, the program alone and these two rules are measured again, in turns. Only these runs are
#    in the table, because the best of six rules that were measured once may be so by chance.
#
# A line has the rate of the program alone; the rate of pf/auto over it; and for each of the two
# rules its rate over the program alone, its name, and the rate of pf/auto over the rule's. A ~ says
# that the spreads of the two rates overlap. The state "twice" reads the file cold, and once more in
# the state that this left it in: what a rule does to a program that is run again.
#
# MATRIX_RECORDS, MATRIX_TESTS and MATRIX_STATES choose a part of the table, MATRIX_AGAIN sets the
# runs of the second step (default: RUNS), MATRIX_SCALE is a factor for the sizes of files, and
# MATRIX_CSV=FILE keeps all figures. MIO names another mio than the build's.
# Needs awk, and mio as built.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mio=${MIO:-$here/../mio-cli/bin/mio}
directory=${1:-.}
door=${2:-native}
runs=${3:-3}

# The table, from lines of: state, best rule, best rule through the kernel's cache, and the columns of mio bench --csv.
# Lines of the search have no rules and are left out.
table() {
    grep -q '^[a-z]*,[^,]' "$1" || return 0
    echo "| state | pattern | record | alone, MB/s | pf/auto | best rule | | pf/auto of it | best by the kernel's cache | | pf/auto of it |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|"
    awk -F, '
    function chance(key, one, other) { return least[key, one] <= most[key, other] && most[key, one] >= least[key, other] ? "~" : "" }
    function found(key, name) { return sprintf("%.2fx | %s | %s%.2f", rate[key, name] / rate[key, "plain"],
        name == "plain" ? "none" : name, chance(key, "auto", name), rate[key, "auto"] / rate[key, name]) }
    $2 != "" { key = $1 "," $5 "," $8
      if (!(key in seen)) { seen[key] = 1; order[++n] = key; best[key] = $2; kept[key] = $3 }
      rate[key, $4] = $11; least[key, $4] = $12; most[key, $4] = $13 }
    END { for (i = 1; i <= n; i++) { k = order[i]; split(k, p, ",")
        printf "| %s | %s | %d | %.0f | %s%.2fx | %s | %s |\n", p[1], p[2], p[3], rate[k, "plain"] * 1024 / 1e6, chance(k, "auto", "plain"),
            rate[k, "auto"] / rate[k, "plain"], found(k, best[k]), found(k, kept[k]) } }' "$1"
}

if [ -f "$directory" ]; then
    table "$directory"
    exit 0
fi
. "$here/native/common.sh"
one_of door "$door" native jvm
number RUNS "$runs"
number MATRIX_AGAIN "${MATRIX_AGAIN:-1}"
number MATRIX_SCALE "${MATRIX_SCALE:-1}"
: >"$work/all.csv"

# The size of the file, by state and record: a run has to take a tenth of a second and more. In memory that needs more,
# up to 4 GB, which has to fit there with room to spare; else pf/auto reads past the kernel's cache. MATRIX_SCALE is a
# factor.
size_of() {
    case $1 in
    warm,100b) mib=64 ;;
    warm,1k) mib=256 ;;
    warm,4k) mib=1024 ;;
    warm,*) mib=4096 ;;
    *,100b) mib=32 ;;
    *,1k) mib=64 ;;
    *,4k | *,64k) mib=256 ;;
    *) mib=512 ;;
    esac
    echo $((mib * ${MATRIX_SCALE:-1}))m
}

# rules STATE RECORD: the rules made by hand, a line each. A file in memory is not read from the device, so it has no
# rules with direct I/O. No cache holds more than half of a file.
rules() {
    case $2 in
    100b | 1k) cache=16m ;;
    *) cache=64m ;;
    esac
    echo 'pages=[ pf/cache=1m/page=64k/pref=1/synchronous/through ]'
    if [ "$1" = warm ]; then
        echo 'buffered=[ pf/cache=4m/page=64k/through ]'
    else
        echo "buffered=[ pf/cache=$cache/page=1m/through ]"
        echo "direct=[ pf/cache=$cache/page=1m/direct/through ]"
        echo "small-direct=[ pf/cache=$cache/page=64k/direct/through ]"
    fi
}

# measured STATE RECORD RUNS TESTS NAMES: measures the program alone, pf/auto, and those rules of the state whose names
# are in NAMES, each between spaces.
measured() {
    state=$1 record=$2 times=$3 tests=$4 names=$5
    set --
    while IFS= read -r rule; do
        case $names in
        *" ${rule%%=*} "*) set -- "$@" --config "$rule" ;;
        esac
    done <<EOF
$(rules "$state" "$record")
EOF
    "$mio" bench "$directory" --door "$door" --"$state" -r "$record" -s "$(size_of "$state,$record")" --runs "$times" -i "$tests" \
        --config plain= --config 'auto=[ pf/auto ]' "$@" --csv 2>"$work/errors" >"$work/one.csv" || { cat "$work/errors" >&2; exit 1; }
}

# What the search found: a line for each test, with the best rule and the best rule through the kernel's cache.
best() {
    awk -F, 'NR > 1 {
        if (!($2 in seen)) { seen[$2] = 1; order[++n] = $2; best[$2] = kept[$2] = "plain" }
        rate[$2, $1] = $8
        if ($1 != "auto") names[$1] = 1 }
        END { for (i = 1; i <= n; i++) { t = order[i]
            for (c in names) {
                if (rate[t, c] > rate[t, best[t]]) best[t] = c
                if (c !~ /direct/ && rate[t, c] > rate[t, kept[t]]) kept[t] = c }
            print t, best[t], kept[t] } }' "$work/one.csv"
}

for state in ${MATRIX_STATES:-cold warm twice}; do
    for record in ${MATRIX_RECORDS:-100b 1k 4k 64k 1m}; do
        echo "matrix.sh: $door, $state, records of $record" >&2
        measured "$state" "$record" "$runs" "${MATRIX_TESTS:-read,backward,strided,nested,interleaved,random-read,zipf,loop,mixed}" \
            " pages buffered direct small-direct "
        awk -v s="$state,," 'NR > 1 { print s "," $0 }' "$work/one.csv" >>"$work/all.csv"
        best >"$work/best"
        while read -r test found kept <&3; do
            measured "$state" "$record" "${MATRIX_AGAIN:-$runs}" "$test" " $found $kept "
            awk -v s="$state,$found,$kept" 'NR > 1 { print s "," $0 }' "$work/one.csv" >>"$work/all.csv"
        done 3<"$work/best"
    done
done
[ -z "${MATRIX_CSV:-}" ] || cp "$work/all.csv" "$MATRIX_CSV"
table "$work/all.csv"
