#!/bin/sh
# make install, and programs built against what it installs: in C, in C++, with USE_MIO_DEFINES, alone and under the
# preload library.
set -u

work=$(mktemp -d "$PWD/$MIO_TEST_DIR/install.XXXXXX" 2>/dev/null || mktemp -d "$MIO_TEST_DIR/install.XXXXXX")
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
failed=0
unset MIO_FILES MIO_DEFAULTS MIO_DEBUG MIO_CONFIG MIO_ENABLED MIO_PRELOAD MIO_STATS LD_PRELOAD
export LC_ALL=C XDG_CONFIG_HOME=/nonexistent

fail() {
    echo "install: $1" >&2
    failed=1
}

same() { # what expected actual
    [ "$2" = "$3" ] || fail "$1: expected
$2
but it was
$3"
}

install_to() { # target, and where
    "$MAKE" -s TARGET="$TARGET" CC="$CC" CFLAGS="$CFLAGS" LDFLAGS="$LDFLAGS" VERSION="$VERSION" "$@" >"$work/make.out" 2>&1 ||
        fail "make $*: $(cat "$work/make.out")"
}

listed() { # files and links below a directory
    (cd "$1" && find . ! -type d | LC_ALL=C sort)
}

# ---- what is installed, and where

files="./include/mio/mio.h
./lib/libmio.so
./lib/libmio.so.0
./lib/libmio.so.$VERSION
./lib/libmio_preload.so
./lib/pkgconfig/mio.pc
./share/man/man1/mio-preload.1
./share/man/man3/mio.3
./share/man/man5/mio-config.5"
install_to install DESTDIR="$work/package" PREFIX=/opt/mio
same "files of a package" "$files" "$(listed "$work/package/opt/mio")"
grep -q '^prefix=/opt/mio$' "$work/package/opt/mio/lib/pkgconfig/mio.pc" || fail "mio.pc names another prefix"
install_to uninstall DESTDIR="$work/package" PREFIX=/opt/mio
same "what uninstall leaves" "" "$(listed "$work/package")"

root=$work/root
install_to install PREFIX="$root"
same "files" "$files" "$(listed "$root")"
same "link for programs that run" "libmio.so.$VERSION" "$(readlink "$root/lib/libmio.so.0")"
same "link for programs that are built" "libmio.so.0" "$(readlink "$root/lib/libmio.so")"

# ---- what the libraries show and need

if command -v nm >/dev/null && command -v readelf >/dev/null; then
    shown=$(nm -D --defined-only "$root/lib/libmio.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u)
    promised=$(sed -n 's/^.*[ *]\(MIO_[a-z][a-z0-9_]*\)(.*);$/\1/p' include/mio/mio.h | sort -u)
    same "exported by libmio.so" "$promised" "$shown"
    same "version of its symbols" "MIO_0.1" \
        "$(nm -D --defined-only "$root/lib/libmio.so" | sed -n 's/.*@@*//p' | sort -u)"
    case $CFLAGS in
    *sanitize*) ;;
    *)
        for library in libmio.so libmio_preload.so; do
            readelf -d "$root/lib/$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
                grep -v -E '^(libc|libpthread|libdl|librt|ld-linux.*)\.so\.[0-9]$' && fail "$library needs more than libc"
            # To look up a thread-local variable may allocate memory, in a signal handler or in malloc itself.
            nm -D --undefined-only "$root/lib/$library" | grep -q ' __tls_get_addr' && fail "$library has variables that are not initial-exec"
        done
        ;;
    esac
    readelf -d "$root/lib/libmio.so" | grep -q 'SONAME.*\[libmio\.so\.0\]' || fail "libmio.so has another soname"
fi

# ---- programs

export LD_LIBRARY_PATH="$root/lib" PKG_CONFIG_PATH="$root/lib/pkgconfig"
if command -v pkg-config >/dev/null; then
    flags=$(pkg-config --cflags --libs mio) || fail "pkg-config does not find mio"
    same "version that pkg-config tells" "$VERSION" "$(pkg-config --modversion mio)"
else
    flags="-I$root/include -L$root/lib -lmio"
fi

built() { # name, then the compiler and its options
    name=$1
    shift
    # shellcheck disable=SC2086 # flags are words
    "$@" -Wall -Wextra -Werror $CFLAGS test/install_program.c $flags $LDFLAGS -o "$work/$name" 2>"$work/cc.err" ||
        fail "$name: $(cat "$work/cc.err")"
}

traced() { # name: runs it with a trace, all of its calls are in the report
    said=$(MIO_FILES="*.dat [ trace/stats | pf/cache=16k/page=4k ]" MIO_STATS="$work/$1.stats" "$work/$1" "$work/$1.dat" 2>&1)
    same "$1" "1000 lines" "$said"
    same "size of the file of $1" 150 "$(wc -c <"$work/$1.dat" | tr -d ' ')"
    for row in "write 1000" "read 1000" "seek 1000" "fsync 1"; do
        awk -v call="${row% *}" -v count="${row#* }" '$1 == call && $2 == count { found = 1 } END { exit !found }' \
            "$work/$1.stats" 2>/dev/null || fail "$1: no row $row in its report"
    done
    rm -f "$work/$1.stats"
}

# shellcheck disable=SC2086 # CC may carry options
{
    built c99 $CC -std=c99 -pedantic -D_XOPEN_SOURCE=700 -DUSE_MIO_DEFINES
    built fortified $CC -std=gnu11 -O2 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -DUSE_MIO_DEFINES
    built plain $CC -std=c99 -pedantic -D_XOPEN_SOURCE=700
}
traced c99
traced fortified
case $CC in
*clang*) cxx=clang++ ;;
*) cxx=g++ ;;
esac
if command -v $cxx >/dev/null && echo 'int main() { return 0; }' | $cxx -x c++ - -o "$work/probe" 2>/dev/null; then
    built cxx $cxx -x c++ -std=c++98 -pedantic -D_GNU_SOURCE -DUSE_MIO_DEFINES
    traced cxx
else
    echo "install: no $cxx here, nothing built as C++"
fi
# The same source without the macros: its calls do not go through MIO.
MIO_FILES="*.dat [ trace/stats ]" MIO_STATS="$work/plain.stats" "$work/plain" "$work/plain.dat" >/dev/null || fail "plain"
[ ! -e "$work/plain.stats" ] || fail "a program without USE_MIO_DEFINES left a report"

# ---- both libraries in one process: the preload library has the files

case $CFLAGS in
*sanitize*) echo "install: the preload library is not run with a sanitizer" ;;
*)
    for name in c99 plain; do
        rm -f "$work/$name.dat"
        MIO_PRELOAD=print MIO_FILES="*.dat [ trace/stats ]" MIO_STATS="$work/both.stats" LD_PRELOAD="$root/lib/libmio_preload.so" \
            "$work/$name" "$work/$name.dat" >"$work/both.out" 2>"$work/both.err" || fail "$name under the preload library"
        same "$name under the preload library" "1000 lines" "$(cat "$work/both.out")"
        same "what $name says of loading" "mio: loaded, MIO $VERSION" "$(cat "$work/both.err")"
        same "files reported by $name" 1 "$(grep -c '^Trace close' "$work/both.stats")"
        rm -f "$work/both.stats"
    done
    ;;
esac

install_to uninstall PREFIX="$root"
same "what uninstall leaves" "" "$(listed "$root")"

# ---- a directory with a blank

blank="$work/a root"
install_to install PREFIX="$blank"
same "files in a directory with a blank" "$files" "$(listed "$blank")"
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$blank/lib/pkgconfig"
    # The options are quoted for a shell, as make uses them.
    eval "set -- $(pkg-config --cflags --libs mio)"
    same "options with a blank" "-I$blank/include,-L$blank/lib,-lmio" "$(IFS=,; echo "$*")"
fi
install_to uninstall PREFIX="$blank"
same "what uninstall leaves in a directory with a blank" "" "$(listed "$blank")"
exit $failed
