mio --help
mio demo --help
