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

program() { env -i HOME="$work" PATH=/usr/local/bin:/usr/bin:/bin "$auricle" "$@"; }

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

encodings_of_the_sample() {
  local as="ffmpeg -nostdin -v error -y -i $sample"
  $as "$work/16.wav" && $as -c:a pcm_s24le "$work/24.wav" && $as -ar 44100 -ac 2 "$work/44.flac"
  $as -c:a pcm_mulaw "$work/mulaw.wav" && $as -b:a 96k "$work/a.mp3" && $as -b:a 96k "$work/a.m4a" && $as "$work/a.aiff"
  same_words "$work"/{16.wav,24.wav,44.flac,mulaw.wav,a.mp3,a.m4a,a.aiff}
  [ "$(words - <"$work/16.wav")" = "$(words "$work/16.wav")" ] || fail "standard input differs"
  [ "$(ffmpeg -nostdin -v error -i "$sample" -f s16le -ac 1 -ar 16000 - | words - --raw)" = "$(words "$work/16.wav")" ] ||
    fail "headerless PCM differs"
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
  local code=0
  program transcribe "$sample" >/dev/full 2>/dev/null || code=$?
  [ "$code" = 74 ] || fail "a full disk gave $code"
  program transcribe "$sample" 2>/dev/null | true
  echo "exit codes are as documented"
}

encodings_of_the_sample
real_recordings
codes
