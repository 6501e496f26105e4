#!/bin/sh
# differential.sh LIBRARY TOOLS WORK
#
# Runs real programs: each script of the directory "differential" runs without MIO and then under the library. Compares
# what the script prints, how it ends, and the files it leaves: content, length, mode, owner, links, and the times that
# it has set. A script whose programs are not installed is skipped, with the name of the program.
#
# MIO_TEST_ONLY     names of scripts, instead of all
# MIO_TEST_WITH     names of configurations, instead of all
# MIO_TEST_SECONDS  time after which a script counts as hanging (default 60)
set -u

if [ $# -ne 3 ]; then
    echo "differential.sh LIBRARY TOOLS WORK" >&2
    exit 2
fi
absolute() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$PWD/$1" ;;
    esac
}
library=$(absolute "$1")
tools=$(absolute "$2")
work=$(absolute "$3")
scripts=$(absolute "$(dirname "$0")/differential")
seconds=${MIO_TEST_SECONDS:-60}
unset LD_PRELOAD MIO_FILES MIO_DEFAULTS MIO_DEBUG MIO_CONFIG MIO_ENABLED MIO_PRELOAD
export LC_ALL=C TZ=UTC XDG_CONFIG_HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore::DeprecationWarning

if [ ! -f "$library" ]; then
    echo "skipped: $1 has not been built"
    exit 77
fi

# The configurations: a name, then the value of MIO_FILES. Every script runs under each of them.
configurations() {
    cat <<'END'
pf * [ trace | pf ]
small * [ trace | pf/cache=64k/page=4k/pref=2 | trace ]
END
}

# run SCRIPT DIRECTORY: runs the script in the directory; the results are beside it.
run() {
    rm -rf "$2"
    mkdir -p "$2/home"
    (
        cd "$2" || exit 125
        HOME=$2/home
        export HOME
        exec "$tools/bounded" "$seconds" sh "$scripts/$1" >"$2.out" 2>"$2.err" </dev/null
    )
    echo $? >"$2.status"
    "$tools/listing" "$2" >"$2.files"
    # The name of the directory differs from run to run.
    for part in out err files; do
        sed "s|$2|DIRECTORY|g" "$2.$part" >"$2.part" && mv "$2.part" "$2.$part"
    done
    chmod -R u+rwx "$2" 2>/dev/null
    rm -rf "$2"
}

# compare SCRIPT CONFIGURATION: shows where the results differ from those without MIO.
compare() {
    same=yes
    for part in status out err files; do
        if ! cmp -s "$work/plain/$1.$part" "$work/$2/$1.$part"; then
            [ $same = yes ] && echo "FAIL $1 [$2]"
            same=no
            echo "  $part, without MIO and with:"
            diff "$work/plain/$1.$part" "$work/$2/$1.$part" | head -n 30 | sed 's/^/    /'
        fi
    done
    [ $same = yes ]
}

# has_all SCRIPT: true if the programs of the script's line "# needs: ..." are installed.
has_all() {
    for program in $(sed -n 's/^# needs: //p' "$scripts/$1"); do
        if ! command -v "$program" >/dev/null; then
            echo "skipped: $1: no $program"
            return 1
        fi
    done
}

with() {
    (
        MIO_TEST_PRELOAD=$library
        MIO_FILES=$2
        MIO_STATS=$work/$1/stats
        export MIO_TEST_PRELOAD MIO_FILES MIO_STATS
        run "$3" "$work/$1/$3"
    )
}

rm -rf "$work"
mkdir -p "$work/plain"
failed=0
count=0
for script in ${MIO_TEST_ONLY:-$(cd "$scripts" && echo *)}; do
    has_all "$script" || continue
    count=$((count + 1))
    # shellcheck disable=SC2030,SC2031 # each in a shell of its own
    run "$script" "$work/plain/$script" &
    configurations | {
        while read -r name rules; do
            case " ${MIO_TEST_WITH:-$name} " in
            *" $name "*)
                mkdir -p "$work/$name"
                with "$name" "$rules" "$script"
                ;;
            esac
        done
    }
    wait
    read -r status <"$work/plain/$script.status"
    if [ "$status" -ne 0 ]; then
        echo "FAIL $script without MIO:"
        tail -n 5 "$work/plain/$script.out" "$work/plain/$script.err"
        failed=$((failed + 1))
        continue
    fi
    for name in $(configurations | cut -d ' ' -f 1); do
        case " ${MIO_TEST_WITH:-$name} " in
        *" $name "*) compare "$script" "$name" || failed=$((failed + 1)) ;;
        esac
    done
done
echo "differential: $count scripts, $failed failed"
[ $failed -eq 0 ]
