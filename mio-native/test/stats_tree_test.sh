#!/bin/sh
# Reports of a script under the preload library: all its programs write to one file, which each run begins anew.
set -u

. test/preloaded.sh

cd "$work" || exit 1
head -c 300000 /dev/zero >x.dat

run() { # stats script
    timeout 60 env LD_PRELOAD="$library" MIO_FILES='*.dat [ trace/stats ]' MIO_STATS="$1" sh -c "$2"
}

# programs FILE: prints the programs that have written to it, in their order.
programs() {
    sed -n 's/^Program=//p' "$1" | tr '\n' ' '
}

expect() { # what file programs
    [ "$(programs "$2")" = "$3" ] || fail "$1: $(programs "$2")"
}

echo 'of yesterday' >r.stats
for run in 1 2 3; do
    run r.stats 'dd if=x.dat of=/dev/null status=none; cat x.dat x.dat >/dev/null; (wc -c <x.dat >/dev/null)'
    expect "run $run" r.stats 'dd cat '
    grep -q yesterday r.stats && fail "run $run: the old file is still there"
    [ "$(grep -c '^Trace close' r.stats)" -eq 3 ] || fail "run $run: $(grep -c '^Trace close' r.stats) blocks"
done
run +r.stats 'cat x.dat >/dev/null'
expect 'added' r.stats 'dd cat cat '
run 'r-%x.stats' 'dd if=x.dat of=/dev/null status=none; cat x.dat >/dev/null; cat x.dat >/dev/null'
expect 'by program' r-dd.stats 'dd '
expect 'by program' r-cat.stats 'cat cat '
run silent.stats 'true; :'
[ -e silent.stats ] && fail 'a file without reports'

# Writes that go to the kernel directly, because others share the position, are counted like all others, above a cache
# and below it.
timeout 60 env LD_PRELOAD="$library" MIO_FILES='*.new [ trace/stats | pf | trace/stats ]' MIO_STATS=past.stats \
    dd if=/dev/zero of=past.new bs=64k count=8 status=none
written=$(awk '$1 == "write" { print $2, $4, $5 }' past.stats | tr '\n' ';')
[ "$written" = '8 524288 524288;8 524288 524288;' ] || fail "written past the cache: $written"
exit $failed
