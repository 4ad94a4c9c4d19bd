#!/usr/bin/env bash
# Builds and runs packages that depend on this one by path: the core without the engine, and the README's example.
# They stay in .build/consumer, and only files that differ are written, so that a second run compiles what has changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
work=$checkout/.build/consumer

fail() { printf 'test-consumer: %s\n' "$*" >&2; exit 1; }

write_if_changed() { # file, its text on standard input
  mkdir -p "$(dirname "$1")"
  cat >"$1.new"
  if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

make_package() { # folder dependency products
  local folder=$1 dependency=$2 product products=""
  shift 2
  for product in "$@"; do products+=".product(name: \"$product\", package: \"Auricle\"), "; done
  write_if_changed "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "App", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Auricle", path: "$dependency")],
  targets: [.executableTarget(name: "App", dependencies: [$products])])
END
}

# A copy of the sources without .deps: the engine's header is not there.
copy_sources() { # folder
  local file
  while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || write_if_changed "$1/$file" <"$file"
  done < <(git ls-files -z --cached --others --exclude-standard -- Package.swift Sources)
  while IFS= read -r -d '' file; do
    [ -f "$checkout/$file" ] || rm "$1/$file"
  done < <(cd "$1" && find Sources -type f -print0)
}

core_without_engine() {
  copy_sources "$work/auricle"
  make_package "$work/core" "$work/auricle" AuricleAudio AuricleRecognition AuricleSession AuricleLive
  write_if_changed "$work/core/Sources/App/main.swift" <<'END'
import AuricleAudio
import AuricleLive
import AuricleRecognition
import AuricleSession

let ring = SampleRing(minimumCapacity: 1_600)
print(AudioFormat.speech.sampleRate, ring.capacity, LivePolicy().maximumLength)
END
  local said
  said=$(cd "$work/core" && swift run --quiet App) || fail "the core products do not build and run without the engine"
  [ "$said" = "16000 2048 15.0" ] || fail "the core products say '$said'"
  echo "core products: built without the engine, and run"
}

# The README's Swift example, to the letter, with the README's steps.
readme_example() {
  local main=$work/app/Sources/App/main.swift words
  make_package "$work/app" "$checkout" AuricleMedia AuricleRecognition AuricleSherpa
  awk '/^```swift$/ { on = 1; next } /^```$/ { on = 0 } on' README.md | write_if_changed "$main"
  [ -s "$main" ] || fail "the README has no Swift example"
  [ "$(wc -l <"$main")" -le 15 ] || fail "the README's example is longer than 15 lines"
  (cd "$work/app" && swift build --quiet) || fail "the README's example does not build"
  words=$("$work/app/.build/debug/App" "$checkout/.deps/test-data/beckett.wav") || fail "the README's example fails"
  printf '%s\n' "$words"
  grep -qi "failed" <<<"$words" || fail "the README's example does not find the words"
  echo "README's example: built, and run"
}

core_without_engine
readme_example
