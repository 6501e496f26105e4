# What goes to stderr is part of what the user sees.
exec 2>&1
hex=$(dirname "$0")/../../../../../mio-core/src/test/resources/twin/events/calls.hex
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.events.EventSamples "$hex" golden.events
mio plot || echo "status $?"
mio plot absent || echo "status $?"
mkdir directory
mio plot directory || echo "status $?"
mio plot - || echo "status $?"
mkfifo pipe
mio plot pipe || echo "status $?"
: >empty
mio plot empty || echo "status $?"
cp "$(dirname "$0")/../../resources/io/mio/cli/original.stats" .
mio plot original.stats || echo "status $?"
mio plot golden.events -o x.gif || echo "status $?"
mio plot golden.events -o absent/x.svg || echo "status $?"
cp golden.events golden.html
mio plot golden.html || echo "status $?"
mio plot golden.events || echo "status $?"
rm golden.html
mio plot golden.events >/dev/null && mio plot golden.events >/dev/null && echo "a page of its own is replaced"
mio plot golden.events --term -o x.svg || echo "status $?"
mio plot golden.events --detail 10 || echo "status $?"
mio plot golden.events --detail 10000001 || echo "status $?"
mio plot golden.events --from 5s --to 2s || echo "status $?"
mio plot golden.events --panels pgaes || echo "status $?"
mio plot golden.events -o x.svg --theme drak || echo "status $?"
mio plot golden.events --layout above || echo "status $?"
mio plot golden.events --layer top || echo "status $?"
mio plot golden.events --thread main || echo "status $?"
mio plot golden.events -o x.svg --width 100 || echo "status $?"
mio plot golden.events -o x.svg --height 50 || echo "status $?"
mio plot golden.events --term --width wide || echo "status $?"
mio plot golden.events --term --height 5 || echo "status $?"
head -c -100 golden.events >cut.events
mio plot cut.events --term >/dev/null || echo "status $?"
mio plot golden.events --op raed || echo "status $?"
mio plot golden.events -o - >/dev/full || echo "status $?"
mio plot golden.events --term --files '*.absent' || echo "status $?"
ls
