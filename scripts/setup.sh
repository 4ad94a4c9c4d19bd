#!/usr/bin/env bash
# Fetches the speech engine and its models and prepares the recogniser. See docs/models.md.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/setup.sh [build|bench|all]

  build  what building, testing and running need (the default)
  bench  what measuring needs on top: the engine's own tools, the weights as shipped,
         the text normaliser
  all    both

Everything goes to .deps in the checkout, which may be a link to a folder elsewhere.
What is there already is left alone, so a second run takes no time; an interrupted
run continues where it stopped. pip's own settings (PIP_INDEX_URL, pip.conf, ...)
are honoured. Removing .deps/stamps has every step done again from the files fetched.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
deps=$here/../.deps
requirements=("$here"/requirements-{engine,peer,prepare,bench,schema}.txt)

say() { printf '%s\n' "$*"; }
fail() {
  trap - ERR
  printf 'setup: %s\n' "$*" >&2
  exit 1
}
trap 'fail "stopped at line $LINENO: $BASH_COMMAND"' ERR
trap 'fail "interrupted: run it again to continue"' INT TERM

# --- Steps that are done once. A stamp names what a step depended on and the size of each file it
# --- made; it is written last, so a step that was interrupted or whose files changed runs again.

key() { cat -- "$@" | sha256sum | cut -c1-16; }
recipe() { declare -f "$@" && say "$deps"; } # what the functions say, and where it goes

sizes() { (cd "$deps" && stat -L -c '%s %n' "$@" 2>/dev/null) || true; }

is_done() { # step key
  local stamp=$deps/stamps/$1 files
  [ -f "$stamp" ] && [ "$(head -1 "$stamp")" = "$2" ] || return 1
  mapfile -t files < <(tail -n +2 "$stamp" | cut -d' ' -f2-)
  [ "$(sizes "${files[@]}")" = "$(tail -n +2 "$stamp")" ]
}

mark_done() { # step key file...
  local stamp=$deps/stamps/$1 step_key=$2
  shift 2
  { say "$step_key" && sizes "$@"; } >"$stamp.part"
  mv "$stamp.part" "$stamp"
}

# --- Debian packages and the compiler

install_packages() {
  local listed missing=() name root=()
  command -v dpkg >/dev/null || fail "this sets up Debian and its relatives; install what scripts/debian-packages.txt lists by hand"
  mapfile -t listed < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$here/debian-packages.txt")
  for name in "${listed[@]}"; do
    dpkg -s "$name" 2>/dev/null | grep -q '^Status: .* installed$' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Debian packages: installing ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "installing ${missing[*]} needs root: run as root, or install sudo"
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq || fail "apt-get update failed: are you online?"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null || fail "apt-get could not install ${missing[*]}"
}

check_machine() {
  [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
    fail "the engine and models are built for x86-64 Linux; this is $(uname -s) on $(uname -m)"
}

check_swift() {
  swift --version >/dev/null 2>&1 ||
    fail "no Swift compiler found: install Swift 6 and put 'swift' on PATH"
}

# --- Python and wheels

make_venv() {
  local python=${PYTHON:-python3} version step_key
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') || fail "python3 does not run"
  case $version in
  3.11 | 3.12 | 3.13) ;;
  *) fail "Python 3.11, 3.12 or 3.13 is needed, $python is $version: name another with PYTHON=..." ;;
  esac
  step_key="$version $deps"
  ! is_done venv "$step_key" || return 0
  say "Python: making an environment of its own in $deps/venv"
  rm -rf "$deps/venv" "$deps/stamps/venv"*
  "$python" -m venv "$deps/venv" || fail "python3 cannot make an environment: is python3-venv installed?"
  mark_done venv "$step_key" venv/bin/python venv/pyvenv.cfg
}

hashes() { grep -ho 'sha256:[0-9a-f]*' "$@" | cut -d: -f2; }

# Removes every cached file whose sum is not one of the pinned ones: damaged, or of an older version.
check_cache() {
  local sum file
  rm -rf "$deps"/wheels/.part.*
  while read -r sum file; do
    hashes "${requirements[@]}" | grep -qx "$sum" || {
      say "$file is damaged or no longer wanted: removing it"
      rm -f "$deps/wheels/$file"
    }
  done < <(cd "$deps/wheels" && find . -type f -name '*.whl' -printf '%P\0' | xargs -0 -r sha256sum)
}

# Brings each wheel that a requirements file names into the cache, one by one.
fetch() { # requirements-file
  local cached line part loudness=(--quiet)
  [ ! -t 2 ] || loudness=(--progress-bar on)
  check_cache
  cached=$(cd "$deps/wheels" && find . -type f -name '*.whl' -print0 | xargs -0 -r sha256sum | cut -d' ' -f1)
  while read -r line; do
    ! grep -qFf <(hashes <<<"$line" | grep .) <<<"${cached:-none}" || continue
    part=$(mktemp -d "$deps/wheels/.part.XXXXXX")
    say "  ${line%% *}"
    tr ' ' '\n' <<<"$line" | sed '1!s/^/    /; $!s/$/ \\/' >"$part/wanted.txt"
    "$deps/venv/bin/python" -m pip download "${loudness[@]}" --disable-pip-version-check --no-deps \
      --only-binary=:all: --require-hashes --dest "$part" --requirement "$part/wanted.txt" ||
      fail "could not fetch ${line%% *}: go online (or set pip's index or find-links) and run this again; what came is kept"
    mv "$part"/*.whl "$deps/wheels/"
    rm -rf "$part"
  done < <(sed 's/^#.*//; /^$/d; s/^ *//' "$1" | sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta')
}

# The mark lies in the environment, so that it goes with it.
install_python() { # step requirements-file what
  local step_key mark=venv/installed-$1
  step_key=$(key <(recipe install_python) "$2" "$deps/stamps/venv")
  ! is_done "$1" "$step_key" || return 0
  say "Python: fetching and installing $3"
  fetch "$2"
  "$deps/venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-index --no-deps \
    --find-links "$deps/wheels" --require-hashes --requirement "$2" || fail "pip could not install $(basename "$2")"
  say "$step_key" >"$deps/$mark"
  mark_done "$1" "$step_key" "$mark"
}

# --- Laying out files. A folder is filled under another name and then put in place.

unpack() { # wheel-name-start target-folder pattern...
  local wheel
  wheel=$(find "$deps/wheels" -maxdepth 1 -name "$1-*.whl" | head -1)
  [ -n "$wheel" ] || fail "no $1 wheel in $deps/wheels"
  unzip -q -o -j "$wheel" "${@:3}" -d "$2" || fail "could not unpack $(basename "$wheel")"
}

put() { # new-folder place-in-deps
  rm -rf "${deps:?}/$2.old"
  [ ! -e "$deps/$2" ] || mv "$deps/$2" "$deps/$2.old"
  mkdir -p "$(dirname "$deps/$2")"
  mv "$1" "$deps/$2"
  rm -rf "${deps:?}/$2.old"
}

lay_out_engine() {
  local step_key new=$deps/new/engine
  step_key=$(key <(recipe lay_out_engine unpack) "$here/requirements-engine.txt")
  ! is_done engine "$step_key" || return 0
  say "Engine and models: fetching 77 MB, laying out 35 MB in $deps"
  fetch "$here/requirements-engine.txt"
  rm -rf "$new"
  mkdir -p "$new"/{sherpa-onnx/{lib,include/sherpa-onnx/c-api},vad,test-data,raw}
  unpack sherpa_onnx_core "$new/sherpa-onnx/lib" '*/libsherpa-onnx-c-api.so' '*/libonnxruntime.so'
  unpack sherpa_onnx_core "$new/sherpa-onnx/include/sherpa-onnx/c-api" '*/c-api.h'
  unpack sherpa_onnx_core "$new/sherpa-onnx" '*/METADATA'
  unpack moonshine_cpp "$new/raw" '*/models/base-en/*' '*/LICENSE'
  unpack moonshine_cpp "$new/test-data" '*/test-data/beckett.wav' '*/LICENSE'
  unpack silero_vad "$new/vad" '*/silero_vad.onnx' '*/licenses/LICENSE'
  say 'Ever tried. Ever failed. No matter. Try again. Fail again. Fail better.' >"$new/test-data/beckett.txt"
  mkdir -p "$deps/models"
  put "$new/sherpa-onnx" sherpa-onnx
  put "$new/test-data" test-data
  put "$new/raw" moonshine-raw
  mv "$new/vad/silero_vad.onnx" "$deps/models/silero_vad.onnx"
  mv "$new/vad/LICENSE" "$deps/models/silero_vad.LICENSE"
  rm -rf "$new"
  mark_done engine "$step_key" sherpa-onnx/lib/libsherpa-onnx-c-api.so sherpa-onnx/lib/libonnxruntime.so \
    sherpa-onnx/include/sherpa-onnx/c-api/c-api.h models/silero_vad.onnx \
    test-data/beckett.wav moonshine-raw/{encoder_model.ort,decoder_model_merged.ort,tokenizer.bin}
}

model_json() { # preparation file...
  local preparation=$1
  shift
  cat <<END
{
  "name": "moonshine-base-en",
  "kind": "moonshine",
  "languages": ["en"],
  "source": "moonshine-cpp 0.1.4",
  "licence": "MIT",
  "preparation": "$preparation",
  "sizes": { $(stat -c "\"%n\": %s" -- "$@" | paste -sd, | sed "s|,|, |g") }
}
END
}

install_preparation() {
  install_python prepare "$here/requirements-prepare.txt" "what prepares the recogniser (54 MB)"
}

prepare_recogniser() {
  local step_key new=$deps/new/recogniser place=models/moonshine-base-en
  step_key=$(key <(recipe model_json) "$here/prepare_model.py" "$here/requirements-prepare.txt" "$here/requirements-engine.txt")
  ! is_done recogniser "$step_key" || return 0
  install_preparation
  say "Recogniser: preparing the weights for speed (some 10 s, 80 MB)"
  rm -rf "$new"
  mkdir -p "$new"
  "$deps/venv/bin/python" "$here/prepare_model.py" "$deps/moonshine-raw" "$new" || fail "preparing the recogniser failed"
  cp "$deps/moonshine-raw/LICENSE" "$new/"
  (cd "$new" && model_json "$step_key" encoder_model.onnx decoder_model_merged.onnx tokens.txt >model.json)
  put "$new" $place
  mark_done recogniser "$step_key" $place/{encoder_model.onnx,decoder_model_merged.onnx,tokens.txt,LICENSE,model.json}
}

lay_out_peer() {
  local step_key new=$deps/new/peer tools=(offline vad vad-with-offline-asr offline-speaker-diarization
    offline-websocket-server online-websocket-server online-websocket-client version)
  step_key=$(key <(recipe lay_out_peer model_json unpack) "$here/requirements-peer.txt" "$here/requirements-engine.txt")
  ! is_done peer "$step_key" || return 0
  say "Peer: fetching the engine's own tools (19 MB), laying out 80 MB"
  fetch "$here/requirements-peer.txt"
  rm -rf "$new"
  mkdir -p "$new"/{bin,moonshine-shipped}
  unpack sherpa_onnx_bin "$new/bin" "${tools[@]/#/*/bin/sherpa-onnx-}"
  chmod +x "$new"/bin/*
  ln -s ../sherpa-onnx/lib "$new/lib"
  unpack sherpa_onnx_bin "$new" '*/METADATA'
  cp "$deps"/moonshine-raw/{*.ort,LICENSE} "$deps/models/moonshine-base-en/tokens.txt" "$new/moonshine-shipped/"
  (cd "$new/moonshine-shipped" && model_json none encoder_model.ort decoder_model_merged.ort tokens.txt >model.json)
  put "$new" peer
  mark_done peer "$step_key" "${tools[@]/#/peer/bin/sherpa-onnx-}" \
    peer/moonshine-shipped/{encoder_model.ort,decoder_model_merged.ort,tokens.txt,LICENSE,model.json}
}

main() {
  case ${1:-build} in
  build | bench | all) ;;
  -h | --help)
    usage
    return
    ;;
  *) fail "unknown argument '$1'; see --help" ;;
  esac
  check_machine
  install_packages
  check_swift
  mkdir -p "$deps"/{stamps,wheels}
  deps=$(cd "$deps" && pwd)
  exec 9>"$deps/.lock"
  flock -n 9 || fail "another set-up is working in $deps"
  make_venv
  lay_out_engine
  prepare_recogniser
  install_python schema "$here/requirements-schema.txt" "what checks reports against their schema (1 MB)"
  if [ "${1:-build}" != build ]; then
    install_preparation # measuring needs numpy as well
    install_python bench "$here/requirements-bench.txt" "what measuring needs (3 MB)"
    lay_out_peer
  fi
  say "Set up in $deps"
}

main "$@"
