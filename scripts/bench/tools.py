"""Runs the programs that are measured, and reads recordings."""

import json
import os
import re
import resource
import subprocess
import tempfile
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AURICLE = os.path.join(ROOT, ".build/release/auricle")
LOAD = os.path.join(ROOT, ".build/release/auricle-bench")
DEPS = os.path.realpath(os.path.join(ROOT, ".deps"))
AUDIO = os.environ.get("AURICLE_AUDIO", os.path.join(os.path.dirname(ROOT), "shared/audio"))
RATE = 16_000


def samples_of(path):
    """Any recording as 16 kHz mono floats."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", "file:" + path]
    raw = subprocess.run(command + ["-f", "f32le", "-ac", "1", "-ar", str(RATE), "-"], check=True, capture_output=True)
    return np.frombuffer(raw.stdout, np.float32)


def recordings(folder):
    """Path and reference text of every recording of a folder that has a text, also an empty one."""
    with open(os.path.join(AUDIO, "manifest.json"), encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        if entry["file"].startswith(folder + "/") and "ref" in entry and not entry["file"].endswith(".json"):
            yield os.path.join(AUDIO, entry["file"]), entry["ref"]


def write_wave(path, samples):
    """Writes floats as 16-bit WAV."""
    import wave

    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())


class Usage:
    """CPU seconds and peak memory of one program's run."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.monotonic() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.output = out.read().decode()
            self.talk = err.read().decode()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        if process.returncode:
            raise RuntimeError(f"{command[0]} ended with {process.returncode}: {self.talk[-500:]}")


def live(path):
    """Transcribes at real time; returns the lines and what it cost."""
    usage = Usage([AURICLE, "transcribe", path, "--realtime", "--format", "jsonl"])
    return [json.loads(line) for line in usage.output.splitlines()], usage


def fast(path):
    """Transcribes as fast as it goes, on one thread."""
    return Usage([AURICLE, "transcribe", path, "--threads", "1"])


def captures():
    """The cost of a device's callback and of AudioRecord beside locked rings, and frames that eight recordings lose."""
    figures = {}
    for part in ("callback", "audio-record"):
        run = subprocess.run([LOAD, part], check=True, capture_output=True, text=True)
        figures |= json.loads(run.stdout)
    return figures


def sessions(count, path):
    """Many live sessions in one process."""
    return json.loads(Usage([LOAD, str(count), path]).output)


def peer_vad(path, folder, pair):
    """The engine's own tool with its own voice detector, on one thread. Returns its text and what it cost."""
    usage = Usage(
        [os.path.join(DEPS, "peer/bin/sherpa-onnx-vad-with-offline-asr")]
        + [f"--silero-vad-model={DEPS}/models/silero_vad.onnx", "--silero-vad-min-silence-duration=0.5"]
        + ["--silero-vad-max-speech-duration=15", "--num-threads=1"]
        + model_flags(folder, pair)
        + [path]
    )
    lines = re.findall(r"^[\d.]+ -- [\d.]+: (.*)$", usage.talk + usage.output, re.MULTILINE)
    return " ".join(lines), usage


def peer_whole(path, folder, pair):
    """The engine's own tool on the whole file at once."""
    command = [os.path.join(DEPS, "peer/bin/sherpa-onnx-offline"), "--num-threads=1"]
    usage = Usage(command + model_flags(folder, pair) + [path])
    found = re.search(r'"text": "((?:[^"\\]|\\.)*)"', usage.talk + usage.output)
    return json.loads(f'"{found.group(1)}"') if found else ""


def model_flags(folder, pair):
    encoder, decoder = pair
    return [
        f"--moonshine-encoder={folder}/{encoder}",
        f"--moonshine-merged-decoder={folder}/{decoder}",
        f"--tokens={folder}/tokens.txt",
    ]


PREPARED = (os.path.join(DEPS, "models/moonshine-base-en"), ("encoder_model.onnx", "decoder_model_merged.onnx"))
SHIPPED = (os.path.join(DEPS, "peer/moonshine-shipped"), ("encoder_model.ort", "decoder_model_merged.ort"))
