# What goes to stderr is part of what the user sees.
exec 2>&1
mio stats || echo "status $?"
mio stats absent || echo "status $?"
: >empty
mio stats empty || echo "status $?"
cp "$(dirname "$0")/../../resources/io/mio/cli/stats/demo-trace.jsonl" whole.jsonl
head -c 1500 whole.jsonl >cut.jsonl
sed 's/"format":1/"format":2/' whole.jsonl >newer.jsonl
mio stats absent empty cut.jsonl newer.jsonl whole.jsonl --no-notes || echo "status $?"
mio stats whole.jsonl --sort colour || echo "status $?"
mio stats whole.jsonl --files 'x*' || echo "status $?"
