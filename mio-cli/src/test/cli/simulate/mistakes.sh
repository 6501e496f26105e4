# What goes to stderr is part of what the user sees.
exec 2>&1
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.simulate.SimulationSample run.events
mio simulate || echo "status $?"
mio simulate run.events || echo "status $?"
mio simulate absent --config none || echo "status $?"
echo text >text
mio simulate text --config none || echo "status $?"
mio simulate run.events --config 'pf/cache=100q/page=2m' || echo "status $?"
mio simulate run.events --config 'trace/stats' || echo "status $?"
mio simulate run.events --config 'pf/cache=1m/page=64k' --file '*.txt' || echo "status $?"
mio simulate run.events --config 'pf/cache=1m/page=64k' --device latency=fast || echo "status $?"
mio simulate run.events --config 'pf/cache=1m/page=64k' --measure absent || echo "status $?"
mio simulate run.events --config 'pf/cache=1m/page=64k' --measure text || echo "status $?"
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.simulate.SimulationSample idle.events idle
mio simulate idle.events --config pf/cache=1m/page=64k || echo "status $?"
head -c -4000 run.events >cut.events
mio simulate cut.events --config none --device latency=100us,bandwidth=1g | grep -i "note\|cut"
mio simulate cut.events --config none --device latency=100us,bandwidth=1g >all || echo "status $?"
mio advise cut.events --device latency=100us,bandwidth=1g >all || echo "status $?"
mio simulate cut.events --config none --csv --device latency=100us,bandwidth=1g >all || echo "status $?"
mio simulate cut.events --config none --file '*.typo' || echo "status $?"
mio simulate run.events --config none --device latency=1us,bandwidth=1g,latency=2us || echo "status $?"
