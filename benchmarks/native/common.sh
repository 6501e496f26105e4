# What patterns.sh and latency.sh share; each sets "here" first.

# The field-th number of the lines of a file: their median.
median() {
    awk -v f="$2" '{ print $f }' "$1" | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}

mio() { # rule, then the program
    asked=$1
    shift
    MIO_FILES="$asked" LD_PRELOAD="$library" "$@"
}

# A path that still holds in another directory; the name of a command stays one.
absolute() {
    case $1 in
        /*) echo "$1" ;;
        */*) echo "$(pwd)/$1" ;;
        *) echo "$1" ;;
    esac
}

library=${MIO_LIBRARY:-$(ls "$here"/../../mio-native/target/natives/*/libmio_preload.so 2>/dev/null | head -1)}
[ -f "$library" ] || { echo "$(basename "$0"): no libmio_preload.so; build it: make -C mio-native" >&2; exit 1; }
library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")
