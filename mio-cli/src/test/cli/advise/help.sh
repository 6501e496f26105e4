mio advise --help
