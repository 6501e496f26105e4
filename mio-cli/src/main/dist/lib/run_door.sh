# mio run: finds the file of a program, and how MIO gets below it. Sourced by run.sh.

# Looks for a program as execvp does. Sets mio_path; returns 0, 126 (cannot be executed) or 127 (not found).
mio_find() {
    mio_path=$1
    case $1 in
        '') return 127 ;;
        */*)
            [ -e "$1" ] || return 127
            [ -f "$1" ] && [ -x "$1" ] && return 0
            return 126
            ;;
    esac
    mio_status=127
    mio_rest=$PATH:
    while [ -n "$mio_rest" ]; do
        mio_path=${mio_rest%%:*}
        mio_path=${mio_path:-.}/$1
        mio_rest=${mio_rest#*:}
        [ -f "$mio_path" ] && [ -x "$mio_path" ] && return 0
        if [ -e "$mio_path" ]; then
            mio_status=126
        fi
    done
    return "$mio_status"
}

# Chooses the doors of the program: sets mio_native, mio_jvm_arguments and mio_jvm_variable to 1 for those it gets.
mio_native=
mio_jvm_arguments=
mio_jvm_variable=
mio_choose() {
    mio_shown=$1
    [ "$mio_door" != none ] || return 0
    mio_read_head "$mio_path"
    mio_what_java
    if [ "$mio_door" = auto ]; then
        case $mio_java in
            '') mio_chosen=native ;;
            *) mio_chosen=jvm ;;
        esac
    else
        mio_chosen=$mio_door
    fi
    if [ "$mio_chosen" != native ] && [ -n "$mio_java_old" ]; then
        if [ "$mio_door" = auto ]; then
            # The preload library works with any version of Java.
            mio_chosen=native
        else
            mio_say "$mio_shown is Java $mio_java_old, and the provider needs 17 or later; it runs without"
            case $mio_chosen in
                both) mio_chosen=native ;;
                *) mio_chosen=none ;;
            esac
        fi
    fi
    case $mio_chosen in
        jvm | both)
            case $mio_java in
                java) mio_jvm_arguments=1 ;;
                *) mio_jvm_variable=1 ;;
            esac
            ;;
    esac
    case $mio_chosen in
        native | both) mio_choose_native ;;
    esac
}

mio_need_library() {
    [ -f "$mio_lib/libmio_preload.so" ] || mio_fail \
        "no libmio_preload.so in $mio_lib: MIO was built without a C compiler; programs in Java do without: --door jvm"
}

# Chooses the doors for --print-env without a program.
mio_choose_blind() {
    case $mio_door in
        auto | native | both)
            mio_need_library
            mio_native=1
            ;;
    esac
    case $mio_door in
        jvm | both) mio_jvm_variable=1 ;;
    esac
}

mio_choose_native() {
    mio_need_library
    mio_why_not
    if [ -n "$mio_why" ]; then
        mio_say "$mio_shown $mio_why; it runs without MIO"
    else
        mio_native=1
    fi
}

# Sets mio_head to the first bytes of a file, as decimal numbers with single blanks around them; to just a blank if the
# file cannot be read.
mio_read_head() {
    # shellcheck disable=SC2046 # split on purpose
    set -- $(od -An -v -tu1 -N 4096 2>/dev/null <"$1")
    mio_head=" $* "
} 2>/dev/null

# Sets mio_java: java (the launcher, which takes switches), jvm (another program that is or starts a JVM), or nothing;
# and mio_java_old to the version of Java if it is too old.
mio_what_java() {
    mio_java=
    mio_java_old=
    mio_real=$mio_path
    if [ -h "$mio_path" ]; then
        mio_real=$(readlink -f -- "$mio_path") || mio_real=$mio_path
    fi
    case $mio_head in
        ' 127 69 76 70 '*)
            case ${mio_real##*/} in
                java) mio_java=java ;;
                *)
                    # jshell, javac and the like: the same launcher under another name.
                    if [ -e "${mio_real%/*}/../lib/libjli.so" ]; then
                        mio_java=jvm
                    fi
                    ;;
            esac
            if [ -n "$mio_java" ]; then
                mio_java_version "${mio_real%/*}/../release"
            fi
            ;;
        ' 35 33 '*)
            case ${mio_shown##*/} in
                java) mio_java=java ;;
                *)
                    mio_interpreter "$mio_path"
                    case ${mio_program##*/} in
                        java) mio_java=jvm ;;
                        *sh)
                            if LC_ALL=C grep -Eq 'JAVA_HOME|JAVACMD|JAVA_OPTS|(^|[^A-Za-z0-9_.-])java([^A-Za-z0-9_.-]|$)' "$mio_path" 2>/dev/null; then
                                mio_java=jvm
                            fi
                            ;;
                    esac
                    ;;
            esac
            ;;
    esac
}

mio_java_version() {
    [ -r "$1" ] || return 0
    while IFS='="' read -r mio_name mio_none mio_number mio_rest; do
        if [ "$mio_name" = JAVA_VERSION ]; then
            mio_number=${mio_number%%[!0-9]*}
            if [ "${mio_number:-17}" -lt 17 ]; then
                mio_java_old=$mio_number
            fi
            return 0
        fi
    done <"$1"
}

# Sets mio_program to the program that a #! line starts, as it is named there; with /usr/bin/env, to the program that
# env looks for.
mio_interpreter() {
    mio_line=
    { IFS= read -r mio_line <"$1"; } 2>/dev/null
    mio_line=${mio_line#??}
    mio_program=
    set -f
    # shellcheck disable=SC2086 # split on purpose
    set -- $mio_line
    set +f
    mio_program=${1-}
    case ${1-} in
        */env)
            shift
            while [ $# -gt 0 ]; do
                case $1 in
                    -* | *=*) shift ;;
                    *)
                        mio_program=$1
                        return 0
                        ;;
                esac
            done
            ;;
    esac
}

# Sets mio_why to the reason why the preload library would be ignored, or to nothing. For a script its interpreter
# counts.
mio_why_not() {
    mio_why=
    mio_file=$mio_path
    mio_depth=0
    while [ "$mio_depth" -lt 5 ]; do
        case $mio_head in
            ' 35 33 '*)
                mio_interpreter "$mio_file"
                mio_kept=$mio_path
                if mio_find "$mio_program"; then
                    mio_file=$mio_path
                    mio_path=$mio_kept
                else
                    mio_path=$mio_kept
                    return 0
                fi
                mio_read_head "$mio_file"
                ;;
            ' 127 69 76 70 '*)
                mio_why_not_elf
                if [ -n "$mio_why" ] && [ "$mio_file" != "$mio_path" ]; then
                    mio_why="is a script for $mio_file, which $mio_why"
                fi
                return 0
                ;;
            *) return 0 ;;
        esac
        mio_depth=$((mio_depth + 1))
    done
}

mio_why_not_elf() {
    # The loader itself is a program without a loader.
    case ${mio_file##*/} in
        ld-linux* | ld64.so* | ld.so*) return 0 ;;
    esac
    if { [ -u "$mio_file" ] && ! [ -O "$mio_file" ]; } || { [ -g "$mio_file" ] && ! [ -G "$mio_file" ]; } ||
        mio_has_capabilities; then
        mio_why="runs with rights of others (set-user-id, set-group-id or file capabilities)"
        return 0
    fi
    mio_read_machine "$mio_lib/libmio_preload.so"
    # shellcheck disable=SC2086 # split on purpose
    set -- $mio_head
    [ $# -ge 64 ] || return 0
    if [ "$5 $6 ${19} ${20}" != "$mio_machine" ]; then
        mio_why="is for another kind of machine than MIO's library"
        return 0
    fi
    case $mio_head in
        *' 4 0 0 0 71 111 0 0 '*)
            mio_why="is a Go program, which does not use the C library"
            return 0
            ;;
    esac
    # Files of the other byte order are not examined: they get the library, and the loader takes it or not.
    [ "$6" = 1 ] || return 0
    mio_loader "$@"
    case $mio_interpreter_found in
        '') mio_why="is statically linked" ;;
        *' 108 100 45 109 117 115 108 '*) mio_why="uses the C library musl, and MIO's library glibc" ;;
    esac
}

# Sets mio_machine to class, byte order and machine of an ELF file.
mio_read_machine() {
    # shellcheck disable=SC2046 # split on purpose
    set -- $(od -An -v -tu1 -N 20 2>/dev/null <"$1")
    mio_machine="${5-} ${6-} ${19-} ${20-}"
}

# True if the file has capabilities: then the loader ignores LD_PRELOAD. For root they add nothing, so the loader does
# not ignore it.
mio_has_capabilities() {
    [ ! -O / ] || return 1
    mio_getcap=/usr/sbin/getcap
    [ -x "$mio_getcap" ] || mio_getcap=/sbin/getcap
    [ -x "$mio_getcap" ] || return 1
    [ -n "$("$mio_getcap" "$mio_file" 2>/dev/null)" ]
}

# Sets mio_interpreter_found to the bytes of the loader's name that an ELF file asks for (PT_INTERP), or to nothing.
# Arguments: the first bytes of the file, whose numbers are little-endian. The numbers read here are below 2^24.
mio_loader() {
    mio_interpreter_found=
    if [ "$5" = 2 ]; then
        mio_table=$((${33} + ${34} * 256 + ${35} * 65536))
        mio_step=$((${55} + ${56} * 256))
        mio_count=$((${57} + ${58} * 256))
        mio_field=8
    else
        mio_table=$((${29} + ${30} * 256 + ${31} * 65536))
        mio_step=$((${43} + ${44} * 256))
        mio_count=$((${45} + ${46} * 256))
        mio_field=4
    fi
    while [ "$mio_count" -gt 0 ]; do
        mio_count=$((mio_count - 1))
        mio_at=$((mio_table + 1))
        mio_table=$((mio_table + mio_step))
        if [ "$mio_table" -gt $# ]; then
            # The table is behind the bytes that were read: nothing is known, so the program is not refused.
            mio_interpreter_found=' unknown '
            return 0
        fi
        eval "mio_kind=\"\${$mio_at} \${$((mio_at + 1))} \${$((mio_at + 2))} \${$((mio_at + 3))}\""
        if [ "$mio_kind" = '3 0 0 0' ]; then
            mio_at=$((mio_at + mio_field))
            eval "mio_at=\$((\${$mio_at} + \${$((mio_at + 1))} * 256 + \${$((mio_at + 2))} * 65536))"
            # shellcheck disable=SC2046 # split on purpose
            set -- $(od -An -v -tu1 -j "$mio_at" -N 64 2>/dev/null <"$mio_file")
            mio_interpreter_found=" $* "
            return 0
        fi
    done
}
