mio events --help
