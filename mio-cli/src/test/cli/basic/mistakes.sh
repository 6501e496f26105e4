# What goes to stderr is part of what the user sees.
exec 2>&1
mio || echo "status $?"
mio demo --size 12q || echo "status $?"
mio demo --record 200k --size 100k || echo "status $?"
mio demo --dir /no/such/dir || echo "status $?"
