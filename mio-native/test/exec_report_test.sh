#!/bin/sh
# Files that a program has open when it becomes another one are in the report.
. test/preloaded.sh

echo "a line" >"$work/data"
export MIO_FILES="$work/data [ trace/stats ]" MIO_STATS=+$work/report.jsonl

# reports WHAT SCRIPT: it opens the file and reads it.
reports() {
    rm -f "$work/report.jsonl"
    LD_PRELOAD=$library sh -c "$2" sh "$work/data" >/dev/null 2>&1
    grep -q '"event":"exit".*"read":{"count":[1-9]' "$work/report.jsonl" || fail "$1: the file is in no report"
}

reports "kept open" 'exec 3<"$1"; read line <&3; exec true'
reports "an exec that fails" 'exec 3<"$1"; read line <&3; command exec /nonexistent; exec true'

# It goes on, and what counts is the last.
rm -f "$work/report.jsonl"
LD_PRELOAD=$library perl -e 'open(F, "<", shift); sysread(F, $b, 3); { no warnings; exec("/nonexistent"); } sysread(F, $b, 3); close(F);' "$work/data"
[ "$(tail -n 1 "$work/report.jsonl" | grep -c '"event":"close".*"read":{"count":2')" = 1 ] || fail "an exec that fails: what follows is not counted"

exit $failed
