"""Feeds hours of speech to `auricle transcribe -` as fast as it takes them, and watches its memory.

Fails when the resident memory grows by 10 MB or more after the first ten minutes of audio, or when words go missing.
"""

import json
import os
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AUDIO = os.environ.get("AURICLE_AUDIO", os.path.join(os.path.dirname(ROOT), "shared/audio"))
RATE = 16_000
SETTLED = 600
LIMIT = 10.0


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


def feed(pipe, piece, seconds):
    for _ in range(int(seconds * RATE * 2 / len(piece)) + 1):
        pipe.write(piece)
    pipe.close()


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


def main():
    seconds = float(sys.argv[1]) * 3600
    piece = speech()
    tool = subprocess.Popen(
        [os.path.join(ROOT, ".build/release/auricle"), "transcribe", "-", "--raw", "--format", "jsonl"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    threading.Thread(target=feed, args=(tool.stdin, piece, seconds), daemon=True).start()
    settled = last = peak = 0.0
    finals = 0
    report_at = SETTLED
    for text in tool.stdout:
        line = json.loads(text)
        if line["type"] != "transcript" or not line["isFinal"]:
            continue
        finals += 1
        last = resident(tool.pid)
        peak = max(peak, last)
        if line["end"] >= SETTLED and not settled:
            settled = peak = last
        if line["end"] >= report_at:
            print(f"  {line['end'] / 60:6.0f} min of audio, {finals} sentences, {last:.1f} MB", flush=True)
            report_at += 1800
    code = tool.wait()
    growth = peak - settled
    print(f"  {finals} sentences; {settled:.1f} MB after ten minutes, {peak:.1f} MB at most since: {growth:+.1f} MB")
    if code or growth >= LIMIT or not finals:
        sys.exit(f"soak: exit code {code}, growth {growth:.1f} MB (limit {LIMIT:.0f})")


if __name__ == "__main__":
    main()
