hex=$(dirname "$0")/../../../../../mio-core/src/test/resources/twin/events/calls.hex
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.events.EventSamples "$hex" golden.events
mio events golden.events --files '*.file' --op reads --layer program
echo "-- failed"
mio events golden.events --failed
echo "-- a span of time, cut out"
mio events golden.events --from 60us --to 71us --export events -o part.events
mio events part.events
echo "-- two files, narrow"
mio events part.events part.events --op pages,aread --width 100
echo "-- slow"
mio events golden.events --slower 250us --limit 1
