#!/bin/sh
# install-browser.sh [SECONDS]: a browser and its driver for the tests of mio plot's page, from the system's own packages. For
# root on Debian and the like; where that is not possible nothing happens, and the tests are skipped. Ends within SECONDS
# (default 180), says nothing, exit status 0 if both are there in the end.
limit=${1:-180}
began=$(date +%s)

both_there() {
    for browser in chromium chromium-browser google-chrome; do
        if command -v "$browser" && command -v chromedriver; then
            return 0
        fi
    done
    return 1
}

# No longer than what is left of the limit; a stopped apt-get leaves nothing half unpacked that the next one would not repair.
within_limit() {
    left=$((limit - $(date +%s) + began))
    [ "$left" -gt 0 ] && timeout --kill-after=10 "$left" "$@"
}

install() {
    export DEBIAN_FRONTEND=noninteractive
    for try in as-it-is updated; do
        if [ "$try" = updated ]; then
            within_limit apt-get -qq -o DPkg::Lock::Timeout=60 update
        fi
        if within_limit apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=60 install chromium chromium-driver; then
            return 0
        fi
    done
}

{
    if ! both_there && [ "$(id -u)" = 0 ] && command -v apt-get; then
        install
    fi
    both_there
} </dev/null >/dev/null 2>&1
