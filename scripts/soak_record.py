"""Records an hour of speech from standard input, fed as fast as it is taken, and watches memory and length.

Fails when the resident memory grows by 10 MB or more after the first ten minutes, or a frame is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import soak_memory

LIMIT = 10.0


# What is said in ten minutes, at least: the audio is in long before the text.
SETTLED_SENTENCES = 100


class Sentences(threading.Thread):
    """Counts the lines of text."""

    def __init__(self, pipe):
        super().__init__(daemon=True)
        self.pipe, self.count = pipe, 0

    def run(self):
        for _ in self.pipe:
            self.count += 1


def watch(tool, is_settled):
    """Resident megabytes once it has settled, and the most since."""
    settled = highest = 0.0
    while tool.poll() is None:
        try:
            size = soak_memory.resident(tool.pid)
        except (FileNotFoundError, ProcessLookupError, StopIteration):
            break
        if is_settled():
            settled = settled or size
            highest = max(highest, size)
        time.sleep(0.2)
    return settled, highest


def main():
    seconds = float(sys.argv[1]) * 3600
    extra = sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        tool = subprocess.Popen(
            [os.path.join(soak_memory.ROOT, ".build/release/auricle"), "record", "--source", "-", "--yes", "--out", folder, *extra],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        feeder = soak_memory.Feeder(tool.stdin, soak_memory.speech(), seconds)
        feeder.start()
        sentences = Sentences(tool.stdout)
        sentences.start()
        has_text = "--no-transcript" not in extra
        settled, highest = watch(
            tool, lambda: sentences.count >= SETTLED_SENTENCES if has_text else feeder.seconds >= soak_memory.SETTLED)
        code = tool.wait()
        (name,) = os.listdir(folder)
        with open(os.path.join(folder, name, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
    lost = feeder.seconds - report["audio"]["duration"]
    print(f"  {feeder.seconds / 60:.0f} min recorded, {len(report['transcripts'])} sentences, {lost:.3f} s lost; "
          f"{settled:.1f} MB after ten minutes, {highest:.1f} MB at most since: {highest - settled:+.1f} MB")
    if code or abs(lost) > 0.01 or highest - settled >= LIMIT:
        sys.exit(f"soak: exit code {code}, {lost:.3f} s lost, growth {highest - settled:.1f} MB (limit {LIMIT:.0f})")


if __name__ == "__main__":
    main()
