#!/bin/sh
# A stream without layers on a file leaves nothing behind when it is closed: the next open of the file has a cache.
set -u

. test/preloaded.sh

program=$(cd "$MIO_TEST_DIR/test/preload/tools" && pwd -P)/streams

# has_pages RULES MODE: fails unless the next open of the file has a cache.
has_pages() {
    rm -rf "$work/files" "$work/report"
    mkdir "$work/files"
    (
        cd "$work/files" || exit 1
        MIO_FILES=$1
        MIO_STATS=$work/report
        export MIO_FILES MIO_STATS
        timeout 60 env LD_PRELOAD="$library" "$program" "$2"
    ) || fail "$1, mode $2: exit status $?"
    grep -q '^pf close for .*file\.cached' "$work/report" || fail "$1, mode $2: the file has had no cache"
}

for rule in '*.cached [ pf/cache=64k/page=4k/stats ]' '*.cached [ pf/through/stats ] plain [ pf/auto ]' \
    'held.cached [ pf ] *.cached [ pf/auto/stats ] plain [ pf/auto ]'; do
    case $rule in
    *pf/auto/stats*) auto_serves "$work" || { echo "skipped: $rule: pf/auto leaves files of this file system to the kernel" && continue; } ;;
    esac
    for mode in r again r,ccs=UTF-8; do
        has_pages "$rule" "$mode"
    done
done
has_pages '*.cached [ pf/cache=64k/page=4k/stats ]' r+
has_pages '*.cached [ pf/cache=64k/page=4k/stats ]' r+,ccs=UTF-8

exit $failed
