"""Measures live transcription beside the engine's own tool: `make bench`, or `make bench QUICK=1`.

Everything live is fed at real time, one recording after the other. Figures go to docs/benchmarks.json and, as a table,
to docs/benchmarks.md; a quick run only prints them.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

import numpy as np
from whisper_normalizer.english import EnglishTextNormalizer

import compose
import report
import score
import tools

normalize = EnglishTextNormalizer()


def say(text):
    print(text, file=sys.stderr, flush=True)


def is_digits(path):
    return "digits" in os.path.basename(path)


def measure_live(name, clips):
    """Scores recordings transcribed at real time. `clips` are path and reference."""
    whole, words_only = score.Score(normalize), score.Score(normalize)
    cpu = seconds = peak = 0.0
    for path, reference in clips:
        lines, usage = tools.live(path)
        samples = tools.samples_of(path)
        whole.add(lines, reference, samples)
        if not is_digits(path):
            words_only.add(lines, reference, samples)
        cpu, seconds, peak = cpu + usage.cpu, seconds + len(samples) / tools.RATE, max(peak, usage.megabytes)
        say(f"  {name}: {os.path.basename(path)}, {whole.errors} errors in {whole.words} words so far")
    figures = whole.figures()
    figures["werWithoutDigits"] = words_only.figures()["wer"]
    figures["cpuPerAudioSecond"] = round(cpu / seconds, 3)
    figures["peakMegabytes"] = round(peak)
    figures["audioSeconds"] = round(seconds, 1)
    return figures


def word_errors(clips, transcribe):
    """Errors and words of a transcriber over path and reference."""
    errors = words = 0
    for path, reference in clips:
        wanted = normalize(reference).split()
        errors += score.edit_counts(wanted, normalize(transcribe(path)).split())[0]
        words += len(wanted)
    return {"wer": round(100 * errors / words, 2), "errors": errors, "referenceWords": words}


def measure_peers(waves):
    """The floor, and the engine's own tool with the weights as shipped and as prepared."""
    return {
        "wholeFileShipped": word_errors(waves, lambda path: tools.peer_whole(path, *tools.SHIPPED)),
        "wholeFilePrepared": word_errors(waves, lambda path: tools.peer_whole(path, *tools.PREPARED)),
        "peerVadShipped": word_errors(waves, lambda path: tools.peer_vad(path, *tools.SHIPPED)[0]),
        "peerVadPrepared": word_errors(waves, lambda path: tools.peer_vad(path, *tools.PREPARED)[0]),
    }


def measure_speed(path, rounds):
    """Real-time factors on one thread, the programs taking turns; medians, in CPU seconds per second of audio."""
    runs = {
        "auricle": lambda: tools.fast(path).cpu,
        "peerShipped": lambda: tools.peer_vad(path, *tools.SHIPPED)[1].cpu,
        "peerPrepared": lambda: tools.peer_vad(path, *tools.PREPARED)[1].cpu,
    }
    seconds = len(tools.samples_of(path)) / tools.RATE
    spent = {name: [] for name in runs}
    for turn in range(rounds):
        say(f"  speed: round {turn + 1} of {rounds}")
        for name, run in runs.items():
            spent[name].append(run() / seconds)
    return {name: round(statistics.median(values), 4) for name, values in spent.items()} | {"rounds": rounds}


def as_waves(clips, folder):
    """Copies in the one format that the engine's tool reads."""
    waves = []
    for path, reference in clips:
        wave = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".wav")
        tools.write_wave(wave, tools.samples_of(path))
        waves.append((wave, reference))
    return waves


def composed(clips, folder):
    """The longer recordings: with pauses, the same in noise, without a pause."""
    spoken = [(tools.samples_of(path), reference) for path, reference in clips if not is_digits(path)]
    paused, paused_text = compose.with_pauses(spoken)
    dense, dense_text = compose.without_pause(spoken)
    made = {"pauses": (paused, paused_text), "noise": (compose.in_noise(paused), paused_text), "noPause": (dense, dense_text)}
    for name, (samples, _) in made.items():
        tools.write_wave(os.path.join(folder, name + ".wav"), samples)
    return {name: [(os.path.join(folder, name + ".wav"), text)] for name, (_, text) in made.items()}


def measure(quick, folder):
    english, acoustics = list(tools.recordings("english")), list(tools.recordings("acoustics"))
    long_ones = composed(english, folder)
    if quick:
        english = [clip for clip in english if "jfk" in clip[0] or "LJ001" in clip[0] or "digits" in clip[0]]
        long_ones = {}
    waves = as_waves(english, folder)
    figures = {"live": {"english": measure_live("english", english), "acoustics": measure_live("acoustics", acoustics)}}
    for name, clips in long_ones.items():
        figures["live"][name] = measure_live(name, clips)
    say("  peers: words")
    figures["peers"] = measure_peers(waves)
    joined = os.path.join(folder, "joined.wav")
    tools.write_wave(joined, np.concatenate([tools.samples_of(path) for path, _ in waves]))
    figures["speed"] = measure_speed(joined, 1 if quick else 5)
    talk = next(path for path, _ in tools.recordings("english") if "jfk" in path or "rtstt" in path and not quick)
    talk = next((path for path, _ in english if "rtstt" in path), talk)
    say("  capture")
    figures["capture"] = tools.captures()
    counts = [2] if quick else [1, 4, 8, 12]
    for count in counts:
        say(f"  {count} live sessions at once")
        figures.setdefault("sessions", []).append(tools.sessions(count, talk))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few recordings, one round")
    options = parser.parse_args()
    if not os.path.isdir(tools.AUDIO):
        sys.exit(f"bench: no recordings at {tools.AUDIO}; name their folder in AURICLE_AUDIO")
    with tempfile.TemporaryDirectory() as folder:
        figures = report.machine() | measure(options.quick, folder)
    table = report.markdown(figures)
    print(table)
    if not options.quick:
        report.save(figures, table)


if __name__ == "__main__":
    main()
