# Reports of real runs: a program that is not kind to its files, and the demo without and with pf.
reports=$(dirname "$0")/../../resources/io/mio/cli
cp "$reports"/stats/* "$reports"/*.stats .
mio stats ledger.jsonl.gz
echo "-- the original's"
mio stats original-pf.stats
echo "-- a pipe, by layer"
mio stats - --by layer --no-notes <demo-pf.jsonl
echo "-- a directory, by program"
mio stats . --by program --no-notes
echo "-- narrow"
mio stats ledger.jsonl.gz --width 50 --no-notes --top 2
