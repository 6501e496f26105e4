reports=$(dirname "$0")/../../resources/io/mio/cli
cp "$reports"/stats/* "$reports"/*.stats .
mio stats original.stats --compare original-pf.stats
echo "--"
mio stats demo-trace.jsonl --compare demo-pf.jsonl --json | grep -E '_gain|Requests'
