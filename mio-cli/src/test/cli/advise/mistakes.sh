# What goes to stderr is part of what the user sees.
exec 2>&1
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.simulate.SimulationSample idle.events idle
mio advise || echo "status $?"
mio advise absent || echo "status $?"
echo text >text
mio advise text || echo "status $?"
: >empty
mio advise empty || echo "status $?"
mio advise . || echo "status $?"
mio advise idle.events || echo "status $?"
mio advise idle.events --memory lots || echo "status $?"
mio advise idle.events --device fast || echo "status $?"
mio advise idle.events --file '*.txt' || echo "status $?"
mio advise idle.events --json --line || echo "status $?"
"$MIO_JAVA" -cp "$MIO_CLASS_PATH" io.mio.cli.advise.AdviceSample run.events
mio advise run.events --measure absent || echo "status $?"
