#!/usr/bin/env bash
# Checks reports and live results against docs/schemas: those that the tests generate, and those of the release program,
# if it was built, for a real recording. What a test broke on purpose has to be refused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=.build/schemas
program=.build/release/auricle
rm -rf "$work" && mkdir -p "$work"

AURICLE_SCHEMA_SAMPLES=$PWD/$work swift test --skip-build --disable-xctest --filter 'SchemaTests' >"$work/tests.log" 2>&1 || {
  cat "$work/tests.log" >&2
  exit 1
}
if [ -x "$program" ]; then
  "$program" transcribe --format json .deps/test-data/beckett.wav >"$work/real.report.json" 2>"$work/real.log"
  "$program" transcribe --format jsonl .deps/test-data/beckett.wav >"$work/real.results.jsonl" 2>>"$work/real.log"
fi
.deps/venv/bin/python scripts/check_schemas.py docs/schemas "$work"
