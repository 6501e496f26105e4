# What goes to stderr is part of what the user sees.
exec 2>&1
hex=$(dirname "$0")/../../../../../mio-core/src/test/resources/twin/events/calls.hex
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.events.EventSamples "$hex" golden.events
mio events || echo "status $?"
mio events absent || echo "status $?"
: >empty
mio events empty || echo "status $?"
cp "$(dirname "$0")/../../resources/io/mio/cli/original.stats" .
mio events original.stats || echo "status $?"
mio stats golden.events || echo "status $?"
mio events golden.events --op raed || echo "status $?"
mio events golden.events --from noon || echo "status $?"
mio events golden.events --export csv -o absent/x || echo "status $?"
mio events golden.events --export csv -o /dev/full || echo "status $?"
mio events golden.events --export csv >/dev/full || echo "status $?"
mio events golden.events --files 'x*' --export csv || echo "status $?"
cp golden.events own.events
ln own.events twin.events
mio events own.events --export csv -o twin.events || echo "status $?"
cmp golden.events own.events && cmp golden.events twin.events && echo "as it was"
head -c 131500 golden.events >cut.events
mio events cut.events || echo "status $?"
