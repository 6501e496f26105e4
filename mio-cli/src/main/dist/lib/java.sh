# Sourced by bin/mio: runs a command that is done in Java.
# Sets nothing in the environment, and is silent about all that only makes it quicker.

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

# Most JVMs have their version in a file, which is quicker than asking.
mio_home=$(readlink -f -- "$mio_java")
mio_home=${mio_home%/bin/java}
mio_version=
if [ -r "$mio_home/release" ]; then
    while IFS='="' read -r mio_name mio_empty mio_value mio_rest; do
        case $mio_name in
            JAVA_VERSION) mio_version=$mio_value ;;
        esac
    done <"$mio_home/release"
fi
if [ -z "$mio_version" ]; then
    mio_version=$("$mio_java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
fi
# The first number, for example 17; of "1.8.0" it is 1, which is too old as well.
mio_number=${mio_version%%[!0-9]*}
[ "${mio_number:-17}" -ge 17 ] ||
    mio_fail "$mio_java is Java $mio_number; 17 or later is needed, see JAVA_HOME"

mio_terminal=false
if [ -t 2 ]; then
    mio_terminal=true
fi
exec "$mio_java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "-Dmio.cli.terminal=$mio_terminal" \
    -jar "$mio_lib/mio.jar" "$@"
