#!/bin/sh
# Events of programs under the preload library: all programs of a script write into one file, a killed program leaves all
# it did, and the events agree with the report.
set -u

. test/preloaded.sh

$CC -O1 -o "$work/dump" test/events/dump.c || exit 1
$CC -O1 -pthread -o "$work/worker" test/events/worker.c || exit 1
$CC -O1 -o "$work/sums" test/preload/tools/events.c || exit 1
cd "$work" || exit 1
head -c 3000000 /dev/zero >x.dat

run() { # rule script
    timeout 60 env LD_PRELOAD="$library" MIO_FILES="$1" MIO_STATS=x.stats sh -c "$2"
}

# count FILE PATTERN: prints the number of lines of the dump that match.
count() {
    ./dump "$1" | grep -c -e "$2"
}

expect() { # what expected was
    [ "$2" = "$3" ] || fail "$1: $3 and not $2"
}

for run in 1 2; do
    run '*.dat [ trace/events ]' 'dd if=x.dat of=/dev/null bs=100000 status=none; cat x.dat x.dat >/dev/null; (exec dd if=x.dat of=/dev/null bs=500000 status=none)'
    expect "run $run: processes" 3 "$(count trace.events '^process ')"
    expect "run $run: opens" 4 "$(count trace.events '^call open ')"
    expect "run $run: closes" 4 "$(count trace.events '^call close ')"
    expect "run $run: reads of dd" 31 "$(count trace.events '^call read .* 100000 [0-9]* ')"
    expect "run $run: reads of the other dd" 7 "$(count trace.events '^call read .* 500000 [0-9]* ')"
    expect "run $run: dropped" 1 "$(count trace.events '^dropped 0$')"
done
expect 'mode' 600 "$(stat -c %a trace.events)"
run '*.dat [ trace/events=%x-%p.events ]' 'cat x.dat >/dev/null & echo $! >pid; wait'
[ -f "cat-$(cat pid).events" ] || fail "no file by program and process: $(ls)"

# Both passes go through a cache: the events have what the report says.
for order in forward backward; do
    rm -f x.stats
    run '*.dat [ trace/events=pf.events | pf/cache=1m/page=64k/pref=2/replace=lru/stats | trace/events=pf.events ]' \
        "./worker $order x.dat"
    pages=$(sed -n '/^pf close for x.dat/,/^$/p' x.stats)
    expect "$order: prefetches" "$(echo "$pages" | sed -n 's/.* out of \([0-9]*\) :.*/\1/p')" "$(count pf.events '^page issued ')"
    expect "$order: unused" "$(echo "$pages" | sed -n 's/^ *\([0-9]*\) unused prefetches.*/\1/p')" "$(count pf.events '^page unused ')"
    expect "$order: page reads" "$(echo "$pages" | sed -n 's|.*<-- pf <-- [0-9]*/\([0-9]*\) .*|\1|p')" "$(count pf.events '^page arrived ')"
    expect "$order: ends" "$(count pf.events '^call aread ')" "$(count pf.events '^end aread ')"
    expect "$order: page reads below" "$(count pf.events '^page arrived ')" \
        "$(($(count pf.events '^end aread ') + $(count pf.events '^call read .* file 1$')))"
    expect "$order: reads" 300 "$(count pf.events '^call read .* 10000 10000 ')"
done

# Before it is killed, the program itself prints a line for each call that is traced.
: >told
run 'killed.dat [ trace/events=killed.events ]' './worker killed killed.dat >told & echo $! >pid
    while [ "$(wc -l <told)" -lt 3000 ]; do kill -0 $! || exit 1; done; kill -9 $!; wait $!' 2>/dev/null
told=$(wc -l <told)
written=$(count killed.events '^call write ')
if [ "$written" -lt "$told" ] || [ "$written" -gt $((told + 4)) ]; then
    fail "killed: $written events of $told writes"
fi
# The file of the killed program has no events that make no sense.
expect 'killed: the sum' "1 write $written" "$(./sums killed.events | awk '$2 == "write" { print $1, $2, $3 }')"

# A forked child writes its events into blocks of its own.
run '*.dat [ trace/events=fork.events ]' './worker fork x.dat'
expect 'fork: processes' 3 "$(count fork.events '^process ')"
expect 'fork: reads' 3000 "$(count fork.events '^call read .* 100 100 ')"

# If events cannot be written, MIO says so in one line, and the program runs on.
echo 'a letter' >letter
out=$(run '*.dat [ trace/events=letter ]' 'cat x.dat | wc -c' 2>err)
expect 'output' 3000000 "$out"
expect 'lines' 1 "$(wc -l <err)"
grep -q '^mio: cannot write events to .*letter: what is there is no events file; the program runs on' err || fail "$(cat err)"
expect 'the letter' 'a letter' "$(cat letter)"
ln -s nothing link
run '*.dat [ trace/events=link ]' 'cat x.dat' >out 2>err
grep -q '^mio: cannot write events to .*link: what is there is a symbolic link, and no events are written through one; the program runs on' err || fail "$(cat err)"
[ ! -e nothing ] || fail 'a link: events were written through it'
exit $failed
