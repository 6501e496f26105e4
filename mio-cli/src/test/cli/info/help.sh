mio info --help
