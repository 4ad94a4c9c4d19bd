"""Feeds hours of speech to `auricle transcribe -` as fast as it takes them, and watches its memory.

Fails when the resident memory grows by 10 MB or more after the first ten minutes of audio, or when words go missing.
Memory is sampled at each sentence, and swings by some MB with the decodes that run just then: medians of five minutes of
audio are compared, and the peak is printed beside them.
"""

import collections
import os
import statistics
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AUDIO = os.environ.get("AURICLE_AUDIO", os.path.join(os.path.dirname(ROOT), "shared/audio"))
RATE = 16_000
SETTLED = 600
LIMIT = 10.0
WINDOW = 300


def speech():
    """A minute or more of real speech as 16-bit PCM, with a second of silence behind each recording."""
    folder = os.path.join(AUDIO, "english")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    paths = [os.path.join(folder, name) for name in names if name.endswith((".wav", ".flac"))]
    paths = paths or [os.path.join(ROOT, ".deps/test-data/beckett.wav")]
    pieces = []
    for path in paths:
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", "file:" + path, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
        pieces += [subprocess.run(command, check=True, capture_output=True).stdout, bytes(2 * RATE)]
    return b"".join(pieces)


class Feeder(threading.Thread):
    """Writes the piece again and again; `seconds` of audio went in so far, and the tool is never far behind."""

    def __init__(self, pipe, piece, total):
        super().__init__(daemon=True)
        self.pipe, self.piece, self.total = pipe, piece, total
        self.seconds = 0.0

    def run(self):
        while self.seconds < self.total:
            self.pipe.write(self.piece)
            self.seconds += len(self.piece) / (2 * RATE)
        self.pipe.close()


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


def main():
    seconds = float(sys.argv[1]) * 3600
    piece = speech()
    tool = subprocess.Popen(
        [os.path.join(ROOT, ".build/release/auricle"), "transcribe", "-", "--raw"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    feeder = Feeder(tool.stdin, piece, seconds)
    feeder.start()
    recent = collections.deque()
    settled = highest = peak = 0.0
    finals = 0
    report_at = SETTLED
    for _ in tool.stdout:
        finals += 1
        heard = feeder.seconds
        recent.append((heard, resident(tool.pid)))
        while recent[0][0] < heard - WINDOW:
            recent.popleft()
        level = statistics.median(size for _, size in recent)
        peak = max(peak, recent[-1][1])
        if heard >= SETTLED:
            settled = settled or level
            highest = max(highest, level)
        if heard >= report_at:
            print(f"  {heard / 60:6.0f} min of audio, {finals} sentences, {level:.1f} MB", flush=True)
            report_at += 1800
    code = tool.wait()
    growth = highest - settled
    print(f"  {finals} sentences; {settled:.1f} MB after ten minutes, {highest:.1f} MB at most since: {growth:+.1f} MB"
          f" (peak {peak:.1f} MB)")
    if code or growth >= LIMIT or not finals:
        sys.exit(f"soak: exit code {code}, growth {growth:.1f} MB (limit {LIMIT:.0f})")


if __name__ == "__main__":
    main()
