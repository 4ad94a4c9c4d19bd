"""Kills `auricle record` at seeded random moments, and has `auricle recover` mend what is left.

Real speech is fed at real time. Each time the audio must equal what was fed, at most its last second missing, a report
must be there, and text wherever two seconds of speech were.
"""

import array
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import soak_memory

AURICLE = os.path.join(soak_memory.ROOT, ".build/release/auricle")
BYTES_PER_SECOND = 2 * soak_memory.RATE
STEP = BYTES_PER_SECOND // 50


def feed(pipe, piece, fed):
    """Writes at real time until nobody reads; counts the bytes."""
    start = time.monotonic()
    try:
        while fed[0] < len(piece):
            pipe.write(piece[fed[0]:fed[0] + STEP])
            fed[0] += STEP
            time.sleep(max(0, start + fed[0] / BYTES_PER_SECOND - time.monotonic()))
    except (BrokenPipeError, ValueError):
        pass


def record_and_kill(folder, audio_format, piece, seconds):
    """The bytes that were fed when the recording was killed."""
    tool = subprocess.Popen(
        [AURICLE, "record", "--source", "-", "--yes", "--format", audio_format, "--out", folder],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, bufsize=0,
    )
    fed = [0]
    feeder = threading.Thread(target=feed, args=(tool.stdin, piece, fed), daemon=True)
    feeder.start()
    time.sleep(seconds)
    tool.send_signal(signal.SIGKILL)
    count = fed[0]
    tool.wait()
    feeder.join()
    return count


def decoded(path):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", "file:" + path, "-f", "s16le", "-ac", "1", "-ar", "16000", "-"]
    return subprocess.run(command, capture_output=True).stdout


def recovered(folder):
    """The only recording of a folder: its report and its audio."""
    subprocess.run([AURICLE, "recover", "--out", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (name,) = os.listdir(folder)
    place = os.path.join(folder, name)
    with open(os.path.join(place, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    (audio,) = [entry for entry in os.listdir(place) if entry.startswith("audio.")]
    return report, decoded(os.path.join(place, audio))


def is_prefix(audio, piece, audio_format):
    """Whether the audio is what was fed; for Opus, whether it sounds alike: their samples go along."""
    if audio_format != "opus":
        return piece.startswith(audio)
    heard, said = (array.array("h", data[: len(audio) // 2 * 2])[::7] for data in (audio, piece))
    together = sum(a * b for a, b in zip(heard, said))
    power = sum(a * a for a in heard) * sum(b * b for b in said[: len(heard)])
    return power == 0 or together / power**0.5 > 0.9


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chance = random.Random(seed)
    piece = soak_memory.speech()
    worst, faults = 0.0, []
    for turn in range(count):
        audio_format, seconds = ("wav", "flac", "opus")[turn % 3], chance.uniform(0.05, 6)
        with tempfile.TemporaryDirectory() as folder:
            fed = record_and_kill(folder, audio_format, piece, seconds)
            if not os.listdir(folder):
                print(f"  {turn}: killed after {seconds:.2f} s, before it began", flush=True)
                continue
            report, audio = recovered(folder)
        missing = (fed - len(audio)) / BYTES_PER_SECOND
        worst = max(worst, missing)
        wrong = [
            name for name, isWrong in {
                "more than a second is missing": missing > 1, "the audio differs": not is_prefix(audio, piece, audio_format),
                "the report is not marked": not report["isIncomplete"],
                "no text": len(audio) > 4 * BYTES_PER_SECOND and not report["transcripts"],
            }.items() if isWrong
        ]
        faults += wrong
        if wrong or turn % 20 == 0:
            print(f"  {turn}: {audio_format}, killed after {seconds:.2f} s, {missing:.2f} s missing; {wrong or 'whole'}", flush=True)
    print(f"  {count} kills: {len(faults)} faults, at most {worst:.2f} s missing")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
