mio simulate --help
