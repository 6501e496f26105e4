# What the tests that run programs under the preload library begin with: `. test/preloaded.sh`, in mio-native, with $0 of the test. It skips (77) what
# cannot be run, and sets: test_name; library, as a whole name; work, an empty directory that goes when the test ends;
# failed=0. Nothing of the user's configuration is left.

test_name=$(basename "$0" _test.sh)
case ${CFLAGS:-} in
*sanitize*) echo "skipped: no program loads the preload library with a sanitizer first" && exit 77 ;;
esac
# whole NAME: from the root on.
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
# What the test has done to the machine is undone however it ends.
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

# auto_serves DIRECTORY: whether pf/auto has anything to do with files there. It leaves those in memory, on servers and of FUSE to the kernel.
auto_serves() {
    case $(stat -f -c %T "$1") in
    tmpfs | ramfs | nfs* | smb* | cifs | v9fs | fuse*) return 1 ;;
    esac
}
