#!/bin/sh
# preload.sh LIBRARY PROGRAMS WORK
#
# Runs every program of test/preload without MIO, and then under the library with each configuration below. Compares what
# they print (stdout, stderr), how they end, and the files they leave: content, length, mode, owner, links, and the times
# that a program has set.
#
# MIO_TEST_ONLY     names of programs, instead of all
# MIO_TEST_WITH     names of configurations, instead of all
# MIO_TEST_SEEDS    number of further runs of the exerciser, each with a seed of its own and 20000 operations (default 0)
# MIO_TEST_JOBS     configurations that run at the same time (default 2)
# MIO_TEST_SECONDS  time after which a run counts as hanging (default 120)
set -u

if [ $# -ne 3 ]; then
    echo "preload.sh LIBRARY PROGRAMS WORK" >&2
    exit 2
fi
library=$1
programs=$2
work=$3
jobs=${MIO_TEST_JOBS:-2}
seconds=${MIO_TEST_SECONDS:-120}
unset LD_PRELOAD MIO_FILES MIO_DEFAULTS MIO_DEBUG MIO_CONFIG MIO_ENABLED MIO_PRELOAD
# Streams have bytes of the C locale, and the user's settings are not read.
export LC_ALL=C HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent

if [ ! -f "$library" ]; then
    echo "skipped: $library has not been built"
    exit 77
fi
case $library in
/*) ;;
*) library=$PWD/$library ;;
esac

# The configurations: a name, then the value of MIO_FILES. For "threads" the kernel refuses io_uring, for "no-memory" it
# refuses the frames. EVENTS stands for a file for each process. PLAN stands for an events file that an earlier run of
# the program has made, with all its processes.
configurations() {
    cat <<'END'
trace * [ trace ]
pf * [ trace | pf ]
two-frames * [ trace | pf/cache=16k/page=8k/pref=1 ]
through * [ pf/through ]
direct * [ pf/direct/cache=1m/page=64k | trace ]
original * [ trace/stats/kbytes | pf/cache=100m/page=2m/pref=4/stats/direct | trace/stats/kbytes ]
threads * [ trace | pf/cache=64k/page=4k/pref=2 ]
synchronous * [ pf/synchronous/cache=64k/page=4k/pref=2 ]
recov * [ recov/fullwrite | trace | pf/cache=64k/page=8k ]
own * [ mio/direct ]
own-traced * [ mio/direct | trace ]
no-memory * [ trace | pf/direct/cache=1t/page=1m ]
cio * [ mio/cio | trace | pf/private/pffw/cache=1m/page=16k ]
auto * [ pf/auto/stats ]
auto-traced * [ trace | pf/auto/stats | trace ]
planned * [ pf/cache=64k/page=4k/plan=PLAN ]
events * [ trace/stats/events=EVENTS | pf/cache=64k/page=4k/pref=2/stats | trace/stats/events=EVENTS ]
END
}

chosen_programs() {
    if [ -n "${MIO_TEST_ONLY:-}" ]; then
        echo "$MIO_TEST_ONLY"
        return
    fi
    for program in "$programs"/*; do
        [ -f "$program" ] && [ -x "$program" ] && echo "${program##*/}"
    done
}

# run NAME DIRECTORY: runs the program in the directory; the results are beside it.
run() {
    rm -rf "$2"
    mkdir -p "$2"
    "$programs/tools/bounded" "$seconds" "$programs/$1" "$2" >"$2.out" 2>"$2.err" </dev/null
    echo $? >"$2.status"
    case $1 in
    open | identity | numbers_process | running)
        # Other users, and programs in another root directory, may not write there; MIO says so in one line.
        grep -v -e '^mio: cannot write statistics to ' -e '^mio: cannot write events to ' "$2.err" >"$2.part"
        mv "$2.part" "$2.err"
        ;;
    esac
    "$programs/tools/listing" "$2" >"$2.files"
    # The directory may have files without permissions, and deep trees.
    chmod -R u+rwx "$2" 2>/dev/null
    rm -rf "$2"
}

# compare NAME CONFIGURATION: shows where the results differ from those without MIO.
compare() {
    same=yes
    for part in status out err files; do
        if ! cmp -s "$work/plain/$1.$part" "$work/$2/$1.$part"; then
            [ $same = yes ] && echo "FAIL $1 [$2]"
            same=no
            echo "  $part, without MIO and with:"
            diff "$work/plain/$1.$part" "$work/$2/$1.$part" | head -n 30 | sed 's/^/    /'
        fi
    done
    [ $same = yes ]
}

# took PROGRAM: fails unless enough opens of the program got pages, under pf/auto and with small requests near each
# other. Not on file systems whose files are left to the kernel, as in memory or on another machine.
took() {
    case $(stat -f -c %T "$work") in
    tmpfs | ramfs | fuse* | nfs* | smb* | cifs | v9fs) return 0 ;;
    esac
    case $1 in
    dense) least=20 ;;
    dense_calls) least=13 ;;
    dense_shared) least=4 ;;
    waiting) least=50 ;;
    bad_memory) least=1 ;;
    exerciser) least=1 ;;
    small_stack) least=2 ;;
    *) return 0 ;;
    esac
    pages=$(grep -c '^pf close for private cache' "$MIO_STATS")
    # A stdio stream reads 4 KB at a time, and the kernel may be as quick with that.
    pages=$((pages + $(grep -c 'but the kernel takes only' "$MIO_STATS" || true)))
    if [ "$pages" -lt $least ]; then
        echo "FAIL $1 [$name]: $pages opens have had pages, not $least"
        return 1
    fi
    decided "$1"
}

# decided PROGRAM: fails unless the report says why opens got pages, or why they got none.
decided() {
    said=0
    case $1 in
    dense)
        said_that "$1" 'no-pages  *no longer near each other: [0-9]* requests took [0-9]* page reads$' || said=1
        said_that "$1" 'pages  *63 of 64 requests were small (at most 100 bytes) and near each other$' || said=1
        said_that "$1" 'no-pages  *only [0-9]* of 64 requests were small and near each other$' || said=1
        said_that "$1" 'no-pages  *16 opens of the process have some, though 63 of 64 requests' || said=1
        said_that "$1" 'no-pages  *there is no memory or no descriptor for them, though ' || said=1
        said_that "$1" 'no-pages  *its descriptor was copied$' || said=1
        said_that "$1" 'no-pages  *it is used where MIO does not see it$' || said=1
        # On btrfs MIO does not know how far the kernel reads ahead. So it tries hints, finds the bytes in the cache,
        # and looks no more.
        [ "$(stat -f -c %T "$work")" = btrfs ] ||
            said_that "$1" 'random  *64 requests in a row were in no order: looked at less and less$' || said=1
        ;;
    dense_calls)
        # Said of the file that is mapped, and not of the file whose mapping failed.
        said_that "$1" 'no-pages  *others write the file past MIO, or have it mapped, though ' || said=1
        if [ "$(grep -c 'others write the file past MIO' "$MIO_STATS")" -ne 1 ]; then
            echo "FAIL $1 [$name]: more than one file is said to be mapped"
            said=1
        fi
        said_that "$1" 'no-pages  *another process may have the file too$' || said=1
        ;;
    dense_shared) said_that "$1" 'no-pages  *another process may have the file too, though ' || said=1 ;;
    esac
    return $said
}

said_that() {
    grep -q "^ *[0-9]*[.][0-9][0-9]  $2" "$MIO_STATS" && return 0
    echo "FAIL $1 [$name]: no decision '$2' in its report"
    return 1
}

# with NAME RULES PROGRAM...: runs the programs under one configuration.
with() {
    name=$1
    rules=$2
    shift 2
    mkdir -p "$work/$name"
    failed=0
    MIO_TEST_PRELOAD=$library
    MIO_FILES=$(echo "$rules" | sed "s|EVENTS|{$work/$name/%x-%p.mio}|g")
    MIO_STATS=$work/$name/stats
    export MIO_TEST_PRELOAD MIO_FILES MIO_STATS
    if [ "$name" = threads ]; then
        export MIO_TEST_NO_RINGS=1
    fi
    if [ "$name" = no-memory ]; then
        # Less memory than the cache of the rule needs.
        ulimit -S -v 500000000
    fi
    for program; do
        case $rules in
        *PLAN*)
            MIO_FILES="* [ trace/events={$work/$name/$program.mio} ]"
            run "$program" "$work/$name/$program"
            MIO_FILES=$(echo "$rules" | sed "s|PLAN|{$work/$name/$program.mio}|g")
            ;;
        esac
        run "$program" "$work/$name/$program"
        compare "$program" "$name" || failed=$((failed + 1))
        case $rules in
        *pf/auto*) took "$program" || failed=$((failed + 1)) ;;
        esac
        rm -f "$work/$name/"*.mio
    done
    if [ "${MIO_TEST_SEEDS:-0}" -gt 0 ]; then
        exercise "$name" || failed=$((failed + 1))
    fi
    case $rules in
    *EVENTS*) agree "$rules" || failed=$((failed + 1)) ;;
    esac
    echo "$name: $# programs, $failed failed"
    [ $failed -eq 0 ]
}

# sums REPORT: prints the sums of a text report, in the form in which tools/events prints those of events.
sums() {
    awk '
        /^Trace / { place = ""; for (i = 3; i <= NF; i++) if ($i == "<->") place = $(i - 1) == "program" ? 1 : 3; next }
        /^pf / { place = / for (global|private) cache / ? "" : "pf"; next }
        /^ *$|^=/ { place = "" }
        place == "pf" && / unused prefetches out of / { sum["unused"] += $1; sum["started"] += $6 }
        place == "pf" && / write behinds$/ { sum["behind"] += $1 }
        place == "pf" && / --> pf --> / { split($7, part, "/"); sum["writes"] += part[2] }
        place == "pf" && / <-- pf <-- / { split($7, part, "/"); sum["reads"] += part[2] }
        place ~ /^[13]$/ && $1 ~ /^(open|a?write|a?read|fcntl|fstat|fsync|mmap|trunc|close)$/ {
            row = place " " $1
            count[row] += $2
            if ($1 ~ /read|write/) { requested[row] += $4; delivered[row] += $5 }
        }
        END {
            for (row in count) printf "%s %d %d %d\n", row, count[row], requested[row], delivered[row]
            for (what in sum) print "pf", what, sum[what]
        }' "$1" | sort
}

# all_agree REPORT EVENTS: true if all sums are equal. Only requests past the pages may differ: the report counts them
# as requests of pf, and they have no page event.
all_agree() {
    awk '
        NR == FNR { report[$1 " " $2] = $0; next }
        { events++; rest = report[$1 " " $2] }
        $1 == "pf" && $2 ~ /^(reads|writes)$/ { split(rest, part, " "); if ($3 > part[3]) exit differ = 1; next }
        rest != $0 { exit differ = 1 }
        END { exit differ || events != length(report) }' "$1" "$2"
}

# agree RULES: fails unless the events of the exerciser say the same as its report.
agree() {
    rm -f "$work/$name/agree."*
    MIO_FILES=$(echo "$1" | sed "s|EVENTS|{$work/$name/agree.mio}|g")
    MIO_STATS=$work/$name/agree.stats
    run exerciser "$work/$name/exerciser"
    if ! "$programs/tools/events" "$work/$name/agree.mio" | sort >"$work/$name/agree.events"; then
        echo "FAIL exerciser [$name]: its events make no sense"
        return 1
    fi
    sums "$MIO_STATS" >"$work/$name/agree.report"
    # Both must have calls and pages.
    if ! grep -q '^1 read [1-9]' "$work/$name/agree.report" || ! grep -q '^pf started [1-9]' "$work/$name/agree.report" ||
        ! all_agree "$work/$name/agree.report" "$work/$name/agree.events"; then
        echo "FAIL exerciser [$name]: what the report and the events say:"
        diff "$work/$name/agree.report" "$work/$name/agree.events" | head -n 30 | sed 's/^/    /'
        return 1
    fi
}

exercise() {
    seed=1
    while [ $seed -le "$MIO_TEST_SEEDS" ]; do
        MIO_TEST_SEED=$seed
        MIO_TEST_OPERATIONS=20000
        export MIO_TEST_SEED MIO_TEST_OPERATIONS
        run exerciser "$work/$1/exerciser"
        read -r status <"$work/$1/exerciser.status"
        if [ "$status" -ne 0 ]; then
            echo "FAIL exerciser [$1] with MIO_TEST_SEED=$seed MIO_TEST_OPERATIONS=20000: ended with $status"
            tail -n 40 "$work/$1/exerciser.out" "$work/$1/exerciser.err"
            return 1
        fi
        seed=$((seed + 1))
    done
    unset MIO_TEST_SEED MIO_TEST_OPERATIONS
}

rm -rf "$work"
mkdir -p "$work/plain"
case $work in
/*) ;;
*) work=$PWD/$work ;;
esac
list=$(chosen_programs)
for program in $list; do
    run "$program" "$work/plain/$program"
    read -r status <"$work/plain/$program.status"
    if [ "$status" -ne 0 ]; then
        echo "FAIL $program without MIO: $(tail -n 1 "$work/plain/$program.out") $(head -n 3 "$work/plain/$program.err")"
        exit 1
    fi
done

configurations | {
    running=0
    while read -r name rules; do
        case " ${MIO_TEST_WITH:-$name} " in
        *" $name "*) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086 # a list of names
        {
            with "$name" "$rules" $list >"$work/$name.result" 2>&1
            echo $? >"$work/$name.failed"
        } &
        running=$((running + 1))
        if [ $running -ge "$jobs" ]; then
            wait
            running=0
        fi
    done
    wait
}
failed=0
for result in "$work"/*.result; do
    cat "$result"
    read -r status <"${result%.result}.failed"
    [ "$status" -eq 0 ] || failed=1
done
exit $failed
