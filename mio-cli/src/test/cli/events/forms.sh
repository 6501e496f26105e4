# The golden file of the format, in every form that is text.
hex=$(dirname "$0")/../../../../../mio-core/src/test/resources/twin/events/calls.hex
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.events.EventSamples "$hex" golden.events
mio events golden.events
echo "-- csv"
mio events golden.events --export csv
echo "-- JSON Lines"
mio events golden.events --export jsonl
echo "-- summary"
mio events golden.events --summary --to 1s
echo "-- summary as JSON"
mio events golden.events --json --to 1s --layer program
echo "-- without names"
mio events golden.events --anonymize --keep-extensions --limit 3
