#!/bin/sh
# A program that handles signals runs under valgrind, which does not heed the mask of signals that a handler leaves behind.
set -u

. test/preloaded.sh

if ! command -v valgrind >/dev/null; then
    echo "skipped: no valgrind"
    exit 77
fi
$CC -std=gnu11 -Wall -Wextra -Werror -O1 -g -D_GNU_SOURCE test/libraries/alarms.c -o "$work/alarms" || exit 1
cd "$work" || exit 1
if ! timeout -k 5 ${MIO_TEST_SECONDS:-60} valgrind -q --leak-check=no ./alarms >alone 2>err; then
    echo "skipped: valgrind does not run a program here"
    exit 77
fi
for rules in '* [ trace ]' '* [ trace | pf/synchronous ]'; do
    MIO_FILES=$rules MIO_STATS=$work/report LD_PRELOAD=$library \
        timeout -k 5 ${MIO_TEST_SECONDS:-60} valgrind -q --leak-check=no ./alarms >with 2>err || fail "$rules: status $?, $(head -n 3 err)"
    cmp -s alone with || fail "$rules: $(cat with), not $(cat alone)"
done
exit $failed
