#!/usr/bin/env python3
"""Compares the prepared recogniser with the weights as shipped, as Markdown.

Runs in the environment that `setup.sh bench` makes: .deps/venv/bin/python scripts/verify_model.py FOLDER
"""

import argparse
import difflib
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
from whisper_normalizer.english import EnglishTextNormalizer

import sherpa

RATE = 16000
words = EnglishTextNormalizer()


def read(path):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", "file:" + path, "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"]
    return np.frombuffer(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, np.float32)


def recordings(folder):
    """Name, reference and samples of what manifest.json, here or one up, gives a text for."""
    folder = os.path.abspath(folder)
    for place in (folder, os.path.dirname(folder)):
        manifest = os.path.join(place, "manifest.json")
        if os.path.exists(manifest):
            for entry in json.load(open(manifest)):
                path = os.path.join(place, entry["file"])
                if entry.get("ref") and os.path.dirname(path) == folder and os.path.exists(path):
                    yield os.path.basename(path), entry["ref"], read(path)
            return


def changes(before, after):
    """What differs between two lists of words, as (before, after)."""
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(" ".join(before[a:b]), " ".join(after[c:d])) for kind, a, b, c, d in steps if kind != "equal"]


def errors(reference, heard):
    row = list(range(len(heard) + 1))
    for i, word in enumerate(reference, 1):
        corner, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (word != other))
    return row[-1]


def seconds(models, audio, rounds):
    """Median CPU seconds per model, the models taking turns."""
    taken = [[] for _ in models]
    for _ in range(rounds + 1):
        for model, times in zip(models, taken):
            start = time.process_time()
            model(audio)
            times.append(time.process_time() - start)
    return [statistics.median(times[1:]) for times in taken]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="recordings, with a manifest.json that gives their texts as ref")
    parser.add_argument("--deps", default=os.path.join(here, "../.deps"))
    parser.add_argument("--prepared", help="another prepared folder to judge")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    deps = arguments.deps

    clips = list(recordings(arguments.folder))
    if not clips:
        sys.exit(f"verify: no recordings with texts in {arguments.folder}")
    library = sherpa.Library(deps)
    folders = os.path.join(deps, "peer/moonshine-shipped"), arguments.prepared or os.path.join(deps, "models/moonshine-base-en")
    models = [sherpa.Recogniser(library, folder) for folder in folders]
    detector = os.path.join(deps, "models/silero_vad.onnx")

    pieces = []  # (clip, samples), a quarter of a second kept around each stretch of speech
    for number, (_, _, audio) in enumerate(clips):
        for start, end in sherpa.segments(library, detector, audio):
            pieces.append((number, audio[max(0, start - RATE // 4) : end + RATE // 4]))
    heard = [[model(piece)[0] for _, piece in pieces] for model in models]
    late = [[model(np.concatenate([np.zeros(RATE, np.float32), piece]))[0] for _, piece in pieces] for model in models]

    print("CPU seconds on one thread, models in turn, medians.\n\n| | as shipped | prepared | ratio |\n|---|---|---|---|")
    speech = np.concatenate([piece for _, piece in pieces])
    for length in (4, 15):
        shipped, prepared = seconds(models, speech[: length * RATE], arguments.rounds)
        print(f"| {length} s segment | {shipped:.3f} s | {prepared:.3f} s | {shipped / prepared:.1f} × |")
    cells = []
    for texts in heard:
        joined = [" ".join(text for text, (owner, _) in zip(texts, pieces) if owner == number) for number in range(len(clips))]
        pairs = [(words(reference).split(), words(text).split()) for (_, reference, _), text in zip(clips, joined)]
        wrong, total = sum(errors(*pair) for pair in pairs), sum(len(reference) for reference, _ in pairs)
        cells.append(f"{100 * wrong / total:.2f} % ({wrong} of {total})")
    print(f"| word error rate, {len(pieces)} segments | {cells[0]} | {cells[1]} | |")
    for name, texts in (("empty answers", heard), ("the same after 1 s of silence", late)):
        print(f"| {name} | {sum(not text for text in texts[0])} | {sum(not text for text in texts[1])} | |")
    print("\nWords that differ (shipped → prepared):\n")
    for (number, _), shipped, prepared in zip(pieces, *heard):
        for before, after in changes(words(shipped).split(), words(prepared).split()):
            print(f"- {clips[number][0]}: {before or '(nothing)'} → {after or '(nothing)'}")


if __name__ == "__main__":
    main()
