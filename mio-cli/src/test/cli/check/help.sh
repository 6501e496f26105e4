mio check --help
