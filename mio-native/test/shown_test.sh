#!/bin/sh
# Data that cannot be written is not shown to others: a rename of a file whose pages the kernel does not take fails with
# the error of the write, and so do a link and a change of mode or times. The kernel takes nothing after another process
# has set the program's limit on the size of files to 0.
set -u

. test/preloaded.sh

command -v prlimit >/dev/null || { echo "skipped: there is no prlimit"; exit 77; }
$CC -std=gnu11 -Wall -Wextra -Werror -O1 -D_GNU_SOURCE test/libraries/shows.c -o "$work/shows" || exit 1
cd "$work" || exit 1

# ran RULE: prints what the program prints; sets the limit after the program has written.
ran() {
    rm -f from to linked named other
    echo other >other
    # SIGXFSZ would end the program.
    (trap '' XFSZ; MIO_FILES=$1 MIO_STATS=$work/report LD_PRELOAD=$library exec ./shows) &
    # The program changes its name when it has written.
    while kill -0 $! 2>/dev/null && [ "$(cat /proc/$!/comm)" != waits ]; do :; done
    prlimit --pid $! --fsize=0 || kill $!
    wait $!
}

expect() { # rule, words, files left
    said=$(ran "$1" | tr '\n' ' ')
    left=$(ls -d from to linked 2>/dev/null | tr '\n' ' ')
    [ "$said" = "$2" ] || fail "$1: said: $said"
    [ "$left" = "$3" ] || fail "$1: left: $left"
}

for rule in '* [ pf/cache=64k/page=4k ]' '* [ trace | pf/cache=1m/page=64k/synchronous | trace ]' '* [ pf/direct/cache=1m/page=64k ]'; do
    expect "$rule" 'written done rename EFBIG link EFBIG chmod EFBIG fchmod EFBIG utimensat EFBIG symlink done lchown done rename by number EFBIG fchmod by number EFBIG replace done close EFBIG ' 'from '
done
expect '* [ pf/through ]' 'written done rename done link ENOENT chmod ENOENT fchmod done utimensat ENOENT symlink done lchown done rename by number ENOENT fchmod by number done replace done close done ' 'from to '
exit $failed
