mio bench experiment --help
mio bench experiment
mio bench experiment no 2>&1 || echo "status $?"
