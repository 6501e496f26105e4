#!/bin/sh
# A program learns of data that cannot be written when a file is closed in any way, by aio_fsync or syncfs, or when it
# filters its system calls: by the result of the call; or, where the call has no result or one with another meaning, by a
# line on standard error. dup2 and dup3 fail before they have changed anything.
set -u

. test/preloaded.sh

$CC -std=gnu11 -Wall -Wextra -Werror -O1 -D_GNU_SOURCE test/libraries/loses.c -o "$work/loses" || exit 1
cd "$work" || exit 1
line='mio: cannot write what the program has written to lost: File too large; it may be lost (close or fsync would have told it; pf/through writes at once)'
ends='mio: cannot write what the program has written to lost: File too large; it is lost if the program ends now (close or fsync would have told it; pf/through writes at once)'

expect() { # how, words, line on standard error
    said=$(MIO_FILES='* [ trace | pf/cache=1m/page=64k ]' MIO_STATS=$work/report LD_PRELOAD=$library timeout 60 ./loses "$1" 2>err | tr '\n' ' ')
    [ "$said" = "$2" ] || fail "$1: said: $said"
    [ "$(cat err)" = "$3" ] || fail "$1: on standard error: $(cat err)"
}

expect close 'close EFBIG number EBADF ' ''
expect close_range 'close_range EFBIG number EBADF ' ''
expect closefrom 'number EBADF ' "$line"
expect dup2 'dup2 EFBIG lost done ' "$ends"
expect dup3 'dup3 EFBIG lost done ' "$ends"
expect 'dup2 of a copy' 'dup2 of a copy done other done ' "$ends"
expect freopen 'freopen done other done ' "$line"
expect aio_fsync 'aio_fsync EFBIG lost done ' "$ends"
expect syncfs 'syncfs EFBIG lost done ' "$ends"
expect filter 'filter done lost done ' "$line"
exit $failed
