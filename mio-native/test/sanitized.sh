#!/bin/sh
# sanitized.sh LIBRARIES PROGRAMS
#
# Runs the exercisers under a preload library whose rooms are built with the address and undefined-behaviour sanitizers.
# The wrappers are built without, because some run before the sanitizers are ready. Then runs all programs of test/preload
# under a library whose undefined behaviour traps, wrappers included. gcc only.
#
#   make check && sh test/sanitized.sh target/sanitized target/obj/linux-x86-64/test/preload
#
# MIO_TEST_SEEDS       seeds (default "1 2 3")
# MIO_TEST_OPERATIONS  operations of each run (default 6000)
set -eu

cd "$(dirname "$0")/.."
objects=$1
programs=$(cd "$2" && pwd)
mkdir -p "$objects"
objects=$(cd "$objects" && pwd)
flags="-std=gnu11 -fPIC -fvisibility=hidden -O1 -g -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -pthread -DMIO_VERSION=\"0\" -DMIO_BUILT=\"0\""
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
for room in common layer config stats live trace recov pf os stack door preload; do
    [ $room = preload ] && sanitized= || sanitized=$sanitizers
    for source in src/$room/*.c; do
        # shellcheck disable=SC2086 # flags are words
        gcc $flags $sanitized -c "$source" -o "$objects/$(basename "$source" .c).o"
    done
done
# shellcheck disable=SC2086
gcc -shared "$objects"/*.o $sanitizers -pthread -Wl,--version-script=libmio_preload.map -ldl -lrt -o "$objects/libmio_preload.so"
runtime=$(gcc -print-file-name=libasan.so)
work=$(mktemp -d "$objects/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
for rule in '* [ trace ]' '* [ trace | pf/cache=16k/page=8k/pref=1 ]' '* [ trace | pf/direct/cache=1m/page=64k | trace ]' '* [ pf/through ]' '* [ pf/auto ]' '* [ mio/direct | trace ]'; do
    for program in exerciser planned; do
        for seed in ${MIO_TEST_SEEDS:-1 2 3}; do
            rm -rf "$work/run"
            mkdir "$work/run"
            env MIO_TEST_SEED="$seed" MIO_TEST_OPERATIONS="${MIO_TEST_OPERATIONS:-6000}" MIO_FILES="$rule" \
                sh -c 'ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$1:$2" exec "$3" "$4"' sh "$runtime" "$objects/libmio_preload.so" \
                "$programs/$program" "$work/run" >"$work/out" 2>"$work/err" ||
                { echo "FAIL $program, seed $seed, $rule"; cat "$work/err"; exit 1; }
        done
    done
    echo "PASS $rule"
done
# All programs, with the wrappers too: undefined behaviour ends a program by SIGILL, which needs no runtime that has to
# be ready.
traps="-fsanitize=undefined -fsanitize-undefined-trap-on-error"
make -s TARGET="$objects/traps" CC=gcc CFLAGS="-O1 -g $traps" all
env -u LD_PRELOAD sh test/preload.sh "$objects"/traps/natives/*/libmio_preload.so "$programs" "$work/traps" || { echo "FAIL what is undefined, in all programs"; exit 1; }
# The worker of mio bench is a program of its own, so it is built and tested apart.
mkdir -p "$objects/natives"
# shellcheck disable=SC2086
gcc $flags $sanitizers tools/bench_worker.c -o "$objects/natives/bench_worker"
NATIVES=$objects/natives MIO_TEST_DIR=$work sh test/bench_worker_test.sh || { echo "FAIL bench_worker"; exit 1; }
echo "PASS bench_worker"
