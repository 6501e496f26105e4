#!/bin/sh
# The original's workload and options at a tenth of its size, by a C program under the preload library: every counter is
# what the original's figures imply (reference 4.3 and 4.5). 14000 records of 102400 bytes are written, read forward, and
# read backward.
set -u

. test/preloaded.sh

program=$(whole "$NATIVES/alot_buf")
[ -x "$program" ] || { echo "skipped: $program has not been built" && exit 77; }
free=$(df -kP "$work" | awk 'NR == 2 { print $4 }')
[ "${free:-0}" -ge 2000000 ] || { echo "skipped: less than 2 GB free in $work" && exit 77; }
[ "$(stat -f -c %T "$work" 2>/dev/null)" != tmpfs ] || { echo "skipped: $work is in memory" && exit 77; }

records=14000
bytes=1433600000        # 683 pages of 2 MiB and a part
pages=684
reads=1318              # all pages forward, and backward those that 50 frames do not hold
read_bytes=2763194368   # the last page is short, and read once
seeks=14003
seek_delta=-307126      # the mean: once from the end to the start, and two records back for each record

LD_PRELOAD="$library" MIO_STATS="$work/stats" \
    MIO_FILES="* [ trace/stats/kbytes | pf/cache=100m/page=2m/pref=4/stats/direct | trace/stats/kbytes ]" \
    timeout 600 "$program" "$work/test.dat" 102400 $records >"$work/out" 2>&1 || {
    echo "exactness: the program failed: $(cat "$work/out")" >&2
    exit 1
}

has() { # a line of the report, blanks taken together
    tr -s ' ' <"$work/stats" | grep -q -F -e "$1" || fail "the report has not: $1"
}

row() { # block above name, then the row: its count and what stands behind its seconds
    tr -s ' ' <"$work/stats" | sed -n "/^Trace close : $1 /,/^\$/s/^ $2 //p" | awk '{ $2 = ""; print }' | tr -s ' ' | sed 's/ $//'
}

is() { # what, expected, actual
    [ "$2" = "$3" ] || fail "$1: expected $2, was $3"
}

has " 50 pages of 2097152 bytes"
has " $((pages + 4))/$((pages + 4)) pages not preread for write"
has " $((pages - 1)) write behinds"
has " 4 unused prefetches out of $((pages + 4 + reads - 1)) : prefetch=4"
has " program --> $bytes/$records --> pf --> $bytes/$pages --> os"
has " program <-- $((2 * bytes))/$((2 * records)) <-- pf <-- $read_bytes/$reads <-- os"

kib=$((bytes / 1024))
is "writes of the program" "$records $kib $kib 102400 102400" "$(row 'program <-> pf' write)"
is "reads of the program" "$((2 * records)) $((2 * kib)) $((2 * kib)) 102400 102400" "$(row 'program <-> pf' read)"
is "seeks of the program" "$seeks average seek delta=$seek_delta" "$(row 'program <-> pf' seek)"
is "writes of the program that extend" "$records" "$(row 'program <-> pf' size)"

is "page writes the program waits for" "1 1216 1216 1245184 1245184" "$(row 'pf <-> os' write)"
is "page writes behind" "$((pages - 1)) 1398784 1398784 2097152 2097152" "$(row 'pf <-> os' awrite)"
is "page writes that extend" "$pages" "$(row 'pf <-> os' size)"
waited=$(row 'pf <-> os' read | cut -d ' ' -f 1)
ahead=$(row 'pf <-> os' aread | cut -d ' ' -f 1)
is "page reads" "$reads" "$((waited + ahead))"
[ "$waited" -le 3 ] || is "page reads the program waits for" "at most 3" "$waited"
# Only where direct I/O is possible.
if grep -q 'oflags .*DIRECT' "$work/stats"; then
    has " ill form 0 mem misaligned 0"
fi
[ $failed -eq 0 ] || cat "$work/stats" >&2
exit $failed
