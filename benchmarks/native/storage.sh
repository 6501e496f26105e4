# Storage with latency, for latency.sh and plan.sh, in "work". "mebibytes" and "microseconds" say how
# large it is, and how slow. enter_mount and enter_device set "place" to its directory; leave ends it.
slowfs=
loop=
leave() {
    if [ -n "$loop" ]; then
        umount "$work/disk" || :
        losetup -d "$loop" || :
        loop=
    fi
    if [ -n "$slowfs" ]; then
        kill "$slowfs" 2>/dev/null || :
        wait "$slowfs" || :
        # Drops the line of counts that slowfs prints at its end, too.
        exec 3<&-
        slowfs=
    fi
    rm -rf "$work/behind/image"
}
${CC:-cc} -O2 -o "$work/patterns" "$here/patterns.c"
${CC:-cc} -O2 -pthread -o "$work/slowfs" "$here/slowfs.c" "$here/slowfs_files.c" "$here/slowfs_nodes.c"
mkdir "$work/behind" "$work/mount" "$work/disk"
mkfifo "$work/lines"

# enter_mount: mounts slowfs. Its lines come through a pipe: the first says that it is mounted, the others are counts.
enter_mount() {
    "$work/slowfs" -l "$microseconds" "$work/behind" "$work/mount" >"$work/lines" &
    slowfs=$!
    exec 3<"$work/lines"
    read -r line <&3 || exit 1
    place=$work/mount
}

# enter_device: makes a block device on slowfs. Fails where that is not possible, and says why.
enter_device() {
    [ "$(id -u)" = 0 ] || { echo "no block device: needs root"; return 1; }
    command -v losetup >/dev/null && command -v mkfs.ext4 >/dev/null || { echo "no block device: needs losetup and mkfs.ext4"; return 1; }
    truncate -s $((mebibytes * 9 / 8 + 64))M "$work/behind/image"
    mkfs.ext4 -q -F -m 0 -E lazy_itable_init=0,lazy_journal_init=0 "$work/behind/image"
    enter_mount
    loop=$(losetup -f --show --direct-io=on "$work/mount/image") || { loop= ; echo "no block device: no loop device"; return 1; }
    # Without direct I/O the mount would keep the pages, and no run would be cold.
    [ "$(losetup -n -O DIO "$loop" | tr -d ' ')" = 1 ] || { losetup -d "$loop"; loop= ; echo "no block device: loop has no direct I/O here"; return 1; }
    mount "$loop" "$work/disk" || { losetup -d "$loop"; loop= ; return 1; }
    place=$work/disk
}

# set_read_ahead: sets the kernel's readahead of the storage to MIO_READ_AHEAD (default 128), and "read_ahead" to what
# it is then, in KB. A loop device that was used before does not have the value of a new one.
set_read_ahead() {
    bdi=/sys/class/bdi/$(mountpoint -d "$place")/read_ahead_kb
    [ ! -w "$bdi" ] || echo "${MIO_READ_AHEAD:-128}" >"$bdi"
    read_ahead=$(cat "$bdi" 2>/dev/null || echo unknown)
    [ "$read_ahead" != unknown ] || [ "$(id -u)" != 0 ] || stop "the kernel's read-ahead of $place is not found"
}
