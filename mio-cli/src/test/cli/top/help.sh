mio top --help
