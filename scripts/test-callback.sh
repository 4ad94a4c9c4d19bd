#!/usr/bin/env bash
# Proves that a device's callback allocates nothing, locks nothing and asks the system for nothing: runs its tests with
# a library preloaded that counts such calls. In a debug build, which allocates wherever an optimised one does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ "$(uname -s)" = Linux ] || { echo "SKIPPED: what a callback does (needs Linux)" && exit 0; }
watch=$PWD/.build/callback_watch.so
swift build --build-tests --quiet
clang -shared -fPIC -O1 -Wall -Wextra -Werror -o "$watch" scripts/callback_watch.c -ldl
said=$(LD_PRELOAD=$watch swift test --disable-xctest --skip-build --filter CallbackWatchTests 2>&1) || {
  printf '%s\n' "$said" >&2
  exit 1
}
# A skipped test proves nothing.
grep -q '^✔ Suite CallbackWatchTests passed' <<<"$said" && ! grep -q 'skipped' <<<"$said" || {
  printf '%s\n' "$said" >&2
  echo "test-callback: the tests were not run" >&2
  exit 1
}
echo "a callback allocates nothing, locks nothing and asks the system for nothing"
