reports=$(dirname "$0")/../../resources/io/mio/cli
cp "$reports"/stats/* "$reports"/*.stats .
mio advise demo-trace.jsonl
mio advise original.stats
mio advise demo-trace.jsonl --json | grep -E '"(type|mio_files|rule)"'
mio advise demo-trace.jsonl --file '*.none' 2>&1 || echo "status $?"
mio advise original.stats --line 2>&1
head -c -100 demo-trace.jsonl >cut.jsonl
mio advise cut.jsonl 2>&1 || echo "status $?"
cat demo-trace.jsonl cut.jsonl >both.jsonl
mio advise both.jsonl --line 2>&1 || echo "status $?"
mio advise both.jsonl | tail -1
mio advise demo-trace.jsonl --device latency=1ms,bandwidth=1g 2>&1 || echo "status $?"
mio advise demo-trace.jsonl --measure original.stats 2>&1 || echo "status $?"
