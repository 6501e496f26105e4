# mio run: sourced by bin/mio with the arguments after `run`. Ends in the exec of the program.
#
#   options -> rules and place of the report (MIO_FILES, MIO_STATS)
#           -> door: java gets the provider in its arguments; a program that starts a JVM gets it in JAVA_TOOL_OPTIONS;
#              every other program gets the preload library, unless the loader or the program would ignore it
#              (run_door.sh)
#           -> exec, so that process number, streams, signals and exit status are the program's
#
# Runs in any POSIX shell that has -O, -G and -ef in test (dash, bash, busybox, ksh), and starts no JVM. Every variable
# has the prefix mio_, because an assignment to a name of the environment would reach the program.

# Prints a line for people. Control characters, which a name may have, do not reach the terminal.
mio_say() {
    mio_text="mio run: $1"
    case $mio_text in
        *[!' '-'~']*)
            mio_text=$(printf '%s' "$mio_text" | LC_ALL=C tr '\001-\037\177' '?' |
                LC_ALL=C sed "s/$(printf '\302')[$(printf '\200')-$(printf '\237')]/?/g")
            ;;
    esac
    printf '%s\n' "$mio_text" >&2
}

mio_fail() {
    mio_say "$1"
    exit 125
}

mio_usage() {
    mio_say "$1"
    echo "See 'mio run --help'." >&2
    exit 125
}

. "$mio_lib/run_door.sh"
. "$mio_lib/run_env.sh"

mio_trace=
mio_has_trace=
mio_pf=
mio_has_pf=
mio_files=
mio_has_files=
mio_match='*'
mio_has_match=
mio_stats=
mio_has_stats=
mio_events=
mio_hint_events=
mio_door=auto
mio_print=
mio_quiet=

while [ $# -gt 0 ]; do
    case $1 in
        --match | --files | --stats | --events | --door)
            [ $# -gt 1 ] || mio_usage "$1 needs a value"
            mio_option=$1
            mio_value=$2
            shift 2
            ;;
        --match=* | --files=* | --stats=* | --events=* | --door=* | --trace=* | --pf=*)
            mio_option=${1%%=*}
            mio_value=${1#*=}
            shift
            ;;
        --)
            shift
            break
            ;;
        -?*)
            mio_option=$1
            mio_value=
            shift
            ;;
        *) break ;;
    esac
    case $mio_option in
        --trace)
            mio_has_trace=1
            mio_trace=$mio_value
            ;;
        --pf)
            mio_has_pf=1
            mio_pf=$mio_value
            ;;
        --match)
            mio_has_match=1
            mio_match=$mio_value
            ;;
        --files)
            mio_has_files=1
            mio_files=$mio_value
            ;;
        --stats)
            [ -n "$mio_value" ] || mio_usage "--stats needs the name of a file"
            mio_has_stats=1
            mio_stats=$mio_value
            ;;
        --events)
            [ -n "$mio_value" ] || mio_usage "--events needs the name of a file"
            mio_events=$mio_value
            ;;
        --door)
            case $mio_value in
                auto | jvm | native | both | none) mio_door=$mio_value ;;
                *) mio_usage "there is no door '$mio_value'; write auto, jvm, native, both or none" ;;
            esac
            ;;
        --print-env) mio_print=1 ;;
        -q | --quiet) mio_quiet=1 ;;
        -h | --help)
            cat "$mio_lib/run.help"
            exit
            ;;
        *) mio_usage "there is no option '$mio_option'; a program of that name goes behind --" ;;
    esac
done
[ $# -gt 0 ] || [ -n "$mio_print" ] || mio_usage "a program is missing"

mio_rules
if [ $# -gt 0 ]; then
    mio_find "$1"
    mio_status=$?
    case $mio_status in
        126) mio_say "$1: cannot be executed: a directory, or no right to (chmod +x)" ;;
        127) mio_say "$1: not found" ;;
    esac
    [ "$mio_status" = 0 ] || exit "$mio_status"
    mio_choose "$1"
else
    mio_choose_blind
fi
mio_place
if [ -n "$mio_native" ] && [ -n "$mio_jvm_arguments$mio_jvm_variable" ]; then
    mio_both
fi

if [ -n "$mio_print" ]; then
    mio_text=$(mio_print_env) || exit
    if [ -n "$mio_text" ]; then
        # The shell's own message would name a line of this file.
        printf '%s\n' "$mio_text" 2>/dev/null || mio_fail "standard output cannot be written; what was printed is not complete"
    fi
    exit 0
fi
mio_set_env
if [ -n "$mio_jvm_arguments" ]; then
    mio_program=$1
    shift
    if [ -n "$mio_jvm_stats" ]; then
        set -- "-Dmio.stats=$mio_jvm_stats" "$@"
    fi
    if [ -n "$mio_jvm_files" ]; then
        set -- "-Dmio.files=$mio_jvm_files" "$@"
    fi
    # An archive of the program's own classes does not fit the longer boot class path. The JVM does without it, and
    # would say so on standard output.
    case " $* ${JDK_JAVA_OPTIONS-} ${JAVA_TOOL_OPTIONS-}" in
    *SharedArchive* | *AOTCache*)
        mio_home=$(readlink -f -- "$(command -v -- "$mio_program")")
        mio_quiet='-Xlog:cds*=off'
        # Older JVMs do not start if they are given a log tag that they do not know.
        if grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9][0-9]\)' "${mio_home%/bin/*}/release" 2>/dev/null; then
            mio_quiet=$mio_quiet,aot*=off
        fi
        set -- "$mio_quiet" "$@"
        ;;
    esac
    set -- "$mio_program" --enable-native-access=ALL-UNNAMED "$mio_provider" "$mio_boot" "$@"
fi
mio_exec "$@"
