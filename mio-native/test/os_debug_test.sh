#!/bin/sh
# The option debug of the last layer prints a line when a file is opened and one when it is closed, as in a JVM; also where it is all that a rule asks for, and
# once for a file that a child inherits and closes.
set -u

. test/preloaded.sh

cd "$work" || exit 1
printf 12345 >a.dat

# said RULE COMMAND...: prints the lines that the last layer prints.
said() {
    rule=$1
    shift
    MIO_FILES=$rule MIO_STATS=$work/report LD_PRELOAD=$library "$@" >/dev/null || fail "$rule: $*"
    grep '^[a-z]* \(open\|close\) : a.dat' report
}

expect() { # rule, name of the last layer, flags
    [ "$(said "$1" cat a.dat)" = "$2 open : a.dat : oflags =$3 size=5
$2 close : a.dat" ] || fail "$1: $(grep ' : ' report)"
}

expect '*.dat [ os/debug ]' os 0x0=RDONLY
expect '*.dat [ trace | posix/debug ]' posix 0x0=RDONLY
expect '*.dat [ trace | pf/cache=64k/page=4k | os/debug ]' os 0x0=RDONLY
[ "$(said '*.dat [ os/debug ]' sh -c 'exec 7<>a.dat; (exec 7>&-); exec 7>&-' | grep -c .)" = 2 ] || fail "closed by a child, too: $(cat report)"
[ "$(said '*.dat [ trace ]' cat a.dat | grep -c .)" = 0 ] || fail "not asked for: $(cat report)"
exit $failed
