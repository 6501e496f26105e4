#!/bin/sh
# advise.sh [DIRECTORY] [MEBIBYTES] [ROUNDS] [PROGRAM...]: is the gain that mio advise tells the gain one gets? Five real programs are
# recorded cold, mio advise tells a line MIO_FILES for each, and then each runs cold without and with that line in turns. DIRECTORY
# (default: the current one) lies on the disk in question and needs 4 times MEBIBYTES (default 400); ROUNDS (default 3) of each.
#
#   benchmarks/native/advise.sh /data 400 3
#
# sort     external sort: GNU sort of lines with little memory
# scan     database scan: SQLite reads all rows of a table, the newest ones first (python3)
# merge    GNU sort -m of sorted runs
# extract  tar -x of an archive
# index    a JVM merges the segments of a Lucene index (java, mvn; lucene-core from Maven's repository, or MIO_LUCENE=JAR)
#
# PROGRAM: only these. A round is a recording, a run without and a run with the line of the first recording that has one. Columns: seconds without and
# with (medians), how many times as fast that is (median of pairs), what was told (median), and what was told of what was measured. An empty line is the advice to leave the files alone. MIO_COMMAND
# names another mio than the build's; MIO_KEEP=DIRECTORY keeps the recordings and the advice.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=$(cd "${1:-.}" && pwd)
mebibytes=${2:-400}
rounds=${3:-3}
programs="sort scan merge extract index"
[ $# -le 3 ] || { shift 3; programs=$*; }
. "$here/common.sh"
mio_command=${MIO_COMMAND:-$here/../../mio-cli/bin/mio}
work=$(mktemp -d "$directory/mio-advise.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' INT TERM HUP
export LC_ALL=C
cd "$work"

# Everything in this directory leaves the kernel's cache; disks with credits get a moment to earn some. Then memory is taken and given
# back: a virtual machine may have to get free memory from its host first, which would be counted as the time of whoever reads next.
cold() {
    sync
    find . -type f -size +0 -exec dd if={} iflag=nocache count=0 status=none \;
    sleep 2
    head -c "$((3 * mebibytes))M" /dev/zero | tail -c "$((3 * mebibytes))M" >/dev/null
}

lines() { # so many MiB of text, whose lines begin with something to sort by
    openssl enc -aes-128-ctr -nosalt -pass pass:mio -in /dev/zero 2>/dev/null | od -An -v -tx8 -w40 | head -c "${1}M"
}

prepare_sort() { lines "$mebibytes" >sort.txt; }

prepare_scan() {
    python3 - "$mebibytes" <<'EOF'
import random, sqlite3, sys
chance = random.Random(1)
text = [chance.randbytes(300).hex() for _ in range(512)]
base = sqlite3.connect('scan.db')
base.execute('pragma journal_mode=off')
base.execute('pragma synchronous=off')
base.execute('create table rows(id integer primary key, number integer, text text)')
base.executemany('insert into rows values(?,?,?)',
                 ((i, chance.getrandbits(30), text[i % 512]) for i in range(int(sys.argv[1]) * 1600)))
base.commit()
EOF
    cat >scan.py <<'EOF'
import sqlite3
base = sqlite3.connect('file:scan.db?mode=ro', uri=True)
print(base.execute("select count(*) from (select text from rows order by id desc) where text like '%fffff%'").fetchone())
EOF
}

prepare_merge() {
    lines "$mebibytes" >all
    split -n l/12 all run.
    rm all
    for run in run.*; do sort -o "$run" "$run"; done
}

prepare_extract() {
    mkdir tree
    lines "$mebibytes" | split -b 4m - tree/file.
    tar -cf extract.tar tree
    rm -r tree
}

prepare_index() {
    lucene=${MIO_LUCENE:-}
    if [ -z "$lucene" ]; then
        mvn -B -ntp -q dependency:copy -Dartifact=org.apache.lucene:lucene-core:9.12.1 -DoutputDirectory="$work/jar" >&2 || return 1
        lucene=$work/jar/lucene-core-9.12.1.jar
    fi
    mkdir classes
    javac -nowarn -cp "$lucene" -d classes "$here/IndexMerge.java"
    java -cp "$lucene:classes" IndexMerge make index "$mebibytes"
}

# program ENVIRONMENT...: runs it, from the directory of the data; what it has made before is removed outside the time.
command_of() {
    case $1 in
        sort) echo "sort --parallel=1 -S 32M -T . -o sorted.txt sort.txt" ;;
        scan) echo "$python scan.py" ;;
        merge) echo "sort -m -o merged.txt $(echo run.*)" ;;
        extract) echo "tar -xf extract.tar" ;;
        index) echo "java -cp $lucene:classes IndexMerge merge index merged" ;;
    esac
}

# timed COMMAND...: seconds of one cold run.
timed() {
    rm -rf sorted.txt merged.txt tree merged
    cold
    began=$(date +%s%N)
    "$@" >/dev/null
    ended=$(date +%s%N)
    awk -v n=$((ended - began)) 'BEGIN { printf "%.3f\n", n / 1e9 }'
}

# member NAME FILE: of an object of JSON, a line each.
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
    line=
    round=0
    while [ $round -lt "$rounds" ]; do
        wall=$(timed "$mio_command" run -q --stats stats.txt --events events -- "$@")
        "$mio_command" advise --json events >advice
        # Of the whole run, with the start of the program: advise knows the time between its first and its last call.
        awk -v w="$wall" -v c="$(member recorded_ns advice)" -v r="$(member run_ns advice)" -v a="$(member advised_ns advice)" 'BEGIN {
            start = w - c / 1e9; print (start + r / 1e9) / (start + a / 1e9) }' >>told
        if [ -z "$line" ]; then
            line=$(member mio_files advice)
            : >pairs
        fi
        keep
        plain=$(timed "$mio_command" run -q --door none -- "$@")
        with=$plain
        [ -z "$line" ] || with=$(timed "$mio_command" run -q --stats stats.txt --files "$line" -- "$@")
        echo "$plain $with" | awk '{ print $1, $2, $1 / $2 }' >>pairs
        round=$((round + 1))
    done
    awk -v n="$name" -v p="$(median pairs 1)" -v w="$(median pairs 2)" -v m="$(median pairs 3)" -v t="$(median told 1)" -v l="$line" 'BEGIN {
        printf "%-8s %9.2f %9.2f %8.2fx %8.2fx %7.0f%%  %s\n", n, p, w, m, t, 100 * t / m, l }'
    find . -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system {} +
}

python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null || echo python3)
echo "$(uname -sr), $(nproc) processors, $mebibytes MiB, medians of $rounds in turns, cold"
printf '%-8s %9s %9s %9s %9s %8s  %s\n' "" without with measured told "told of" ""
for each in $programs; do
    row "$each"
done
