#!/bin/sh
# A block device under the preload library: its calls are counted like those of a file, no rule gives it a cache, and a
# program reads and writes there what it does without MIO. Needs the right to set up a loop device.
set -u

. test/preloaded.sh

head -c 4000000 /dev/urandom >"$work/image"
truncate -s 4194304 "$work/image"
device=$(losetup --find --show "$work/image" 2>/dev/null) || { echo "skipped: no loop device can be set up"; exit 77; }
undo='losetup --detach "$device"'
cp "$work/image" "$work/expected"
printf 'of the device' | dd of="$work/expected" bs=1 seek=5000 conv=notrunc status=none

under() { # rule, command...
    rule=$1
    shift
    timeout 60 env LD_PRELOAD="$library" MIO_FILES="$rule" MIO_STATS="$work/stats" "$@"
}

row() { # calls, and bytes moved, of one kind
    awk -v n="$1" '$1 == n { print $2, $5; exit }' "$work/stats"
}

ln -s "$device" "$work/link"
for rule in '* [ trace/stats ]' '* [ trace/stats | pf/cache=64k/page=4k/pref=2 ]' '* [ trace/stats | pf/auto ]' '* [ mio/direct/osync | trace/stats ]'; do
    # By its own name, by another name, and by a name relative to the directory of devices.
    for path in "$device" "$work/link" "$(basename "$device")"; do
        rm -f "$work/stats" "$work/out"
        (cd /dev && under "$rule" dd if="$path" of="$work/out" bs=64k iflag=fullblock status=none) || fail "$rule, $path: status $?"
        cmp "$work/image" "$work/out" || fail "$rule, $path: other bytes"
        [ "$(row read | cut -d ' ' -f 1)" = 65 ] || fail "$rule, $path: reads $(row read)"
        grep -q "^pf [a-z]* for $path\$" "$work/stats" && fail "$rule, $path: it has a cache"
    done
    case $rule in
    *direct*) ;;
    *)
        printf 'of the device' | under "$rule" dd of="$device" bs=13 seek=5000 oflag=seek_bytes conv=notrunc,fsync status=none || fail "$rule: status $?"
        [ "$(row write)" = '1 13' ] || fail "$rule: writes $(row write)"
        cmp "$device" "$work/expected" || fail "$rule: other bytes on it"
        dd if="$work/image" of="$device" bs=64k conv=notrunc,fsync status=none
        ;;
    esac
done

# Every call sees the end of the device in the same place.
sizes=$(under '* [ trace | pf | trace ]' python3 -c '
import os, sys
f = os.open(sys.argv[1], os.O_RDWR)
print(os.lseek(f, 0, os.SEEK_END), os.fstat(f).st_size, os.read(f, 10), os.pread(f, 10, 4194300) == os.pread(f, 4, 4194300))
try:
    os.write(f, b"more")
except OSError as e:
    print(e.errno)
' "$device" 2>&1)
if command -v python3 >/dev/null; then
    [ "$sizes" = "4194304 0 b'' True
28" ] || fail "size: $sizes"
fi

# Devices of other kinds have no layers.
rm -f "$work/stats"
under '* [ mio/direct | trace/stats/inter | pf ]' sh -c 'head -c 100 /dev/zero >/dev/null; echo x >/dev/null; : </dev/null' || fail "other devices: status $?"
[ -e "$work/stats" ] && grep ' : /dev/' "$work/stats" && fail 'other devices have layers'

exit $failed
