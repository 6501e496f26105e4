#!/bin/sh
# An allocator that opens, reads, writes and closes files with layers inside malloc, from the loader's first request on;
# it stands before the preload library in LD_PRELOAD, and behind it. The thread that holds the allocator's lock never
# asks for the lock, and all bytes are right.
set -u

. test/preloaded.sh

case $($CC -dumpmachine) in
x86_64-*) ;;
*) echo "skipped: the allocator is written for x86-64" && exit 77 ;;
esac

$CC -std=gnu11 -Wall -Wextra -Werror -O1 -fno-builtin -D_GNU_SOURCE -fPIC -fvisibility=hidden -shared test/libraries/allocator.c -o "$work/allocator.so" || exit 1
head -c 3000000 /dev/urandom >"$work/from"
seq 1 20000 | sort >"$work/lines"
sort -n "$work/lines" >"$work/sorted.right"

fail() {
    echo "early: $1: $2" >&2
    [ ! -s "$work/err" ] || tail -n 5 "$work/err" >&2
    failed=1
}

# run RULE LEAST LIBRARIES COMMAND...: checks the status, and that the allocator used its file at least LEAST times
# before its constructor ran, and once after.
run() {
    case_name="$4, $1, $(echo "$3" | sed 's|[^ ]*/||g')"
    least=$2
    (
        cd "$work" || exit 1
        rm -f visits
        MIO_FILES=$1
        MIO_STATS=$work/report
        libraries=$3
        shift 3
        export MIO_FILES MIO_STATS
        timeout 60 env LD_PRELOAD="$libraries" "$@"
    ) 2>"$work/err" || fail "$case_name" "exit status $?"
    [ -s "$work/err" ] && fail "$case_name" "something on standard error"
    read -r before after <"$work/visits" || fail "$case_name" "the allocator was not there at the end"
    { [ "$before" -ge "$least" ] && [ "$after" -ge 1 ]; } || fail "$case_name" "in the file $before times before the constructor, $after after"
}

same() { # files
    cmp -s "$1" "$2" || fail "$case_name" "bytes differ"
}

for rule in '' '* [ trace ]' '* [ trace | pf ]' '* [ trace | pf/cache=64k/page=4k/pref=2 ]' '* [ pf/direct/cache=1m/page=64k | trace ]' \
    '* [ trace | pf/through ]' '* [ pf/auto ]' '* [ recov | trace | pf/cache=16k/page=8k ]' '* [ mio/cio | trace | pf/private ]'; do
    # The loader initializes the last library of the list first.
    for libraries in "$library $work/allocator.so" "$work/allocator.so $library"; do
        run "$rule" 1 "$libraries" dd if=from of=copied bs=10000 status=none
        same "$work/from" "$work/copied"
        case $rule in
        *trace*) grep -q 'allocator\.dat' "$work/report" || fail "$case_name" "the allocator's file had no layers" ;;
        esac
        run "$rule" 1 "$libraries" sort -n lines -o sorted
        same "$work/sorted.right" "$work/sorted"
        rm -f "$work/copied" "$work/sorted" "$work/report"
    done
done

exit $failed
