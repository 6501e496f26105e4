reports=$(dirname "$0")/../../resources/io/mio/cli
cp "$reports"/stats/* "$reports"/*.stats .
mio advise demo-trace.jsonl
mio advise original.stats
mio advise demo-trace.jsonl --json | grep -E '"(type|mio_files|rule)"'
mio advise demo-trace.jsonl --file '*.none' 2>&1 || echo "status $?"
