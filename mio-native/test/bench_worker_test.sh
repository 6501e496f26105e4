#!/bin/sh
# The worker of mio bench makes the calls of the golden cases, checks what it reads, and reports what it does not
# understand.
set -u

worker=$NATIVES/bench_worker
case $worker in
/*) ;;
*) worker=$PWD/$worker ;;
esac
cases=$PWD/../mio-core/src/test/resources/twin/bench/plans.txt
[ -f "$cases" ] || { echo "skipped: no $cases"; exit 77; }
work=$(mktemp -d "$MIO_TEST_DIR/bench_worker.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    echo "bench_worker: $1" >&2
    failed=1
}

# should_make_the_calls_of_the_golden_cases
checked=0
files=
check() {
    [ -n "$files" ] || return 0
    # shellcheck disable=SC2086 # a word for each file
    printf 'plan %s\n' "$job" | "$worker" $files >answer || fail "$title: status $?"
    { echo 'bench-worker 1'; cat calls; echo "digest $digest"; echo 'done'; } >wanted
    cmp -s answer wanted || fail "$title: other calls: $(diff wanted answer | head -3)"
    checked=$((checked + 1))
}
while IFS= read -r line; do
    case $line in
    '== '*)
        check
        title=${line#== }
        : >calls
        ;;
    'files: 1') files=a ;;
    'files: 2') files='a b' ;;
    'job: '*) job=${line#job: } ;;
    'call: '*) echo "${line#call: }" >>calls ;;
    'digest: '*) digest=${line#digest: } ;;
    esac
done <"$cases"
check
[ "$checked" -gt 15 ] || fail "only $checked cases"

# should_find_a_byte_that_was_changed
words='record_bytes=1000 file_records=50 threads=2 first=0 count=2 stride=3 seed=7 mix_percent=50 generation=2 known=0'
words="$words direct=0 flush=1 close=1 verify=1"
: >data
printf 'run test=write %s\ngo\nrun test=random-read %s\ngo\n' "$words" "$words" | "$worker" data >answer ||
    fail "a run failed: $(cat answer)"
[ "$(grep -c '^result .* bytes=50000 calls=50 ' answer)" = 2 ] || fail "other results: $(cat answer)"
mkfifo commands
"$worker" data <commands >answer &
exec 3>commands
printf 'run test=write %s\ngo\n' "$words" >&3
until grep -q '^done' answer; do sleep 0.01; done
printf '\377\377' | dd of=data bs=1 seek=31234 conv=notrunc 2>/dev/null
printf 'run test=strided %s\ngo\n' "$words" >&3
exec 3>&-
if wait $!; then fail "the change was not found: $(cat answer)"; fi
grep -q '^wrong data: byte 3123[45] is 0xff, expected 0x' answer || fail "another change was found: $(tail -1 answer)"

# should_know_what_it_wrote_and_nothing_else: more records than in the run before
more=$(echo "$words" | sed 's/file_records=50/file_records=9000/')
printf 'run test=write %s\ngo\nrun test=write %s\ngo\nrun test=read %s\ngo\n' "$words" "$more" "$more" |
    "$worker" data >answer || fail "more records: $(tail -1 answer)"
[ "$(grep -c '^result .* bytes=9000000 calls=9000 ' answer)" = 2 ] || fail "more records, other results: $(cat answer)"
if printf 'run test=write %s\ngo\nrun test=read %s\ngo\n' "$words" "$more" | "$worker" data >answer; then
    fail "records were checked that nobody knows"
fi
grep -q '^failed data: read at [0-9]*: nobody has told what is there$' answer || fail "another word: $(tail -1 answer)"
if printf 'run test=write %s\ngo\nrun test=read %s\ngo\n' "$words" "$(echo "$words" | sed 's/record_bytes=1000/record_bytes=500/')" |
    "$worker" data >answer; then
    fail "records of another size were checked"
fi

# should_warm_up_on_another_file
: >warm
printf 'warm test=write %s\ngo\nwarm test=read %s\ngo\n' "$words" "$words" | "$worker" missing -- warm >answer ||
    fail "no warm-up: $(tail -1 answer)"
[ "$(grep -c '^result .* bytes=50000 calls=50 ' answer)" = 2 ] || fail "warm-up, other results: $(cat answer)"
[ -e missing ] && fail "the warm-up made another file"
if printf 'warm test=read %s\ngo\n' "$words" | "$worker" data >answer; then fail "a warm-up without a file"; fi
grep -q '^failed line not understood: command$' answer || fail "another word: $(tail -1 answer)"

# should_not_verify_more_than_an_array_holds
if printf 'run test=read %s\n' "$(echo "$words" | sed 's/file_records=50/file_records=5000000000/')" | "$worker" data >answer
then fail "too many records were verified"; fi
grep -q '^failed no memory to verify 5000000000 records$' answer || fail "another word: $(tail -1 answer)"

# should_not_write_through_a_link
ln -s data link
if printf 'run test=write %s\ngo\n' "$words" | "$worker" link >answer; then fail "a link was written through"; fi
grep -q '^failed link: open: ' answer || fail "no word on a link: $(tail -1 answer)"
rm link

# should_say_which_word_is_wrong
long=$(printf '%05000d' 0)
for wrong in "run test=read $words seed=7" "run test=read test=read $words" "run test=read ${words%1}1x" "run $long" \
    "run test=read $(echo "$words" | sed 's/seed=7/seed=99999999999999999999/')" \
    'run test=none' 'run test=read' "run test=read $words x=1" 'go' "plan test=read ${words%1}2"; do
    if printf '%s\n' "$wrong" | "$worker" data >answer; then fail "taken: $wrong"; fi
    grep -q '^failed line not understood: ' answer || fail "no word on: $wrong"
done
if printf 'plan test=read %s seed=7\n' "$words" | "$worker" data >answer; then fail "taken: seed twice"; fi
grep -q '^failed line not understood: seed twice$' answer || fail "another word: $(tail -1 answer)"
if printf 'run test=read %s\nstop\n' "$words" | "$worker" data >answer; then fail "taken: stop, not go"; fi
grep -q '^failed line not understood: not go$' answer || fail "no word on what is not go"
if printf 'run test=read %s\n' "$words" | "$worker" missing >answer; then fail "a file that is not there was read"; fi
grep -q '^failed missing: open: ' answer || fail "no word on a file that is not there"

exit $failed
