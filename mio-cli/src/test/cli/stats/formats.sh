reports=$(dirname "$0")/../../resources/io/mio/cli/stats
cp "$reports"/* .
mio stats demo-pf.jsonl --format csv
echo "--"
mio stats demo-pf.jsonl --format openmetrics
echo "--"
mio stats demo-pf.jsonl --json
