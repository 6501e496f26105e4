#!/bin/sh
# Files that a program has open when it becomes another program are in the report.
. test/preloaded.sh

cat >"$work/becomes.c" <<'END'
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* becomes FILE WORDS: for each, in turn: r reads, m tries to become a program that there is not, x becomes true. */
int main(int count, char **words)
{
	char *none[] = {"true", NULL};
	char bytes[3];
	int fd = open(words[1], O_RDONLY);

	(void)count;
	for (const char *word = words[2]; *word; word++) {
		if (*word == 'r' && read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
			return 1;
		if (*word == 'm')
			execv("/nonexistent", none);
		if (*word == 'x')
			execvp("true", none);
	}
	return close(fd);
}
END
${CC:-cc} -o "$work/becomes" "$work/becomes.c" || exit 1
echo "a line that is long enough" >"$work/data"

# reports RULE WORDS EVENTS: fails unless EVENTS are the blocks of the report, in their order.
reports() {
    rm -f "$work/report.jsonl"
    LD_PRELOAD=$library MIO_FILES="$work/data [ $1 ]" MIO_STATS="$work/report.jsonl" "$work/becomes" "$work/data" "$2" ||
        fail "$1, $2: the program failed"
    events=$(sed -n 's/.*"type":"\([a-z_]*\)".*"event":"\([a-z]*\)".*/\1-\2/p' "$work/report.jsonl" 2>/dev/null | tr '\n' ' ')
    [ "$events" = "$3" ] || fail "$1, $2: $events, not $3"
}

reports trace/stats rx 'trace-inter '
reports trace/stats rrx 'trace-inter '
# A file that was opened only for the next program is not in the report.
reports trace/stats x ''
# After an exec that failed the program goes on, and its last block has all calls.
reports trace/stats rmr 'trace-inter trace-close '
tail -n 1 "$work/report.jsonl" | grep -q '"read":{"count":2' || fail "what follows an exec that fails is not counted"
reports 'pf/stats' rx 'pf-inter '
head -c 1000000 /dev/zero >"$work/data"
reports 'trace/stats | pf/auto' x ''

exit $failed
