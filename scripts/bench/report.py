"""Writes the figures down."""

import datetime
import json
import os
import platform

import tools


def machine():
    """When and where."""
    model = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "machine": f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "build": "release, cold start of each program, files in memory",
    }


def cell(spread):
    return f"{spread['median']:.2f} / {spread['p95']:.2f} / {spread['worst']:.2f}" if spread else "–"


def live_table(live):
    yield "| recordings | s | WER % (errors / words) | without digits | first partial | complete text | final | unstable | false commits | promises the last decode contradicted | committed early | words from nothing | CPU s per s | peak MB |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for name, row in live.items():
        yield (
            f"| {name} | {row['audioSeconds']:.0f} | {row['wer']:.2f} ({row['errors']} / {row['referenceWords']}) "
            f"| {row['werWithoutDigits']:.2f} | {cell(row['firstPartial'])} | {cell(row['completeText'])} "
            f"| {cell(row['timeToFinal'])} | {row['unstableWordRatio']:.3f} | {row['falseCommits']} "
            f"| {row.get('contradictedPromises', '–')} | {row['committedEarly']:.2f} | {row['wordsFromNothing']} | {row['cpuPerAudioSecond']:.3f} "
            f"| {row['peakMegabytes']} |"
        )


def peer_table(figures):
    peers, speed = figures["peers"], figures["speed"]
    rows = [
        ("Auricle, live", figures["live"]["english"], speed["auricle"]),
        ("engine's tool, its own detector, weights as shipped", peers["peerVadShipped"], speed["peerShipped"]),
        ("engine's tool, its own detector, weights as prepared", peers["peerVadPrepared"], speed["peerPrepared"]),
        ("engine's tool, whole files, weights as shipped", peers["wholeFileShipped"], None),
        ("engine's tool, whole files, weights as prepared", peers["wholeFilePrepared"], None),
    ]
    yield "| on `english` | WER % (errors / words) | real-time factor, one thread |"
    yield "|---|---|---|"
    for name, row, factor in rows:
        shown = f"{factor:.3f}" if factor else "–"
        yield f"| {name} | {row['wer']:.2f} ({row['errors']} / {row['referenceWords']}) | {shown} |"


def session_table(sessions):
    yield "| live sessions at once | final, median / P95 / worst | CPU s per s of audio | peak MB |"
    yield "|---|---|---|---|"
    for row in sessions:
        yield (
            f"| {row['sessionCount']} | {row['medianFinal']:.2f} / {row['p95Final']:.2f} / {row['worstFinal']:.2f} "
            f"| {row['cpuPerAudioSecond']:.3f} | {row['peakMegabytes']:.0f} |"
        )


def capture_table(capture):
    names = {"ring": "gated ring", "refused": "gated ring, refused by the gate", "lockAndCopy": "lock and copy"}
    yield "| 10 ms of 48 kHz stereo | median ns | 99.9 % below | worst |"
    yield "|---|---|---|---|"
    for key, name in names.items():
        row = capture["callback"][key]
        yield f"| {name} | {row['median']} | {row['p999']} | {row['worst']} |"
    if row := capture.get("captures"):
        yield ""
        yield (
            f"{row['recordingCount']} recordings of a sound server at once for {row['seconds']} s: "
            f"{row['droppedFrames']} of {row['offeredFrames']} frames dropped, "
            f"{row['cpuPerAudioSecond']:.4f} CPU s per s of audio each."
        )


def markdown(figures):
    """The figures as a page."""
    lines = [
        "# Benchmarks",
        "",
        f"Made by `make bench` on {figures['date']}: {figures['machine']}; {figures['build']}.",
        "",
        "## Live, fed at real time",
        "",
        "Times in seconds, median / P95 / worst. Speech begins and ends where the level first and last comes within 20 dB "
        "of the sentence's loudest 10 ms; a final counts from there, so it includes the silence that ends a sentence. "
        "WER with Whisper's English normaliser, micro-averaged. First partial: from the beginning of speech to the first "
        "text. Complete text: from its end to the first result with the final's text. Unstable: words of unfinished texts "
        "that were changed or taken back later, by the words of the finals. False commits: promised words that the final "
        "does not have. Committed early: the share of the finals' words that were promised before.",
        "",
        *live_table(figures["live"]),
        "",
        "## Beside the engine's own tool",
        "",
        f"Programs take turns, {figures['speed']['rounds']} rounds, medians; CPU seconds per second of audio, start included.",
        "",
        *peer_table(figures),
        "",
        "## Sessions at once, one process, one model in memory",
        "",
        "Counted from the end of speech as the detector has it.",
        "",
        *session_table(figures["sessions"]),
        "",
        "## Capture",
        "",
        "What a device's callback spends, while a reader empties the ring; packets in turns.",
        "",
        *capture_table(figures["capture"]),
        "",
    ]
    return "\n".join(lines)


def save(figures, table):
    """Writes both files into docs."""
    with open(os.path.join(tools.ROOT, "docs/benchmarks.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=2)
        file.write("\n")
    with open(os.path.join(tools.ROOT, "docs/benchmarks.md"), "w", encoding="utf-8") as file:
        file.write(table)
