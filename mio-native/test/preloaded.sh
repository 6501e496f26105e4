# The beginning of the tests that run programs under the preload library. They source it in mio-native, with $0 of the
# test: `. test/preloaded.sh`. It skips (77) what cannot be run, removes the user's configuration from the environment,
# and sets: test_name; library, as an absolute path; work, an empty directory that is removed when the test ends;
# failed=0.

test_name=$(basename "$0" _test.sh)
case ${CFLAGS:-} in
*sanitize*) echo "skipped: no program loads the preload library with a sanitizer first" && exit 77 ;;
esac
# whole NAME: prints the absolute path.
whole() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$PWD/$1" ;;
    esac
}
library=$(whole "$NATIVES/libmio_preload.so")
[ -f "$library" ] || { echo "skipped: $library has not been built"; exit 77; }
work=$(mktemp -d "$MIO_TEST_DIR/$test_name.XXXXXX") && work=$(cd "$work" && pwd -P) || exit 1
undo=:
# Runs what the test has put into "undo", however the test ends: it takes back changes to the machine.
trap 'eval "$undo"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
for variable in $(env | sed -n 's/^\(MIO_[A-Z_]*\)=.*/\1/p' | grep -v '^MIO_TEST_'); do
    unset "$variable"
done
unset LD_PRELOAD
export LC_ALL=C XDG_CONFIG_HOME=/nonexistent

fail() { # text
    echo "$test_name: $1" >&2
    failed=1
}

# auto_serves DIRECTORY: true if pf/auto may serve files there. It leaves files in memory, on servers and on FUSE to the
# kernel.
auto_serves() {
    case $(stat -f -c %T "$1") in
    tmpfs | ramfs | nfs* | smb* | cifs | v9fs | fuse*) return 1 ;;
    esac
}
