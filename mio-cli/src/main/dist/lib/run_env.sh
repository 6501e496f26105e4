# mio run: what the program finds in its environment, exported or printed as text. Sourced by run.sh.

# Sets mio_files and mio_has_files from the options.
mio_rules() {
    if [ -n "$mio_has_files" ]; then
        [ -z "$mio_has_trace$mio_has_pf$mio_has_match$mio_events" ] ||
            mio_usage "--files is all of the rules: not with --trace, --pf, --match or --events"
        return
    fi
    if [ -n "$mio_events" ] || { [ -n "$mio_has_match" ] && [ -z "$mio_has_pf" ]; }; then
        mio_has_trace=1
    fi
    if [ -z "$mio_has_trace$mio_has_pf" ]; then
        # Rules that the user has set, in the environment or in a file of settings, stay as they are.
        [ -z "${MIO_FILES+set}" ] && [ -z "${MIO_CONFIG:-}" ] || return 0
        ! mio_has_rules "${XDG_CONFIG_HOME:-${HOME:+$HOME/.config}}/mio/mio.conf" || return 0
        ! mio_has_rules /etc/mio/mio.conf || return 0
        mio_has_trace=1
    fi
    mio_has_files=1
    if [ -n "$mio_events" ]; then
        mio_absolute "$mio_events"
        mio_events=$mio_absolute
        case $mio_events in
            *[{}]*) mio_fail "--events: a name with braces cannot be written in a rule; use --files" ;;
        esac
    fi
    mio_compose "$mio_events"
}

# True if this file of settings has the key "files".
mio_has_rules() {
    [ -f "$1" ] && LC_ALL=C grep -Eq '^[[:space:]]*files[[:space:]]*([=:[:space:]]|$)' "$1" 2>/dev/null
}

# Sets mio_files to the rules of the options; with events to the file $1, if one is given.
mio_compose() {
    mio_layers="trace/${mio_trace:-stats/kbytes}"
    mio_first=$mio_layers
    if [ -n "$1" ]; then
        mio_first="$mio_layers/events={$1}"
    fi
    if [ -n "$mio_has_pf" ]; then
        mio_cache=pf/${mio_pf:-cache=64m/page=1m/direct}
        if [ -n "$mio_has_trace" ]; then
            mio_layers="$mio_first | $mio_cache | $mio_first"
        else
            mio_layers=$mio_cache
        fi
    else
        mio_layers=$mio_first
    fi
    mio_files="$mio_match [ $mio_layers ]"
}

# Sets mio_absolute to a name of an output file that is valid from any directory: the program's children may run
# elsewhere.
mio_absolute() {
    case $1 in
        stdout | stderr | /* | +/* | '') mio_absolute=$1 ;;
        *)
            mio_doubled "$PWD"
            case $1 in
                +*) mio_absolute=+$mio_doubled/${1#+} ;;
                *) mio_absolute=$mio_doubled/$1 ;;
            esac
            ;;
    esac
}

# Sets mio_doubled to $1 with each per cent sign doubled, as names of output files need it.
mio_doubled() {
    mio_doubled=
    mio_left=$1
    while :; do
        case $mio_left in
            *%*)
                mio_doubled=$mio_doubled${mio_left%%\%*}%%
                mio_left=${mio_left#*%}
                ;;
            *) break ;;
        esac
    done
    mio_doubled=$mio_doubled$mio_left
}

# Sets mio_stats, mio_has_stats and mio_jvm_stats: where reports go, and where those of a JVM go that has both doors.
mio_jvm_stats=
mio_place() {
    if [ -n "$mio_has_stats" ]; then
        mio_absolute "$mio_stats"
        mio_stats=$mio_absolute
    elif [ -n "${MIO_STATS+set}" ]; then
        mio_stats=$MIO_STATS
    else
        mio_has_stats=1
        mio_default_stats "$@"
    fi
    if [ -n "$mio_native" ] && [ -n "$mio_jvm_arguments$mio_jvm_variable" ]; then
        # With two doors in one process each would empty the file when it begins.
        case $mio_stats in
            '' | stdout | stderr | +*) ;;
            *.stats) mio_jvm_stats=${mio_stats%.stats}.%p.jvm.stats ;;
            *.jsonl) mio_jvm_stats=${mio_stats%.jsonl}.%p.jvm.jsonl ;;
            *) mio_jvm_stats=$mio_stats.%p.jvm ;;
        esac
    elif [ -n "$mio_has_stats" ] && [ -n "$mio_jvm_variable" ] && [ -z "$mio_print" ]; then
        mio_share_stats
    fi
}

# Prepares two doors in one process: what a program does by java.nio passes both. Each door has an events file of its
# own, and a report of its own. The native door leaves the files of the other door alone: those that it writes, and
# those that it consists of. Sets mio_jvm_files, mio_jvm_events and mio_files.
mio_jvm_files=
mio_jvm_events=
mio_both() {
    if [ -n "$mio_events" ]; then
        mio_jvm_events=$mio_events.jvm
        mio_compose "$mio_jvm_events"
        mio_jvm_files=$mio_files
        mio_compose "$mio_events"
    elif [ -z "$mio_has_files" ]; then
        # The rules are in a file of settings, and nothing can be put before them here.
        [ -n "${MIO_FILES+set}" ] || return 0
        mio_has_files=1
        mio_files=$MIO_FILES
    fi
    mio_make_safe
    mio_own='*.jvm.live:libmio_jvm.so:libjnidispatch.so:/tmp/ffi??????'
    for mio_value in "$mio_safe/*" "${mio_jvm_stats:-${mio_stats#+}}" "$mio_jvm_events"; do
        case $mio_value in
            '' | stdout | stderr | *[{}]*) ;;
            # Placeholders, such as those of process and program, match anything here.
            *) mio_own="$mio_own:{$(printf '%s' "$mio_value" | sed 's/%./*/g')}" ;;
        esac
    done
    mio_files="$mio_own [ os ] $mio_files"
}

# Removes the events file of a former run, so that the file has only this run afterwards. Not if another program under
# MIO has begun this one, because that one may be writing it.
mio_clear_events() {
    [ -n "$mio_events" ] || return 0
    mio_hint_events=
    for mio_value in "$mio_events" "$mio_jvm_events"; do
        # A name with placeholders of process or program is not known yet.
        case $(printf '%s' "$mio_value" | sed 's/%%//g') in
            '' | *%*) continue ;;
        esac
        mio_name=$(printf '%s.' "$mio_value" | sed 's/%%/%/g')
        mio_name=${mio_name%.}
        : "${mio_hint_events:=$mio_name}"
        [ -z "${MIO_STATS_OWNER-}" ] || continue
        if [ -f "$mio_name" ] && [ ! -h "$mio_name" ] && [ -O "$mio_name" ] && mio_is_events "$mio_name"; then
            rm -f -- "$mio_name"
        fi
    done
}

# True if the file begins with the bytes MIOEVENT.
mio_is_events() {
    # shellcheck disable=SC2046 # split on purpose
    set -- $(od -An -v -tu1 -N 8 2>/dev/null <"$1")
    [ "$*" = '77 73 79 69 86 69 78 84' ]
} 2>/dev/null

# Each of several JVMs would empty the report file when it begins. So it is emptied here, and all of them append to it.
mio_share_stats() {
    case $mio_stats in
        '' | stdout | stderr | +*) return 0 ;;
    esac
    case $(printf '%s' "$mio_stats" | sed 's/%%//g') in
        *%*) return 0 ;;
    esac
    mio_name=$(printf '%s.' "$mio_stats" | sed 's/%%/%/g')
    mio_name=${mio_name%.}
    # If the file cannot be emptied, MIO complains later.
    if [ -f "$mio_name" ] && [ -w "$mio_name" ] && [ ! -h "$mio_name" ]; then
        : >"$mio_name"
    fi
    mio_stats=+$mio_stats
}

# Sets mio_stats to a file in the current directory, or where temporary files are. Programs that a program starts under
# the preload library share its file; JVMs do not.
mio_default_stats() {
    mio_here=$PWD
    case $PWD/ in
        # Root has the right to write there, but no file can be made.
        /proc/* | /sys/*) mio_here= ;;
    esac
    if [ -n "$mio_here" ] && [ -w . ] && [ . -ef "$PWD" ]; then
        mio_doubled "$PWD"
    else
        mio_doubled "${TMPDIR:-/tmp}"
    fi
    mio_name=${mio_shown-}
    mio_name=${mio_name##*/}
    case $mio_name in
        '' | *[!A-Za-z0-9._+@-]*) mio_name=program ;;
    esac
    mio_number=$$
    if [ -n "$mio_print" ]; then
        mio_name=%x
        mio_number=%p
    elif [ -n "$mio_jvm_variable" ] && [ -z "$mio_native" ]; then
        mio_number=%p
    fi
    mio_stats=${mio_doubled%/}/$mio_name.$mio_number.stats
}

# Sets mio_safe to a name of the library's directory that a list with colons and blanks can hold.
mio_make_safe() {
    mio_is_safe "$mio_lib" && mio_safe=$mio_lib && return 0
    mio_key=$(printf '%s' "$mio_lib" | cksum)
    for mio_directory in "${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}/mio" "${TMPDIR:-/tmp}/mio-$(id -u)" "/tmp/mio-$(id -u)"; do
        case $mio_directory in
            /*) ;;
            *) continue ;;
        esac
        mio_safe=$mio_directory/lib-${mio_key%% *}
        mio_is_safe "$mio_safe" || continue
        (umask 077 && mkdir -p -- "$mio_directory") 2>/dev/null
        # Another user must not have made the directory, nor be able to put another link there.
        [ -d "$mio_directory" ] && [ ! -h "$mio_directory" ] && [ -O "$mio_directory" ] || continue
        case $(ls -ld -- "$mio_directory" 2>/dev/null) in
            d????-??-*) ;;
            *) continue ;;
        esac
        if ! [ "$mio_safe" -ef "$mio_lib" ]; then
            rm -f -- "$mio_safe" 2>/dev/null
            ln -s -- "$mio_lib" "$mio_safe" 2>/dev/null
        fi
        [ "$mio_safe" -ef "$mio_lib" ] && return 0
    done
    mio_fail "the loader cannot take the name $mio_lib, and no link can be made in HOME or TMPDIR; unpack MIO in a directory without blanks, colons and quotes"
}

mio_is_safe() {
    case $1 in
        *[!A-Za-z0-9/._+@%=,~-]*)
            case $1 in
                *[[:space:]:\;\$\'\"\\]*) return 1 ;;
            esac
            ;;
    esac
}

# Sets mio_preload, mio_provider and mio_boot for the doors that were chosen.
mio_provider=-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider
mio_doors() {
    [ -n "$mio_native$mio_jvm_arguments$mio_jvm_variable" ] || return 0
    mio_make_safe
    mio_preload=$mio_safe/libmio_preload.so
    mio_boot="-Xbootclasspath/a:$mio_safe/mio-core.jar:$mio_safe/jna.jar"
    mio_switches="--enable-native-access=ALL-UNNAMED $mio_provider $mio_boot"
    if [ -n "$mio_jvm_stats" ]; then
        mio_switch "-Dmio.stats=$mio_jvm_stats"
    fi
    if [ -n "$mio_jvm_files" ]; then
        mio_switch "-Dmio.files=$mio_jvm_files"
    fi
}

# Adds a switch to mio_switches, in quotes: the JVM takes blanks between quotes.
mio_switch() {
    case $1 in
        *\"*) mio_switches="$mio_switches '$1'" ;;
        *) mio_switches="$mio_switches \"$1\"" ;;
    esac
}

mio_set_env() {
    unset MIO_HINT MIO_HINT_EVENTS
    if [ -n "$mio_has_stats" ] && [ -n "$mio_native$mio_jvm_arguments$mio_jvm_variable" ]; then
        export MIO_STATS="$mio_stats"
        # The report file is no longer that of the program that has begun this one.
        unset MIO_STATS_OWNER
    fi
    mio_clear_events
    [ -n "$mio_native$mio_jvm_arguments$mio_jvm_variable" ] || return 0
    mio_doors
    if [ -n "$mio_has_files" ]; then
        export MIO_FILES="$mio_files"
    fi
    if [ -z "$mio_quiet" ] && [ -t 2 ]; then
        export MIO_HINT="$$"
    fi
    if [ -z "$mio_quiet" ] && [ -n "$mio_hint_events" ]; then
        mio_hint_door=jvm
        if [ -n "$mio_native" ]; then
            mio_hint_door=native
        fi
        export MIO_HINT_EVENTS="$$ $mio_hint_door $mio_hint_events"
    fi
    if [ -n "$mio_native" ]; then
        case ":${LD_PRELOAD-}:" in
            *[:\ ]"$mio_preload"[:\ ]*) ;;
            *) export LD_PRELOAD="$mio_preload${LD_PRELOAD:+:$LD_PRELOAD}" ;;
        esac
    fi
    if [ -n "$mio_jvm_variable" ]; then
        case ${JAVA_TOOL_OPTIONS-} in
            *"$mio_switches"*) ;;
            *) export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:+$JAVA_TOOL_OPTIONS }$mio_switches" ;;
        esac
    fi
}

# Sets mio_quoted to the text as a shell has to read it.
mio_quote() {
    mio_quoted=\'
    mio_left=$1
    while :; do
        case $mio_left in
            *\'*)
                mio_quoted="$mio_quoted${mio_left%%\'*}'\\''"
                mio_left=${mio_left#*\'}
                ;;
            *) break ;;
        esac
    done
    mio_quoted=$mio_quoted$mio_left\'
}

mio_print_export() {
    mio_quote "$2"
    printf '%s\n' "export $1=$mio_quoted"
}

mio_print_env() {
    mio_doors
    [ -n "$mio_native$mio_jvm_arguments$mio_jvm_variable" ] || return 0
    if [ -n "$mio_has_files" ]; then
        mio_print_export MIO_FILES "$mio_files"
    fi
    if [ -n "$mio_has_stats" ]; then
        mio_print_export MIO_STATS "$mio_stats"
        echo 'unset MIO_STATS_OWNER'
    fi
    if [ -n "$mio_native" ]; then
        mio_quote "$mio_preload"
        # shellcheck disable=SC2016 # to be expanded later
        printf '%s\n' "export LD_PRELOAD=$mio_quoted"'"${LD_PRELOAD:+:$LD_PRELOAD}"'
    fi
    if [ -n "$mio_jvm_arguments$mio_jvm_variable" ]; then
        mio_quote "$mio_switches"
        # shellcheck disable=SC2016 # to be expanded later
        printf '%s\n' 'export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:+$JAVA_TOOL_OPTIONS }"'"$mio_quoted"
    fi
}

# Becomes the program. dash drops variables whose names no shell could set, such as functions that bash exports; env
# passes them on.
mio_exec() {
    if [ -z "${BASH_VERSION-}" ] &&
        LC_ALL=C grep -qzv '^[A-Za-z_][A-Za-z0-9_]*=' "/proc/$$/environ" 2>/dev/null; then
        case $1 in
            # env would take this name for one more variable.
            *=*) ;;
            *) mio_exec_env "$@" ;;
        esac
    fi
    exec "$@"
}

mio_exec_env() {
    if [ -n "$mio_native" ]; then
        # Not set for env itself, which would be in the report.
        set -- "LD_PRELOAD=$LD_PRELOAD" "$@"
        unset LD_PRELOAD
    fi
    set -f
    IFS='
'
    for mio_entry in $(tr '\n\000' '\001\n' <"/proc/$$/environ" | LC_ALL=C grep -v '^[A-Za-z_][A-Za-z0-9_]*='); do
        case $mio_entry in
            ?*=*)
                mio_entry=$(printf '%s.' "$mio_entry" | tr '\001' '\n')
                set -- "${mio_entry%.}" "$@"
                ;;
        esac
    done
    exec env -- "$@"
}
