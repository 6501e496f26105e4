#!/bin/sh
# fio.sh [DIRECTORY] [MEBIBYTES] [ROUNDS]
#
# What share of the storage's rate does a program have under MIO? fio, with direct I/O and io_uring,
# tells what the storage gives: in requests as large as MIO's pages, and as many at a time as MIO
# reads ahead. The program makes small requests one by one, and takes turns with fio.
#
#   DIRECTORY  lies on the storage to be measured (default: the current one)
#   MEBIBYTES  size of the file (default 1024)
#   ROUNDS     rounds, of which the medians are shown (default 5)
#
# Example:
#
#   benchmarks/native/fio.sh /data 1024 5
#
# Prints for each pattern both rates, and the share in a round: its median, least and most.
# Random reads are compared with fio's of the same size, one at a time, because nothing can be read
# ahead; MIO chooses the distance itself there (no pref).
#
# MIO_PAGE (default 2m) and MIO_DEPTH (default 4) are the request size and the depth of both;
# MIO_CACHE (default 100m) is MIO's memory. MIO_LIBRARY names another libmio_preload.so than the
# build's. Needs fio and a C compiler.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
directory=${1:-.}
mebibytes=${2:-1024}
rounds=${3:-5}
page=${MIO_PAGE:-2m}
depth=${MIO_DEPTH:-4}
random="pf/cache=${MIO_CACHE:-100m}/page=$page/direct/nostats"
rule="$random/pref=$depth"
. "$here/common.sh"
number MEBIBYTES "$mebibytes"
number ROUNDS "$rounds"
number MIO_DEPTH "$depth"
page_bytes=$(bytes_of MIO_PAGE "$page")
find_library
command -v fio >/dev/null || stop "no fio; install it (Debian: apt install fio)"
${CC:-cc} -O2 -o "$work/patterns" "$here/patterns.c"
dd if=/dev/urandom of="$work/file" bs=1M count="$mebibytes" conv=fsync status=none

# fio_rate RW BYTES DEPTH FILE LIMIT: prints what fio reaches, in bytes per second.
fio_rate() {
    fio --name=x --filename="$4" --rw="$1" --bs="$2" --iodepth="$3" --size="$5" --io_size="$5" --ioengine=io_uring --direct=1 --end_fsync=1 \
        --randseed=1 --output-format=terse --terse-version=3 | awk -F';' -v w="$1" '{ print (w == "write" ? $48 : $7) * 1024 }'
}

# row LABEL RULE PATTERN BYTES FIO_RW FIO_BYTES FIO_DEPTH LIMIT: measures and prints one pattern.
row() {
    label=$1
    stack=$2
    : >"$work/fio"
    : >"$work/mio"
    : >"$work/share"
    size=$8
    name=$work/file
    [ "$5" = write ] && name=$work/new
    round=0
    while [ $round -lt "$rounds" ]; do
        given=$(fio_rate "$5" "$6" "$7" "$name" "$size")
        echo "$given" >>"$work/fio"
        mio "* [ $stack ]" "$work/patterns" "$name" "$3" "$4" cold "$size" >"$work/one"
        awk '{ print $2 / $3 * 1e9 }' "$work/one" >>"$work/mio"
        awk -v f="$given" '{ print $2 / $3 * 1e9 / f * 100 }' "$work/one" >>"$work/share"
        round=$((round + 1))
    done
    rm -f "$work/new"
    spread "$work/share" 1 | awk -v l="$label" -v f="$(median "$work/fio" 1)" -v m="$(median "$work/mio" 1)" '{
        printf "%-26s %8.0f %8.0f %7.0f%%   %.0f..%.0f%%\n", l, f / 1e6, m / 1e6, $1, $2, $3 }'
}

all=$((mebibytes * 1048576))
some=$((all / 16))
echo "$(uname -sr), $(nproc) processors, $(fio --version), $mebibytes MiB, medians of $rounds in turns; $rule"
printf '%-26s %8s %8s %8s   %s\n' "" "fio MB/s" "MIO MB/s" share "least..most"
row "forward 4 KB" "$rule" forward 4096 read "$page_bytes" "$depth" "$all"
row "forward 100 KB" "$rule" forward 102400 read "$page_bytes" "$depth" "$all"
row "forward $page" "$rule" forward "$page_bytes" read "$page_bytes" "$depth" "$all"
row "backward 100 KB" "$rule" backward 102400 read "$page_bytes" "$depth" "$all"
row "write 100 KB, fdatasync" "$rule" write 102400 write "$page_bytes" "$depth" "$all"
row "random 4 KB" "$random" random 4096 randread 4k 1 "$some"
row "random 64 KB" "$random" random 65536 randread 64k 1 "$some"
