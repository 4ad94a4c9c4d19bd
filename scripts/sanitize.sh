#!/usr/bin/env bash
# Runs the tests of the lock-free and C-facing targets under ThreadSanitizer and AddressSanitizer.
# Exit codes decide: a report can stand beside the word "passed".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() { # sanitizer filter...
  local sanitizer=$1
  shift
  printf '\n== %s sanitizer\n' "$sanitizer"
  swift test --quiet --sanitize "$sanitizer" --scratch-path ".build/$sanitizer" --disable-xctest --no-parallel \
    "${@/#/--filter=}"
}

run thread AuricleAudioTests AuricleRecognitionTests AuricleLiveTests AuricleSherpaTests
# The engine and libsndfile keep what they allocated once; leaks of ours are looked for by the soak's memory check.
ASAN_OPTIONS=detect_leaks=0 run address AuricleAudioTests AuricleMediaTests AuricleLiveTests AuricleSherpaTests
