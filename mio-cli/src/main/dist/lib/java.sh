# Sourced by bin/mio: runs a command that is done in Java.
# Sets nothing in the environment, and is silent about everything that only makes the start quicker.

mio_fail() {
    echo "mio: $1" >&2
    exit 1
}

if [ -n "${JAVA_HOME-}" ]; then
    mio_java=$JAVA_HOME/bin/java
    [ -x "$mio_java" ] || mio_fail "no java in JAVA_HOME=$JAVA_HOME; set it to a JDK, 17 or later"
else
    mio_java=$(command -v java) ||
        mio_fail "no java found; install a JDK, 17 or later (Debian: apt install openjdk-17-jdk)"
fi

# Most JVMs have their version in a file, and reading it is quicker than asking the JVM.
mio_home=$(readlink -f -- "$mio_java")
mio_home=${mio_home%/bin/java}
mio_version=
mio_build=
if [ -r "$mio_home/release" ]; then
    while IFS='="' read -r mio_name mio_none mio_value mio_rest; do
        case $mio_name in
            JAVA_RUNTIME_VERSION) mio_build=$mio_value ;;
            JAVA_VERSION)
                mio_version=$mio_value
                break
                ;;
        esac
    done <"$mio_home/release"
fi
if [ -z "$mio_version" ]; then
    mio_version=$("$mio_java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
fi
# The first number, for example 17. For "1.8.0" it is 1, which is too old as well.
mio_number=${mio_version%%[!0-9]*}
[ "${mio_number:-17}" -ge 17 ] ||
    mio_fail "$mio_java is Java $mio_number; 17 or later is needed, see JAVA_HOME"

# This JVM must not run under MIO, nor print the options that these variables give it.
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
case :${LD_PRELOAD-}: in
    *[:\ ]*/libmio_preload.so[:\ ]*)
        mio_rest=$LD_PRELOAD:
        LD_PRELOAD=
        while [ -n "$mio_rest" ]; do
            mio_one=${mio_rest%%[:\ ]*}
            mio_rest=${mio_rest#*[:\ ]}
            case $mio_one in
                */libmio_preload.so | '') ;;
                *) LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$mio_one ;;
            esac
        done
        [ -n "$LD_PRELOAD" ] || unset LD_PRELOAD
        ;;
esac

# An archive of classes (CDS) saves a fifth of the start. It fits one JVM and one jar, and the first command makes it.
# Sets mio_archive, or leaves it empty if there is no archive.
mio_archive=
mio_use_archive() {
    case ${XDG_CACHE_HOME-} in
        /*) mio_cache=$XDG_CACHE_HOME/mio ;;
        *)
            [ -n "${HOME-}" ] || return 0
            mio_cache=$HOME/.cache/mio
            ;;
    esac
    mio_key=
    { read -r mio_key <"$mio_lib/mio.key"; } 2>/dev/null
    [ -n "$mio_key" ] || return 0
    # The JVM checks, too, that the archive is of it and of this jar, and starts without the archive otherwise.
    mio_key=$mio_key-$mio_version-$(printf '%s\n' "$mio_build" "$mio_home" "$mio_lib" | cksum)
    mio_archive=$mio_cache/${mio_key%% *}.jsa
    if [ ! -f "$mio_archive" ]; then
        mio_make_archive
    fi
    # The JVM takes classes from the archive without checking them, so the file must be the user's own.
    if [ ! -f "$mio_archive" ] || [ ! -O "$mio_archive" ] || [ ! -s "$mio_archive" ]; then
        mio_archive=
    fi
}

# A full archive in one step, not one that adds to the JVM's own: Java 17 leaves out classes of picocli there.
mio_dump() {
    "$mio_java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable "$@"
}

# Makes the archive. A command does not wait for another one that is making it, but does without.
mio_make_archive() (
    umask 077
    mkdir -p -- "$mio_cache" || exit
    [ -O "$mio_cache" ] || exit
    mio_lock=$mio_archive.lock
    if ! mkdir -- "$mio_lock"; then
        # A lock that a killed process has left is removed; the next command tries again.
        find "$mio_lock" -prune -mmin +2 -exec rm -rf {} +
        exit
    fi
    trap 'rm -rf -- "$mio_lock"' EXIT
    trap 'exit 1' HUP INT TERM
    find "$mio_cache" -name '*.jsa' -atime +60 -exec rm -f {} +
    unset MIO_FILES MIO_STATS MIO_CONFIG MIO_DEBUG MIO_DEFAULTS
    mio_dump "-XX:DumpLoadedClassList=$mio_lock/list" -cp "$mio_lib/mio.jar" io.mio.cli.ArchiveClasses &&
        mio_dump -Xshare:dump "-XX:SharedClassListFile=$mio_lock/list" "-XX:SharedArchiveFile=$mio_lock/new" -cp "$mio_lib/mio.jar" &&
        mv -f -- "$mio_lock/new" "$mio_archive"
) </dev/null >/dev/null 2>&1

mio_use_archive
if [ -n "$mio_archive" ]; then
    # The JVM says nothing about an archive that does not fit.
    set -- -Xshare:auto -Xlog:disable "-XX:SharedArchiveFile=$mio_archive" -jar "$mio_lib/mio.jar" "$@"
else
    set -- -jar "$mio_lib/mio.jar" "$@"
fi
# What the JVM cannot find out by itself: which streams are a terminal, and how wide it is.
mio_err=false
mio_out=false
mio_columns=
if [ -t 2 ]; then
    mio_err=true
fi
if [ -t 1 ]; then
    mio_out=true
    mio_columns=$({ stty size </dev/tty; } 2>/dev/null) || mio_columns=
    mio_columns=${mio_columns#* }
fi
# The JVM does not read TMPDIR.
mio_temporary=${TMPDIR:-/tmp}
[ -d "$mio_temporary" ] || mio_temporary=/tmp
# Options of the user, separated by blanks; their words are not names of files.
set -f
# One compiler, and one thread for garbage collection: most commands end before more would pay.
exec "$mio_java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "-Dmio.cli.terminal=$mio_err" \
    "-Dmio.cli.out.terminal=$mio_out" "-Dmio.cli.columns=$mio_columns" "-Djava.io.tmpdir=$mio_temporary" \
    ${MIO_JAVA_OPTIONS-} "$@"
