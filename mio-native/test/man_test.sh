#!/bin/sh
# The manual pages have no warnings, and have everything that the header and docs/Configuration.md have.
set -u
failed=0

fail() {
    echo "man: $1" >&2
    failed=1
}

# plain PAGE: prints the text of a page, without its markup.
plain() {
    sed -e 's/\\f[A-Z]//g' -e 's/\\e/\\/g' -e 's/\\-/-/g' "$1"
}

if command -v mandoc >/dev/null; then
    warnings=$(mandoc -T lint -W warning man/*.[135])
elif man --help 2>/dev/null | grep -q -e --warnings; then
    warnings=$(for page in man/*.[135]; do LC_ALL=C MANWIDTH=100 man --warnings -E ascii -l "$page" 2>&1 >/dev/null; done)
else
    warnings=
    echo "man: neither mandoc nor man here, pages are not checked for warnings"
fi
[ -z "$warnings" ] || fail "$warnings"

for call in $(sed -n 's/^.*[ *]\(MIO_[a-z][a-z0-9_]*\)(.*);$/\1/p' include/mio/mio.h); do
    plain man/mio.3 | grep -q -w -e "$call" || fail "mio.3 has no $call"
done

# The page has every word of the option tables, in the same form: `cache_size=SIZE`.
sed -n '/^<!-- options:/,/^<!-- end -->/p' ../docs/Configuration.md | sed -n 's/^| \(`[^|]*`\) |.*/\1/p' | tr '`' '\n' |
    sed '/^ *$/d' | sort -u | while read -r option; do
    plain man/mio-config.5 | grep -q -F -w -e "$option" || echo "$option"
done >"$MIO_TEST_DIR/man.missing"
[ ! -s "$MIO_TEST_DIR/man.missing" ] || fail "mio-config.5 has not: $(cat "$MIO_TEST_DIR/man.missing")"
# The page has the meaning of each option, in the same words.
page=$(plain man/mio-config.5 | tr -s '\n ' '  ')
sed -n '/^<!-- options:/,/^<!-- end -->/p' ../docs/Configuration.md | sed -n 's/^| `[^|]*` | [^|]*| \([^|]*[^| ]\) | .*/\1/p' | tr -d '`' |
    while read -r meaning; do
    case $page in *"$meaning"*) ;; *) echo "$meaning" ;; esac
done >"$MIO_TEST_DIR/man.missing"
[ ! -s "$MIO_TEST_DIR/man.missing" ] || fail "mio-config.5 does not say: $(cat "$MIO_TEST_DIR/man.missing")"
rm -f "$MIO_TEST_DIR/man.missing"
for word in MIO_FILES MIO_STATS MIO_DEFAULTS MIO_DEBUG MIO_CONFIG MIO_ENABLED MIO_LIVE ABORT TIMESTAMP; do
    plain man/mio-config.5 | grep -q -w -e "$word" || fail "mio-config.5 has no $word"
done
for word in MIO_PRELOAD LD_PRELOAD print abort SIGUSR1; do
    plain man/mio-preload.1 | grep -q -w -e "$word" || fail "mio-preload.1 has no $word"
done
exit $failed
