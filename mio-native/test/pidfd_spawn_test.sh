#!/bin/sh
# pidfd_spawn and pidfd_spawnp, which newer C libraries have: through the preload library a program sees what it sees
# without. If the C library does not have them, a library behind the preload library may; without that, the preload
# library's functions return ENOSYS.
set -u

. test/preloaded.sh

build() { # output, arguments
    output=$1
    shift
    $CC -std=gnu11 -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -o "$work/$output" "$@" -ldl || exit 1
}

build behind.so -fPIC -shared test/libraries/pidfd_spawn.c
build alone test/libraries/pidfd_spawning.c
build program test/libraries/pidfd_spawning.c -Wl,--no-as-needed "$work/behind.so"

# run OUTPUT PROGRAM ARGUMENTS...: runs the program with a new directory "files"; OUTPUT gets all that it prints.
run() {
    output=$1
    shift
    rm -rf "$work/files"
    mkdir "$work/files"
    timeout 60 "$@" >"$work/$output" 2>&1
}

run plain "$work/program" "$work/files" || fail "without MIO: $(tail -n 3 "$work/plain")"
for rule in '* [ trace ]' '* [ trace | pf ]' '* [ pf/cache=100m/page=2m ]' '* [ pf/direct/cache=1m/page=64k ]' '* [ pf/auto ]'; do
    MIO_FILES=$rule
    MIO_STATS=$work/report
    export MIO_FILES MIO_STATS
    run with env LD_PRELOAD="$library" "$work/program" "$work/files" || fail "$rule: exit status $?"
    cmp -s "$work/plain" "$work/with" || fail "$rule: without MIO, and with: $(diff "$work/plain" "$work/with")"
done

if ! run absent "$work/alone" "$work/files" absent; then
    run absent env LD_PRELOAD="$library" "$work/alone" "$work/files" absent || fail "where the C library has none: exit status $?"
    # 38 is ENOSYS.
    cut -d = -f 2 "$work/absent" | tr '\n' ' ' | grep -q '^ 38  38 -5 $' || fail "where the C library has none: $(cat "$work/absent")"
fi

exit $failed
