#!/bin/sh
# Copies inside the kernel, and calls with flags, under the preload library: the report has what they moved.
set -u

. test/preloaded.sh

copies=$(whole "$MIO_TEST_DIR/test/preload/tools/copies")
[ -x "$copies" ] || { echo "skipped: $copies has not been built"; exit 77; }
cd "$work" || exit 1
head -c 100000 /dev/urandom >from.dat
"$copies" from.dat expected || { echo "skipped: no such calls on this file system"; exit 77; }

# row REPORT NAME: prints the calls, the bytes requested and moved, and the least and the most of a call.
row() {
    awk -v n="$2" '$1 == n { print $2, $4, $5, $6, $7 }' "$1" | tr '\n' ';'
}

for rule in 'trace/stats' 'trace/stats | pf/cache=64k/page=4k' 'trace/stats | pf/auto'; do
    rm -f to.dat r.stats
    timeout 60 env LD_PRELOAD="$library" MIO_FILES="*.dat [ $rule ]" MIO_STATS=r.stats "$copies" from.dat to.dat ||
        fail "$rule: the calls fail"
    cmp expected to.dat || failed=1
    [ "$(row r.stats read)" = '5 85960 85960 0 40960;' ] ||
        fail "$rule: read $(row r.stats read)"
    [ "$(row r.stats write)" = '5 85960 85960 0 40960;' ] ||
        fail "$rule: write $(row r.stats write)"
    grep -q '^  trunc' r.stats && fail "$rule: trunc"
done
exit $failed
