#!/usr/bin/env bash
# Type-checks the sources for Apple systems against small stubs of the frameworks: once as on iOS, once as on macOS.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=.build/apple
stubs=scripts/apple-stubs
modules=$(swift build --show-bin-path)/Modules
[ -d "$modules" ] || { echo "check-apple: build first (swift build)" >&2 && exit 1; }

check() { # system flags frameworks...
  local system=$1 flags=$2 framework
  shift 2
  rm -rf "${work:?}/$system" && mkdir -p "$work/$system"
  for framework in "$@"; do
    swiftc -emit-module -swift-version 6 -module-name "$framework" -emit-module-path "$work/$system/$framework.swiftmodule" \
      -parse-as-library "$stubs/$framework.swift"
  done
  # shellcheck disable=SC2086
  swiftc -typecheck -swift-version 6 -warnings-as-errors -parse-as-library -package-name auricle \
    -module-name AuricleAppleAudio -I "$work/$system" -I "$modules" -I Sources/CSoxr $flags Sources/AuricleAppleAudio/*.swift
  echo "Apple sources: type-checked as on $system"
}

check iOS "-D AURICLE_APPLE_STUBS" AVFAudio UIKit
check macOS "" AVFAudio AppKit

# FoundationNetworking stands for what Foundation has there; the lock comes along, since it is of another target.
# shellcheck disable=SC2046
swiftc -typecheck -swift-version 6 -warnings-as-errors -parse-as-library -package-name auricle \
  -module-name AuricleWebSocket -D AURICLE_APPLE_STUBS -I "$modules" Sources/AuricleRecognition/Guarded.swift \
  $(find Sources/AuricleWebSocket -name '*.swift')
echo "Apple sources: AuricleWebSocket type-checked"

# B10: whose program it is decides about the category, and whether the audio session is active.
if grep -rnE 'setCategory|setActive' Sources/AuricleAppleAudio; then
  echo "Apple sources: these lines touch the audio session's category or activation" >&2
  exit 1
fi
