# Programs as people run them, for advise.sh and simulate.sh. These set "here", "work" (the directory
# of the programs, and the current one) and "mebibytes" (size of the data) before they read this file.
#
# sort     external sort: GNU sort of lines with little memory
# scan     database scan: SQLite reads all rows of a table, the newest ones first (python3)
# merge    GNU sort -m of sorted runs
# extract  tar -x of an archive
# index    a JVM merges the segments of a Lucene index (java, mvn; lucene-core from Maven's
#          repository, or MIO_LUCENE=JAR)
export LC_ALL=C
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null || echo python3)

# Drops everything in this directory from the kernel's cache. Disks with burst credits get a moment to earn some. Then
# memory is taken and given back: a virtual machine may have to get free memory from its host first, and the next
# program that reads would be charged for that time.
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

# command_of PROGRAM: prints the words of its command, which runs in the directory of the data.
command_of() {
    case $1 in
        sort) echo "sort --parallel=1 -S 32M -T . -o sorted.txt sort.txt" ;;
        scan) echo "$python scan.py" ;;
        merge) echo "sort -m -o merged.txt $(echo run.*)" ;;
        extract) echo "tar -xf extract.tar" ;;
        index) echo "java -cp $lucene:classes IndexMerge merge index merged" ;;
    esac
}

# timed COMMAND...: prints the seconds of one cold run. What an earlier run made is removed first, outside the time.
timed() {
    rm -rf sorted.txt merged.txt tree merged
    cold
    began=$(date +%s%N)
    "$@" >/dev/null
    ended=$(date +%s%N)
    awk -v n=$((ended - began)) 'BEGIN { printf "%.3f\n", n / 1e9 }'
}
