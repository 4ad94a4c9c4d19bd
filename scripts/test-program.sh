#!/usr/bin/env bash
# Runs the release program as a user does: from another folder, by its absolute path, with an empty environment.
# Faults that only optimised code has show here and in no unit test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
auricle=$PWD/.build/release/auricle
audio=${AURICLE_AUDIO:-$PWD/../shared/audio}
sample=$PWD/.deps/test-data/beckett.wav
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { printf 'test-program: %s\n' "$*" >&2; exit 1; }

as_user=(env -i "HOME=$work" PATH=/usr/local/bin:/usr/bin:/bin)

program() { "${as_user[@]}" "$auricle" "$@"; }

words() { program transcribe "$@" 2>>"$work/talk" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9\n ' | tr -s '\n ' ' '; }

expect_code() { # code arguments...
  local wanted=$1 code=0
  shift
  program "$@" >/dev/null 2>"$work/errors" || code=$?
  [ "$code" = "$wanted" ] || fail "auricle $*: $code instead of $wanted: $(cat "$work/errors")"
}

same_words() { # files...
  local first found file
  first=$(words "$1")
  [ -n "$first" ] || fail "no words from $1"
  for file in "$@"; do
    found=$(words "$file")
    [ "$found" = "$first" ] || fail "$file: '$found' instead of '$first'"
  done
  printf '%s formats: %s\n' "$#" "$first"
}

different_words() { # text text
  diff <(tr ' ' '\n' <<<"$1") <(tr ' ' '\n' <<<"$2") |
    awk '/^</ { gone++ } /^>/ { come++ } END { print (gone > come ? gone : come) + 0 }' || true
}

encodings_of_the_sample() {
  local as="ffmpeg -nostdin -v error -y -i $sample"
  $as "$work/16.wav" && $as -c:a pcm_s24le "$work/24.wav" && $as "$work/a.flac" && $as "$work/a.aiff"
  same_words "$work"/{16.wav,24.wav,a.flac,a.aiff}
  [ "$(words - <"$work/16.wav")" = "$(words "$work/16.wav")" ] || fail "standard input differs"
  [ "$(ffmpeg -nostdin -v error -i "$sample" -f s16le -ac 1 -ar 16000 - | words - --raw)" = "$(words "$work/16.wav")" ] ||
    fail "headerless PCM differs"
}

# Copies whose samples are others, as of telephones and old sound cards: a word may be heard differently.
changed_copies_of_the_sample() {
  local as="ffmpeg -nostdin -v error -y -i $sample" whole found file count
  $as -ar 44100 -ac 2 "$work/44.flac" && $as -b:a 96k "$work/a.mp3" && $as -b:a 96k "$work/a.m4a"
  $as -c:a pcm_mulaw "$work/mulaw.wav" && $as -ar 8000 "$work/8k.wav" && $as -c:a pcm_u8 "$work/8bit.wav"
  whole=$(words "$sample")
  for file in "$work"/{44.flac,a.mp3,a.m4a,mulaw.wav,8k.wav,8bit.wav}; do
    found=$(words "$file")
    count=$(different_words "$whole" "$found")
    [ "$count" -le 1 ] || fail "$file: '$found' instead of '$whole'"
    printf '%s: %s different words\n' "$(basename "$file")" "$count"
  done
}

odd_audio() {
  ffmpeg -nostdin -v error -y -i "$sample" -t 0.05 "$work/short.wav"
  program transcribe "$work/short.wav" >"$work/out" 2>"$work/errors" || fail "0.05 s of audio is a failure"
  [ ! -s "$work/out" ] || fail "0.05 s of audio gives words"
  grep -q 'no speech found' "$work/errors" || fail "0.05 s of audio is told as: $(cat "$work/errors")"

  ffmpeg -nostdin -v error -i "$sample" -f f32le -ac 1 -ar 16000 - >"$work/a.f32"
  printf '\0\0\300\177' | dd of="$work/a.f32" bs=4 seek=16000 conv=notrunc status=none # one sample is no number
  program transcribe - --raw --encoding f32le <"$work/a.f32" >"$work/out" 2>"$work/errors" ||
    fail "a sample that is no number is a failure"
  grep -q 'warning: ' "$work/errors" || fail "a sample that is no number goes unnoticed"
  grep -qi 'fail' "$work/out" || fail "a sample that is no number costs all words"
  echo "audio too short for words, and samples that are no numbers: no failure, and told"
}

real_recordings() {
  if [ ! -d "$audio" ]; then
    echo "SKIPPED: real recordings (no folder $(basename "$(dirname "$audio")")/audio beside the checkout)"
    return
  fi
  same_words "$audio"/english/jfk_16k.wav "$audio"/formats/jfk{_44k1_stereo.flac,.mp3,_44k1.m4a}
  same_words "$audio"/formats/sr_*
  same_words "$audio"/formats/weather_*
  local file code
  for file in "$audio"/broken/*; do
    code=0
    program transcribe "$file" >"$work/out" 2>"$work/errors" || code=$?
    case $code in
    0 | 65) [ "$(grep -c . "$work/errors")" -le 2 ] || fail "$file talks too much: $(cat "$work/errors")" ;;
    *) fail "$file ended with $code: $(cat "$work/errors")" ;;
    esac
  done
  for file in "$audio"/acoustics/{silence,leopard,pink,drumloop,noise}*; do
    [ -z "$(words "$file")" ] || fail "words from $file"
  done
  echo "every broken file gives audio or a clear error; silence, noise and music give no word"
}

codes() {
  expect_code 0 --version
  expect_code 0 doctor
  expect_code 64 transcribe --no-such-option x
  expect_code 64 transcribe "$sample" --language e
  expect_code 65 transcribe "$auricle"
  expect_code 66 transcribe "$work/missing.wav"
  expect_code 66 transcribe "$work"
  expect_code 69 transcribe "$sample" --model "$work"
  expect_code 69 transcribe "$sample" --language de
  expect_code 74 transcribe "$sample" --output "$work/missing/out.txt"
  expect_code 74 transcribe "$sample" --output "$sample/out.txt"
  locked_folder
  local code=0
  program transcribe "$sample" >&- 2>/dev/null || code=$?
  [ "$code" = 74 ] || fail "a closed standard output gave $code"
  code=0
  program transcribe "$sample" >/dev/full 2>/dev/null || code=$?
  [ "$code" = 74 ] || fail "a full disk gave $code"
  program transcribe "$sample" 2>/dev/null | true
  echo "exit codes are as documented"
}

locked_folder() {
  local folder=$work/locked
  mkdir "$folder"
  chmod a-w "$folder"
  # The superuser may write almost everywhere, but nobody makes files there.
  [ "$(id -u)" != 0 ] || folder=/sys
  if (: >"$folder/auricle.txt") 2>/dev/null; then
    echo "SKIPPED: a folder without permission to write ($(id -un) may write to $folder)"
    return
  fi
  expect_code 74 transcribe "$sample" --output "$folder/auricle.txt"
  [ "$(grep -c . "$work/errors")" = 1 ] || fail "a locked folder is told as: $(cat "$work/errors")"
}

ends_with_finish() { # file
  tail -n 1 "$1" | grep -q '^{"type":"finish",' || fail "the last line of a live stream is $(tail -n 1 "$1")"
}

live_streams() {
  local code=0 child
  program transcribe "$sample" --format jsonl >"$work/lines" 2>>"$work/talk" || fail "a live stream fails"
  ends_with_finish "$work/lines"
  grep -q '"isFinal":true' "$work/lines" || fail "a live stream without a sentence"
  program transcribe "$work/missing.wav" --format jsonl >"$work/lines" 2>>"$work/talk" || code=$?
  [ "$code" = 66 ] || fail "a live stream of a missing file gave $code"
  ends_with_finish "$work/lines"

  mkfifo "$work/live"
  # A shell's background job ignores SIGINT, and so does everything below a job that did.
  env --default-signal=INT "${as_user[@]}" "$auricle" transcribe "$sample" --realtime --format jsonl >"$work/live" 2>>"$work/talk" &
  child=$!
  {
    IFS= read -r -t 60 _ || fail "no line came for a minute"
    kill -INT "$child"
    cat >"$work/lines"
  } <"$work/live"
  code=0
  wait "$child" || code=$?
  [ "$code" = 130 ] || fail "an interrupted live stream gave $code"
  ends_with_finish "$work/lines"
  grep -q '"incompleteReason":"interrupted"' "$work/lines" || fail "an interrupted report does not say so"
  echo "live streams end with finish, also when interrupted and when there is no file"
}

encodings_of_the_sample
changed_copies_of_the_sample
odd_audio
real_recordings
codes
live_streams
