mio bench --help
