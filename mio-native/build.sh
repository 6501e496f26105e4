#!/bin/sh
# Called by Maven: build.sh <make target> <version> <skip>. Builds with make; where the tools for it
# are missing, says so in one line and lets the build go on. A failing build with tools is a failure.
set -eu

target=$1
version=$2
skip=$3
cd "$(dirname "$0")"

if [ "$skip" = true ]; then
    exit 0
fi

without() {
    if [ "$target" = all ]; then
        echo "mio-native: not built, $1; MIO works without it, with threads in place of io_uring;" \
            "to have it, install $2 (Debian: apt install gcc libc6-dev make)" >&2
    fi
    exit 0
}

command -v make >/dev/null || without "no make found" "make"

cc=${CC:-}
for candidate in cc gcc clang; do
    if [ -z "$cc" ] && command -v "$candidate" >/dev/null; then
        cc=$candidate
    fi
done
[ -n "$cc" ] || without "no C compiler found" "a C compiler"

mkdir -p target
printf '#include <errno.h>\n#include <sys/stat.h>\nint main(void) { return errno; }\n' >target/probe.c
# shellcheck disable=SC2086 # CC may carry options
if ! $cc target/probe.c -o target/probe >target/probe.log 2>&1; then
    without "$cc cannot compile a program with the C library (see mio-native/target/probe.log)" \
        "the C library's headers"
fi

exec make -s CC="$cc" VERSION="$version" "$target"
