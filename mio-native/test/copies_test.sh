#!/bin/sh
# Copies inside the kernel and calls with flags, under the preload library: what they moved is in the report.
set -u

case ${CFLAGS:-} in
*sanitize*) echo "skipped: the preload library is not run with a sanitizer" && exit 77 ;;
esac

library=$NATIVES/libmio_preload.so
case $library in
/*) ;;
*) library=$PWD/$library ;;
esac
copies=$MIO_TEST_DIR/test/preload/tools/copies
case $copies in
/*) ;;
*) copies=$PWD/$copies ;;
esac
[ -f "$library" ] && [ -x "$copies" ] || { echo "skipped: $library or $copies has not been built"; exit 77; }
work=$(mktemp -d "$MIO_TEST_DIR/copies.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
unset MIO_FILES MIO_DEFAULTS MIO_DEBUG MIO_CONFIG MIO_ENABLED MIO_PRELOAD MIO_STATS MIO_STATS_OWNER LD_PRELOAD
export LC_ALL=C XDG_CONFIG_HOME=/nonexistent
cd "$work" || exit 1
head -c 100000 /dev/urandom >from.dat
"$copies" from.dat expected || { echo "skipped: no such calls on this file system"; exit 77; }

# row REPORT NAME: calls, bytes asked for and moved, least and most of a call.
row() {
    awk -v n="$2" '$1 == n { print $2, $4, $5, $6, $7 }' "$1" | tr '\n' ';'
}

for rule in 'trace/stats' 'trace/stats | pf/cache=64k/page=4k' 'trace/stats | pf/auto'; do
    rm -f to.dat r.stats
    timeout 60 env LD_PRELOAD="$library" MIO_FILES="*.dat [ $rule ]" MIO_STATS=r.stats "$copies" from.dat to.dat ||
        { echo "copies: $rule: the calls fail" >&2; failed=1; }
    cmp expected to.dat || failed=1
    [ "$(row r.stats read)" = '5 85000 85000 0 40000;' ] ||
        { echo "copies: $rule: read $(row r.stats read)" >&2; failed=1; }
    [ "$(row r.stats write)" = '5 85000 85000 0 40000;' ] ||
        { echo "copies: $rule: write $(row r.stats write)" >&2; failed=1; }
    grep -q '^  trunc' r.stats && { echo "copies: $rule: trunc" >&2; failed=1; }
done
exit $failed
