#!/usr/bin/env bash
# Every test: style, units and contracts, the built program, the packages of users, sanitizers, documentation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s\n' "$*"; }

step "Style"
make --no-print-directory lint

# Those that start programs and sound servers, and look at the clock: one after the other, so that they do not wait for
# each other's processors.
whole='(EndToEndTests|AuricleCLITests\..*(Model|Pulse|Terminal)Tests|KillTests|AuriclePulseTests\.|AuricleWebSocketTests\.)'

step "Units and contracts"
swift test --disable-xctest --explicit-target-dependency-import-check error --skip "$whole"

step "The built program, sound servers, recordings that are killed"
swift test --skip-build --disable-xctest --no-parallel --filter "$whole"

step "A device's callback"
scripts/test-callback.sh

step "Apple systems"
scripts/check-apple.sh

step "The release program"
scripts/test-program.sh

step "Schemas of reports and results"
scripts/check-schemas.sh

step "A package of a user"
scripts/test-consumer.sh

step "Documentation"
scripts/docs.sh

scripts/sanitize.sh

printf '\nAll tests passed.\n'
