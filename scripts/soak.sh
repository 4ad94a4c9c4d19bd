#!/usr/bin/env bash
# The heavy counts: four hours of audio, eight live sessions, many damaged files, many random sessions.
# HOURS=1 shortens the first; AURICLE_FUZZ_ITERATIONS sets how often each seed file is damaged.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

printf '== %s hours of audio, fed fast: memory must stay flat\n' "${HOURS:-4}"
python3 scripts/soak_memory.py "${HOURS:-4}"

printf '\n== Eight live sessions at once: no final later than 2 s\n'
swift build -c release --product auricle-bench
.build/release/auricle-bench 8 .deps/test-data/beckett.wav | tee /dev/stderr |
  python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["worstFinal"] > 2)'

printf '\n== Damaged files and random text\n'
AURICLE_FUZZ_ITERATIONS=${AURICLE_FUZZ_ITERATIONS:-5000} swift test --disable-xctest --filter 'Fuzz|Any words|any damage'

printf '\nSoak passed.\n'
