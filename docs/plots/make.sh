#!/bin/sh
# make.sh [DIRECTORY]: the pictures of docs/Plots.md, of real runs. DIRECTORY (default: a new one below TMPDIR or /var/tmp) gets the
# data, 256 MiB, the events and the pages, and should lie on a disk, not in memory; a new one is removed in the end. Needs a C
# compiler, fio, and a browser (chromium; MIO_BROWSER names another one); with pngquant or ImageMagick the pictures are a
# third of the size.
#
#   docs/plots/make.sh
#   docs/plots/make.sh /data/plots && ls /data/plots/*.html
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mio=${MIO:-$root/mio-cli/bin/mio}
rounds="1 2 3 4 5"

fail() {
    echo "make.sh: $1" >&2
    exit 1
}

browser=${MIO_BROWSER:-}
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name") || browser=
done
[ -n "$browser" ] || fail "no browser found; install chromium, or name one by MIO_BROWSER"
command -v fio >/dev/null || fail "no fio found (Debian: apt install fio)"

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
else
    work=$(mktemp -d "${TMPDIR:-/var/tmp}/mio-plots.XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
    trap 'exit 1' INT TERM HUP
fi
cd "$work"
profile=$work/browser

"${CC:-cc}" -O2 -o patterns "$root/benchmarks/native/patterns.c"
dd if=/dev/urandom of=x.dat bs=1M count=128 status=none
for job in 0 1 2 3; do
    dd if=x.dat of="f.$job" bs=1M count=32 status=none
done

# What is read next comes from the disk, and what is written is new.
cool() {
    rm -f new.dat
    for file in x.dat f.?; do
        dd of="$file" oflag=nocache conv=notrunc,fdatasync count=0 status=none
    done
}

# record NAME PF PROGRAM...: events of a run, as the program sees it and as the system does; without PF that is the same. The
# quickest one of several, so that little of what else the machine does is in the picture.
record() {
    name=$1 cache=$2
    shift 2
    best=
    for round in $rounds; do
        cool
        rm -f new.mio
        began=$(date +%s%N)
        "$mio" run --events new.mio ${cache:+"--pf=${cache#pf/}"} --stats "$work/new.stats" -- "$@" >"$name.out"
        took=$(($(date +%s%N) - began))
        if [ -z "$best" ] || [ "$took" -lt "$best" ]; then
            best=$took
            mv new.mio "$name.mio"
            mv new.stats "$name.stats"
        fi
        rm -f new.stats
    done
    echo "$name: $((best / 1000000)) ms, the quickest of ${rounds##* }"
}

# picture NAME PLOT OPTIONS...: drawn by mio itself.
picture() {
    name=$1
    shift
    "$mio" plot "$@" -o "$name.png" >/dev/null
    keep "$name"
}

# page NAME RUN...: the interactive one.
page() {
    name=$1
    shift
    "$mio" plot "$@" -o "$name.html" >/dev/null
}

# screen NAME PAGE WIDTH HEIGHT [VIEW]: what the browser shows of it.
screen() {
    # Time that passes is the page's own: the picture is taken when there is nothing more to do.
    "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --user-data-dir="$profile" --host-resolver-rules='MAP * ~NOTFOUND' --no-first-run --window-size="$3,$4" \
        --virtual-time-budget=20000 --screenshot="$work/$1.png" "file://$work/$2.html#${5:-}" >"$1.out" 2>&1 ||
        fail "the browser failed; see $work/$1.out"
    keep "$1"
}

# keep NAME: into the manual, with few colours.
keep() {
    if command -v pngquant >/dev/null; then
        pngquant --force --strip --output "$here/$1.png" 128 "$1.png"
    elif command -v convert >/dev/null; then
        convert "$1.png" -dither None -colors 128 -strip "PNG8:$here/$1.png"
    else
        cp "$1.png" "$here/$1.png"
    fi
    bytes=$(wc -c <"$here/$1.png")
    echo "$1.png: $bytes bytes"
    [ "$bytes" -lt 122880 ] || fail "$1.png is larger than 120 KB"
}

# What a pass looks like.
pattern() {
    record "$@"
    picture "$1" "$1.mio" --panels activity --width 640 --height 300 --title "$1"
}
pattern forward "" ./patterns x.dat forward 65536
pattern backward "" ./patterns x.dat backward 65536
pattern strided "" ./patterns x.dat strided 65536
pattern random "" ./patterns x.dat random 65536 warm 33554432

record ahead pf/cache=16m/page=1m/pref=4/direct ./patterns x.dat backward 65536
page ahead ahead.mio
screen prefetch ahead 880 1360 "fold=cumulative,latency,sizes,bandwidth"

record write pf/cache=16m/page=1m/direct ./patterns new.dat write 65536 warm 134217728
page write write.mio
screen write-behind write 880 1100 "fold=cumulative,latency,sizes,bandwidth"

for cache in 2m 16m; do
    record streams-$cache pf/cache=$cache/page=256k/pref=4/direct fio --name=f --thread --numjobs=4 --rw=read --bs=64k --size=32m \
        --filename_format='f.$jobnum' --invalidate=0
done
page streams streams-2m.mio streams-16m.mio
page streams-16m streams-16m.mio
screen thrash streams 1300 1500 "layout=side&fold=cumulative,sizes,latency,bandwidth"
picture thrash-close streams-2m.mio --files f.0 --from 30ms --to 40ms --panels activity,pages --width 880 --height 500 \
    --title "a cache of 8 pages"
screen overlay streams 880 920 "layout=overlay&fold=pages,latency,sizes,in-flight"
screen page-light streams-16m 1280 1000 "theme=light"
screen page-dark streams-16m 1280 1000 "theme=dark"
screen page-narrow streams-16m 500 1000 "theme=light"
