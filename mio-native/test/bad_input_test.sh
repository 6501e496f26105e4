#!/bin/sh
# Things that go wrong around MIO, under the preload library: the program still does what it does without MIO. Each case
# copies a file and compares the copy; what else a case expects is beside it.
set -u

. test/preloaded.sh

head -c 3000000 /dev/urandom >"$work/from"

# copied NAME STATUS LINES: fails unless the copy is right, STATUS is 0, and stderr has LINES lines, all of them by MIO.
copied() {
    [ "$2" -eq 0 ] || fail "$1: exit status $2"
    cmp -s "$work/from" "$work/to" || fail "$1: the copy differs"
    [ "$(wc -l <"$work/err")" -eq "$3" ] || fail "$1: stderr: $(cat "$work/err")"
    [ "$(grep -vc '^mio: ' "$work/err")" -eq 0 ] || fail "$1: stderr: $(cat "$work/err")"
    rm -f "$work/to"
}

# Loads the library only into the program that copies.
copy() {
    timeout 60 env LD_PRELOAD="$library" dd if="$work/from" of="$work/to" bs=10000 status=none 2>"$work/err"
}

mistake() { # rule
    MIO_FILES=$1 copy
    copied "wrong rule $1" $? 1
}
mistake '* [ trace/stat5 ]'
mistake '* [ pf/cache=nothing ]'
mistake '* [ trace'
MIO_FILES="* [ pf/plan={$work/nonexistent} ]" copy
copied "a plan that is not there" $? 0
MIO_FILES='* [ pf ]' MIO_DEBUG='NONSENSE' copy
copied "wrong debug keyword" $? 1
MIO_FILES='* [ pf ]' MIO_CONFIG="$work/nonexistent" copy
copied "no settings file" $? 1
MIO_FILES='* [ pf/nothing ]' MIO_ENABLED=0 copy
copied "a mistake where MIO is off" $? 0

# If the user asks for it, a mistake in the rules ends the program before it begins.
for how in MIO_PRELOAD=abort MIO_DEBUG=ABORT; do
    env "$how" MIO_FILES='* [ pf/nothing ]' LD_PRELOAD="$library" echo never >"$work/out" 2>"$work/err"
    [ $? -eq 255 ] || fail "$how: the program was not ended"
    [ -s "$work/out" ] && fail "$how: the program has run"
done

# Reports that cannot be written.
mkdir "$work/directory"
for report in "$work/directory" "$work/nonexistent/report" /dev/full; do
    MIO_FILES='* [ trace | pf ]' MIO_STATS=$report copy
    copied "report $report" $? 1
done
MIO_FILES="* [ trace/stats={$work/nonexistent/a} | pf ]" copy
copied "report of one layer" $? 1

# Few resources: few descriptors, no locked memory and little memory; and, further below, a small limit on the size of
# files.
limited() { # name ulimit-arguments
    name=$1
    shift
    (ulimit "$@" && MIO_FILES='* [ trace | pf/cache=1m/page=64k/direct ]' copy)
    copied "$name" $? 0
}
limited "64 descriptors" -n 64
# As few descriptors as the shell itself needs.
limited "12 descriptors" -n 12
limited "no locked memory" -l 0
(ulimit -v 400000 && MIO_FILES='* [ pf/cache=4g/page=1m ]' copy)
copied "no memory for a cache" $? 0

# A user who may start no more threads: neither MIO can have any, nor the kernel for a ring.
few() { # LIMIT
    timeout -k 5 60 setpriv --reuid 61234 --regid 61234 --clear-groups prlimit --nproc="$1" env LD_PRELOAD="$library" \
        dd if="$work/from" of="$work/few/to" bs=10000 status=none 2>"$work/err"
}
mkdir "$work/few"
chmod 755 "$work"
chmod 777 "$work/few"
if ! setpriv --reuid 61234 --regid 61234 --clear-groups prlimit --nproc=1 test -r "$library" -a -r "$work/from" -a -w "$work/few" 2>/dev/null; then
    echo "skipped: a limit on processes: needs root, setpriv, prlimit and a directory that all may enter"
else
    for limit in 1 2 2 2 3 5; do
        MIO_FILES='* [ pf/cache=2m/page=256k ]' few $limit
        status=$?
        [ ! -e "$work/few/to" ] || mv "$work/few/to" "$work/to"
        copied "limit of $limit processes" $status 0
    done
fi

# The file is larger than the limit of 1 MiB: the same error at the same byte as without MIO, or the same signal.
for rule in '' '* [ pf/cache=1m/page=64k ]' '* [ trace | pf/direct ]'; do
    rm -f "$work/to"
    { (
        ulimit -f 1024
        MIO_FILES=$rule
        [ -z "$rule" ] || { LD_PRELOAD=$library && export LD_PRELOAD; }
        export MIO_FILES
        exec dd if="$work/from" of="$work/to" bs=10000 status=none
    ); status=$?; } 2>"$work/err"
    echo "$status, $(wc -c <"$work/to") bytes, $(cmp "$work/from" "$work/to" 2>&1 | sed 's/.*EOF.*/the rest is right/')" >"$work/said.new"
    [ -f "$work/said" ] && ! cmp -s "$work/said" "$work/said.new" &&
        fail "limit on the size of files, $rule: $(cat "$work/said.new") instead of $(cat "$work/said")"
    [ -f "$work/said" ] || mv "$work/said.new" "$work/said"
done

# A full disk: the same error, status and bytes as without MIO.
mkdir "$work/small"
if mount -t tmpfs -o size=2m none "$work/small" 2>/dev/null; then
    undo='umount "$work/small"'
    rm -f "$work/said"
    for rule in '' '* [ pf/cache=1m/page=64k ]' '* [ pf/cache=16m/page=1m/pref=2 ]' '* [ trace | pf/through ]' '* [ trace ]'; do
        (
            MIO_FILES=$rule
            [ -z "$rule" ] || { LD_PRELOAD=$library && export LD_PRELOAD; }
            export MIO_FILES
            exec dd if="$work/from" of="$work/small/to" bs=4096 status=none
        ) 2>"$work/err"
        echo "$?, $(sed 's/.*: //' "$work/err"), $(wc -c <"$work/small/to") bytes, $(cmp "$work/from" "$work/small/to" 2>&1 | sed 's/.*EOF.*/right/')" \
            >"$work/said.new"
        rm -f "$work/small/to"
        [ -f "$work/said" ] && ! cmp -s "$work/said" "$work/said.new" &&
            fail "full disk, $rule: $(cat "$work/said.new") instead of $(cat "$work/said")"
        [ -f "$work/said" ] || mv "$work/said.new" "$work/said"
    done
else
    echo "skipped: full disk: no file system can be mounted"
fi

# io_uring is forbidden on the whole machine while these copies run: threads do the same. Programs that have a ring
# already keep it.
sysctl=/proc/sys/kernel/io_uring_disabled
if [ ! -e $sysctl ]; then
    echo "skipped: io_uring forbidden by sysctl: this kernel has no kernel.io_uring_disabled"
elif [ "$(id -u)" -ne 0 ] || ! before=$(cat $sysctl) || ! echo "$before" 2>/dev/null >$sysctl; then
    echo "skipped: io_uring forbidden by sysctl: $sysctl cannot be written here"
else
    undo="$undo; echo $before >$sysctl"
    echo 2 >$sysctl
    MIO_FILES='* [ trace | pf/cache=1m/page=64k ]' MIO_STATS=$work/report copy
    status=$?
    cmp -s "$work/from" "$work/to" || fail "forbidden by sysctl: the copy differs"
    MIO_FILES='* [ trace | pf/cache=1m/page=64k ]' MIO_STATS=$work/report.said MIO_DEBUG=OPEN copy
    status=$((status + $?))
    echo "$before" >$sysctl
    copied "forbidden by sysctl" $status 0
    for report in "$work/report" "$work/report.said"; do
        sed -n 2p "$report" | grep -q ' : with threads$' || fail "forbidden by sysctl: the report begins with $(head -n 3 "$report")"
    done
    grep -q ': io_uring: Operation not permitted; threads instead$' "$work/report.said" || fail "forbidden by sysctl: that is not said"
fi

exit $failed
