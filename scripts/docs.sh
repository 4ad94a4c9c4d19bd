#!/usr/bin/env bash
# Builds the documentation of every library target, the tool's included, with DocC; a warning is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
output=.build/docs
targets=(AuricleAudio AuricleConsent AuricleCapture AuricleAppleAudio AuriclePulse AuricleRecognition AuricleLive AuricleSession AuricleTSAI AuricleAIBuds AuricleMedia AuricleRecording AuricleSherpa AuricleWebSocket AuricleDashScope AuricleTestKit AuricleCLI)

rm -rf "$output" && mkdir -p "$output"
swift package dump-symbol-graph --minimum-access-level public >"$output/symbols.log" 2>&1 || {
  cat "$output/symbols.log" >&2
  exit 1
}
graphs=$(dirname "$(find .build -path '*symbolgraph*' -name 'AuricleAudio.symbols.json' | head -1)")
bad=()
for target in "${targets[@]}"; do
  mkdir -p "$output/graphs/$target"
  cp "$graphs/$target.symbols.json" "$output/graphs/$target/"
  docc convert "Sources/$target/$target.docc" --additional-symbol-graph-dir "$output/graphs/$target" \
    --fallback-display-name "$target" --fallback-bundle-identifier "auricle.$target" \
    --warnings-as-errors --output-path "$output/$target.doccarchive" >"$output/$target.log" 2>&1 || {
    cat "$output/$target.log" >&2
    bad+=("$target")
  }
done
[ ${#bad[@]} = 0 ] || { echo "docs: faults in ${bad[*]}" >&2 && exit 1; }
echo "documentation of ${#targets[@]} targets: $output"
