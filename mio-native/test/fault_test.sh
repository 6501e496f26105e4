#!/bin/sh
# The memory of a request on a file with a cache faults: the request returns what was moved before the fault, or EFAULT,
# as it does with the kernel. Where a copy cannot return from a fault, the program ends by the signal, or as its handler
# says. What the program wrote before is in all files, also in the file of the request.
set -u

. test/preloaded.sh

$CC -std=gnu11 -Wall -Wextra -Werror -O1 -D_GNU_SOURCE test/libraries/faults.c -o "$work/faults" || exit 1
cd "$work" || exit 1

# expect RULE HOW STATUS: fails unless the program ends with STATUS.
expect() {
    rm -f first second
    # The shell prints how the program ended, too.
    (MIO_FILES=$1 MIO_STATS=$work/report LD_PRELOAD=$library timeout 60 ./faults "$2"; exit $?) 2>err
    status=$?
    [ $status -eq "$3" ] || fail "$1, $2: status $status, not $3"
    [ "$(tr -d '\0' <first | wc -c)" -eq 40000 ] || fail "$1, $2: of the first file $(tr -d '\0' <first | wc -c) bytes"
    # The bytes of the request itself may be there or not, and may be zeros.
    [ "$(head -c 40000 second | tr -d '\0' | wc -c)" -ge 35000 ] || fail "$1, $2: of the second file $(tr -d '\0' <second | wc -c) bytes"
}

# alone HOW: prints the status that the program ends with without MIO. The kernel moves what there is, or says EFAULT at
# once, as on btrfs.
alone() {
    rm -f first second
    (timeout 60 ./faults "$1" 2>/dev/null)
    echo $?
}

# expect_copy RULE HOW STATUS: the same for a copy that MIO makes; STATUS is for machines where such a copy cannot
# return from a fault.
expect_copy() {
    case $(uname -m) in
    x86_64 | aarch64) expect "$1" "$2" "$(alone "$2")" ;;
    *) expect "$1" "$2" "$3" ;;
    esac
}

pf='* [ pf/cache=1m/page=64k ]'
small='* [ trace | pf/synchronous/cache=256k/page=4k | trace ]'
direct='second [ mio/direct ] * [ pf ]'
for what in write read; do
    expect_copy "$pf" "$what" 139
    expect_copy "$pf" "bus $what" 135
    expect_copy "$pf" "$what, handler exits" 5
    expect_copy "$pf" "$what, handler ends" 6
    expect_copy "$pf" "$what, handler raises" 139
    expect_copy "$pf" "$what, handler jumps" 7
    expect_copy "$small" "$what" 139
done
expect_copy "$pf" 'write over' 139
expect_copy "$pf" 'write over, handler jumps' 7
expect_copy "$small" 'write over' 139
# Direct I/O, with memory that is not aligned: MIO copies.
expect_copy "$direct" 'write over' 139
expect_copy "$direct" read 139
expect_copy "$direct" 'read, handler jumps' 7
# Without any cache, too. The first file is then as the program left it.
expect_copy 'second [ mio/direct ]' 'write over' 139
expect_copy 'second [ mio/direct ]' read 139
expect_copy 'second [ mio/direct ]' 'bus read' 135
# The kernel copies here: it says EFAULT, or what it has moved.
expect '* [ trace ]' 'write over' "$(alone 'write over')"
expect_copy '* [ pf/through ]' 'read' 139
exit $failed
