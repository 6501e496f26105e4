# Shared parts of the benchmark scripts. A script sets "here" (this directory) and "directory" (its
# first argument) before it reads this file. It gets "work", a directory in "directory", and "tools",
# a directory for what is not measured; both are removed at the end.

stop() { # message
    echo "${0##*/}: $1" >&2
    exit 2
}

# With -h or --help a script prints its header.
case ${1:-} in
    -h | --help)
        sed -n '2,/^[^#]/ { s/^#$//p; s/^# //p; }' "$0"
        exit 0
        ;;
esac
[ -d "$directory" ] || stop "no directory '$directory'"

# number NAME VALUE [LEAST]: stops if VALUE is no whole number from LEAST (default 1) on.
number() {
    case $2 in
        '' | *[!0-9]* | 0?* | ???????????????????*) ;;
        *) [ "$2" -lt "${3:-1}" ] || return 0 ;;
    esac
    stop "$1 is a whole number from ${3:-1} on, not '$2'"
}

# one_of WHAT VALUE WORD...: stops if VALUE is none of the words.
one_of() {
    what=$1 value=$2
    shift 2
    for word in "$@"; do
        [ "$value" != "$word" ] || return 0
    done
    stop "no $what '$value'; one of $(echo "$*" | sed 's/ /, /g')"
}

# bytes_of NAME SIZE: prints the bytes of a size such as 4096, 64k, 2m or 1G; stops if it is none.
bytes_of() {
    case $2 in
        *[kK]) unit=1024 ;;
        *[mM]) unit=1048576 ;;
        *[gG]) unit=1073741824 ;;
        *) unit=1 ;;
    esac
    case ${2%[kKmMgG]} in
        '' | *[!0-9]* | 0* | ??????????*) stop "$1 is a size as 4096, 64k, 2m or 1g, not '$2'" ;;
    esac
    echo $((${2%[kKmMgG]} * unit))
}

# spread FILE FIELD: prints the median, the least and the most of the numbers in this field of the lines.
spread() {
    awk -v f="$2" '{ print $f }' "$1" | sort -n |
        awk -v OFMT=%.15g '{ a[NR] = $1 } END { print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2, a[1], a[NR] }'
}

median() { # FILE FIELD
    spread "$@" | cut -d ' ' -f 1
}

# Sets "library" to the path of libmio_preload.so. LD_PRELOAD is a list, so a path that the loader cannot take, for
# example one with a blank or a colon, gets a link with another name.
find_library() {
    library=${MIO_LIBRARY:-$here/../../mio-native/target/natives/linux-$(uname -m | tr _ -)/libmio_preload.so}
    [ -f "$library" ] || stop "no libmio_preload.so; build it: make -C mio-native"
    library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")
    if unsafe "$library"; then
        ln -s "$library" "$tools/libmio_preload.so"
        library=$tools/libmio_preload.so
        ! unsafe "$library" || stop "the loader cannot take the name $library; set TMPDIR to one without blanks, colons and quotes"
    fi
}

unsafe() { # name: true if it is one that mio run does not give to the loader, either
    case $1 in
        *[[:space:]:\;\$\'\"\\]*) return 0 ;;
    esac
    return 1
}

mio() { # rule, then the program
    asked=$1
    shift
    MIO_FILES="$asked" LD_PRELOAD="$library" "$@"
}

# absolute PATH: prints a path that is valid in any current directory; the name of a command stays as it is.
absolute() {
    case $1 in
        /*) echo "$1" ;;
        */*) echo "$(pwd)/$1" ;;
        *) echo "$1" ;;
    esac
}

leave() { :; } # at the end: storage.sh has more to do

work=
tools=
trap 'leave; rm -rf --one-file-system "$work" "$tools"' EXIT
trap 'exit 1' INT TERM HUP
directory=$(cd "$directory" && pwd)
tools=$(mktemp -d)
name=${0##*/}
work=$(mktemp -d "$directory/mio-${name%.sh}.XXXXXX")
