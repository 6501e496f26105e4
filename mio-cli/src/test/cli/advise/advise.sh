"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.advise.AdviceSample run.events
device='latency=60us,bandwidth=2g,depth=32'
mio advise run.events --device "$device"
mio advise run.events --device "$device" --file '*.db' --json
MIO_FILES=$(mio advise run.events --device "$device" --line)
export MIO_FILES
printf '%s\n' "$MIO_FILES"
mio check | grep back.db
mio advise run.events --device "$device" --file 'warm.dat'
mio advise run.events --device "$device" --file 'warm.dat' --line
