#!/usr/bin/env bash
# Runs the tests of the lock-free and C-facing targets under ThreadSanitizer and AddressSanitizer.
# Exit codes decide: a report can stand beside the word "passed".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() { # sanitizer filters option...
  local sanitizer=$1 filters=$2
  shift 2
  printf '\n== %s sanitizer: %s\n' "$sanitizer" "$filters"
  swift test "$@" --sanitize "$sanitizer" --scratch-path ".build/$sanitizer" --disable-xctest --no-parallel \
    --filter "$filters" 2>&1 | grep -vE '^(✔|◇|\[|Building|Build|◇) ?' || return "${PIPESTATUS[0]}"
  return "${PIPESTATUS[0]}"
}

# Optimised: without it the sanitizer does not see the synchronisation inside Synchronization.Mutex, and reports every use.
# Three seeds: more than ten thousand interleavings.
export AURICLE_RACE_ROUNDS=3400
export TSAN_OPTIONS=suppressions=$PWD/scripts/thread-suppressions.txt
run thread '^Auricle((Audio|Consent|Capture|Pulse|Recognition|Live|Recording|Session|Sherpa|Vendor|WebSocket)Tests|CLITests\.ScreenLaneTests/slots)' \
  -c release -Xswiftc -enable-testing

printf '\n== thread sanitizer: a race that is planted has to be seen\n'
log=.build/thread/planted-race.log
if AURICLE_PLANTED_RACE=1 swift test -c release -Xswiftc -enable-testing --sanitize thread --scratch-path .build/thread \
  --disable-xctest --skip-build --filter 'AmbientConcurrencyTests/plantedRace' >"$log" 2>&1; then
  printf 'The planted race was not seen: the runs above prove nothing. See %s\n' "$log" >&2
  exit 1
fi
grep -m1 'ThreadSanitizer: data race' "$log"

# libsndfile and the engine keep what they allocated once, so leaks are looked for by `make soak` instead.
export ASAN_OPTIONS=detect_leaks=0
# Pure values have nothing to find here, and what is killed or waits for a server is looked at in its own step.
run address '^Auricle(Audio|Capture|Pulse|Media|Recording|Sherpa|WebSocket)Tests' --skip '(Kill|Recovery|Contract)Tests'
