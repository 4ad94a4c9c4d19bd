#!/usr/bin/env bash
# Transcribes the sample that the recogniser's package brings, live: at the speed of speech, on the terminal.
set -euo pipefail
auricle=$1
sample=$(dirname "${BASH_SOURCE[0]}")/../.deps/test-data/beckett.wav

printf '\nListening to %s at the speed of speech: words appear while they are said,\n' "$(basename "$sample")" >&2
printf 'the dimmed part may still change, and each sentence is printed when it is over.\n\n' >&2
"$auricle" transcribe "$sample" --realtime
printf '\nYour turn:  %s transcribe FILE   (any recording; --help shows the rest)\n' "$auricle" >&2
