#!/usr/bin/env bash
# The heavy counts: four hours of audio, an hour recorded, eight live sessions, hundreds of kills, many damaged files.
# HOURS=1 shortens the first; AURICLE_FUZZ_ITERATIONS sets how often each seed file is damaged, AURICLE_KILLS how often
# a recording of each format is killed, AURICLE_RACE_ROUNDS how many random interleavings each seed has,
# AURICLE_DEVICE_ROUNDS how often devices are started, AURICLE_WEBSOCKET_FUZZ how many broken peers there are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

printf '== %s hours of audio, fed fast: memory must stay flat\n' "${HOURS:-4}"
python3 scripts/soak_memory.py "${HOURS:-4}"

printf '\n== An hour recorded from standard input, fed fast\n'
python3 scripts/soak_record.py 1
python3 scripts/soak_record.py 1 --no-transcript --format flac

printf '\n== Eight live sessions at once: no final later than 2 s\n'
swift build -c release --product auricle-bench
.build/release/auricle-bench 8 .deps/test-data/beckett.wav | tee /dev/stderr |
  python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["worstFinal"] > 2)'

printf '\n== auricle record killed at random moments, and recovered\n'
python3 scripts/soak_kill.py "${KILLS:-200}"

printf '\n== The recorder killed, and steering raced\n'
AURICLE_KILLS=${AURICLE_KILLS:-67} AURICLE_RACE_ROUNDS=${AURICLE_RACE_ROUNDS:-3400} \
  swift test --disable-xctest --filter 'KillTests|Random interleavings'

printf '\n== Sessions and devices started and stopped a thousand times, with everything late at random\n'
AURICLE_DEVICE_ROUNDS=${AURICLE_DEVICE_ROUNDS:-1000} \
  swift test --disable-xctest --filter 'DeviceRaceTests|DeviceSlotTests|RecordingSlotTests'

printf '\n== Damaged files and random text\n'
AURICLE_FUZZ_ITERATIONS=${AURICLE_FUZZ_ITERATIONS:-5000} AURICLE_WEBSOCKET_FUZZ=${AURICLE_WEBSOCKET_FUZZ:-5000} \
  swift test --disable-xctest --filter 'Fuzz|Any words|any damage'

printf '\nSoak passed.\n'
