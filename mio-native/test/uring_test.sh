#!/bin/sh
# A program that makes rings by a shared liburing, whose system calls MIO does not see: its files have no cache from then
# on, and it sees what it sees without MIO. liburing is a library of the program, a library of a plugin that is loaded
# for itself alone (RTLD_LOCAL), or inside such a plugin.
set -u

. test/preloaded.sh

case $($CC -dumpmachine) in
x86_64-* | aarch64-*) ;;
*) echo "skipped: the ring is written for x86-64 and aarch64" && exit 77 ;;
esac
echo '#include <linux/io_uring.h>' | $CC -E - >/dev/null 2>&1 || { echo "skipped: no headers of io_uring"; exit 77; }

build() { # output, arguments
    output=$1
    shift
    $CC -std=gnu11 -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -o "$work/$output" "$@" -ldl || exit 1
}

# No library of the machine has this name.
build libring.so -fPIC -shared test/libraries/uring.c
build linked -DRINGS test/libraries/ringing.c "$work/libring.so"
build host -DLOADS test/libraries/ringing.c
build needs.so -fPIC -shared -DRINGS -DLOADS test/libraries/ringing.c "$work/libring.so"
build has.so -fPIC -shared -DRINGS -DLOADS test/libraries/ringing.c test/libraries/uring.c

# run OUTPUT COMMAND...: runs the command without the file of an earlier run; OUTPUT gets all that it prints.
run() {
    output=$1
    shift
    rm -f "$work/data"
    timeout 60 "$@" >"$work/$output" 2>&1
}

for how in init params mem setup refused; do
    for kind in linked needs has; do
        case $kind in
        linked) set -- "$work/linked" $how "$work/data" ;;
        *) set -- "$work/host" $how "$work/data" "$work/$kind.so" ;;
        esac
        run plain "$@"
        case $? in
        0) ;;
        77) echo "skipped: io_uring is not to be had here" && exit 77 ;;
        *) fail "$how, $kind, without MIO: $(tail -n 3 "$work/plain")" ;;
        esac
        for rule in '* [ trace ]' '* [ trace | pf ]' '* [ pf/cache=100m/page=2m ]' '* [ pf/direct/cache=1m/page=64k ]' '* [ pf/auto ]' '* [ mio/direct ]'; do
            run with env LD_PRELOAD="$library" MIO_FILES="$rule" "$@" || fail "$how, $kind, $rule: exit status $?"
            cmp -s "$work/plain" "$work/with" || fail "$how, $kind, $rule: without MIO, and with: $(diff "$work/plain" "$work/with")"
        done
    done
done

# A ring that was refused leaves the files their cache.
run with env LD_PRELOAD="$library" MIO_FILES='* [ pf/stats ]' MIO_STATS="$work/report" "$work/linked" refused "$work/data"
[ "$(grep -c '^pf close .*/data' "$work/report")" = 2 ] || fail "refused: not both opens have a cache: $(grep '^pf' "$work/report")"

exit $failed
