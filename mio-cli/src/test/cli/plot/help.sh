mio plot --help
