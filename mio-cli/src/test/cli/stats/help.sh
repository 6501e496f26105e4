mio stats --help
