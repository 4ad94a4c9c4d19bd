#!/usr/bin/env bash
# Builds and runs packages that depend on this one by path: the core without the engine, and the README's example.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
checkout=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_package() { # folder dependency products
  local folder=$1 dependency=$2 product products=""
  shift 2
  for product in "$@"; do products+=".product(name: \"$product\", package: \"Auricle\"), "; done
  mkdir -p "$folder/Sources/App"
  cat >"$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "App", platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Auricle", path: "$dependency")],
  targets: [.executableTarget(name: "App", dependencies: [$products])])
END
}

core_without_engine() {
  mkdir "$work/auricle"
  git ls-files -z -- Package.swift Sources | xargs -0 cp --parents -t "$work/auricle"
  make_package "$work/core" "$work/auricle" AuricleAudio AuricleRecognition AuricleSession AuricleLive
  cat >"$work/core/Sources/App/main.swift" <<'END'
import AuricleAudio
import AuricleLive
import AuricleRecognition
import AuricleSession

let ring = SampleRing(minimumCapacity: 1_600)
print(AudioFormat.speech.sampleRate, ring.capacity, LivePolicy().maximumLength)
END
  [ "$(cd "$work/core" && swift run --quiet App)" = "16000 2048 15.0" ]
  echo "core products: built without the engine, and run"
}

# The README's Swift example, to the letter, with the README's steps.
readme_example() {
  make_package "$work/app" "$checkout" AuricleMedia AuricleRecognition AuricleSherpa
  awk '/^```swift$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$work/app/Sources/App/main.swift"
  [ "$(wc -l <"$work/app/Sources/App/main.swift")" -le 15 ]
  (cd "$work/app" && swift build --quiet)
  local words
  words=$("$work/app/.build/debug/App" "$checkout/.deps/test-data/beckett.wav")
  printf '%s\n' "$words"
  grep -qi "failed" <<<"$words"
  echo "README's example: built, and run"
}

core_without_engine
readme_example
