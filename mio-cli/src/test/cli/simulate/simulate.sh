"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.simulate.SimulationSample run.events
device='latency=1ms,bandwidth=500m,depth=8'
small='pf/cache=256k/page=64k/pref=2/replace=lru'
large='pf/cache=4m/page=256k/pref=4/replace=lru | trace'
mio simulate run.events --config "$small" --config "$large" --config none --device "$device"
mio simulate run.events --config "$small" --config none --device "$device" --json
mio simulate run.events --config "$small" --config "[ $large ]" --device "$device" --csv
mio simulate run.events --config "$small" --file '*.dat'
