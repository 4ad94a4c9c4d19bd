"""Scores live transcripts: words, latencies, stability, timing.

Input is the tool's own jsonl, each line with a `file`; references and audio come beside it. Speech on- and offsets come
from the energy of the audio, never from the recogniser's own voice detector.
"""

import re
import statistics

import numpy as np

RATE = 16_000
FRAME = 160


def edit_counts(reference, hypothesis):
    """Returns errors and the aligned operations between two word lists."""
    rows, columns = len(reference) + 1, len(hypothesis) + 1
    cost = np.zeros((rows, columns), dtype=int)
    cost[:, 0] = np.arange(rows)
    cost[0, :] = np.arange(columns)
    for row in range(1, rows):
        for column in range(1, columns):
            same = reference[row - 1] == hypothesis[column - 1]
            cost[row, column] = min(
                cost[row - 1, column - 1] + (not same), cost[row - 1, column] + 1, cost[row, column - 1] + 1
            )
    return int(cost[-1, -1]), backtrace(cost, reference, hypothesis)


def backtrace(cost, reference, hypothesis):
    """Lists the differing words, as pairs of reference and hypothesis; an empty string where one has no word."""
    row, column = len(reference), len(hypothesis)
    differences = []
    while row or column:
        diagonal = row and column and cost[row, column] == cost[row - 1, column - 1] + (
            reference[row - 1] != hypothesis[column - 1]
        )
        if diagonal:
            row, column = row - 1, column - 1
            if reference[row] != hypothesis[column]:
                differences.append((reference[row], hypothesis[column]))
        elif row and cost[row, column] == cost[row - 1, column] + 1:
            row -= 1
            differences.append((reference[row], ""))
        else:
            column -= 1
            differences.append(("", hypothesis[column]))
    return differences[::-1]


def plain_words(text):
    """The words of a text, case and punctuation aside."""
    return [word for word in (re.sub(r"[^\w]", "", part.lower()) for part in text.split()) if word]


def levels(samples):
    """The level of each 10 ms, in dB of full scale."""
    usable = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME)
    return 10 * np.log10(np.mean(usable * usable, axis=1) + 1e-10)


def speech_edges(level, start, end, floor, ceiling, loudness=20.0):
    """The first and last 10 ms near [start, end], within [floor, ceiling], within `loudness` dB of the loudest."""
    first, last = int(max(floor, start - 0.4) * 100), min(len(level), int(min(ceiling, end + 0.4) * 100) + 1)
    if last <= first:
        return start, end
    loud = np.flatnonzero(level[first:last] > level[first:last].max() - loudness)
    return (first + loud[0]) / 100, (first + loud[-1] + 1) / 100


def sentences_of(lines):
    """Groups transcript lines by sentence: a list of (partials, final or None)."""
    grouped = {}
    for line in lines:
        if line["type"] == "transcript":
            partials, final = grouped.setdefault(line["sentenceIndex"], [[], None])
            if line["isFinal"]:
                grouped[line["sentenceIndex"]][1] = line
            else:
                partials.append(line)
    return [tuple(grouped[index]) for index in sorted(grouped)]


def unstable_words(partials, final):
    """Words of partials that the next text of the sentence changed or removed, by the best alignment of the two."""
    texts = [plain_words(line["text"]) for line in partials] + [plain_words(final["text"])]
    lost = 0
    for earlier, later in zip(texts, texts[1:]):
        lost += sum(before != "" for before, _ in edit_counts(earlier, later)[1])
    return lost


def false_commits(partials, final):
    """Breaches of the promise as a reader sees it: a committed word that changed, or does not begin the final."""
    breaches, before = 0, []
    for line in partials + [final]:
        committed = plain_words(line["stableText"])
        if committed[: len(before)] != before or plain_words(line["text"])[: len(committed)] != committed:
            breaches += 1
        before = committed
    return breaches


def committed_early(partials, final):
    """How many words of the final were promised by a partial."""
    return max((len(plain_words(line["stableText"])) for line in partials), default=0)


class Score:
    """Collects the figures of many recordings."""

    def __init__(self, normalize):
        self.normalize = normalize
        self.errors = self.words = self.unstable = self.final_words = self.breaches = self.early = 0
        self.contradicted = self.invented = self.timing = self.sentences = self.empty = 0
        self.first, self.complete, self.final = [], [], []
        self.differences = []

    def add(self, lines, reference, samples):
        """Adds one recording: its lines, its reference text, its samples at 16 kHz."""
        pairs = sentences_of(lines)
        finals = [final for _, final in pairs if final]
        spoken = self.normalize(" ".join(final["text"] for final in finals)).split()
        wanted = self.normalize(reference).split()
        if not wanted:
            self.invented += len(spoken)
            return
        errors, differences = edit_counts(wanted, spoken)
        self.errors += errors
        self.words += len(wanted)
        self.differences += differences
        events = [line["event"] for line in lines if line["type"] == "event"]
        self.empty += events.count("speechWithoutText")
        self.contradicted += events.count("promiseContradicted")
        self.check_times(finals, len(samples) / RATE)
        level = levels(samples)
        ended = 0.0
        following = [final["start"] for final in finals[1:]] + [len(samples) / RATE]
        spoken_pairs = [(partials, final) for partials, final in pairs if final]
        for (partials, final), ceiling in zip(spoken_pairs, following):
            self.add_sentence(partials, final, speech_edges(level, final["start"], final["end"], ended, ceiling))
            ended = final["end"]

    def check_times(self, finals, duration):
        before = -1.0
        for final in finals:
            sane = before <= final["start"] < final["end"] <= duration + 0.001
            self.timing += not sane
            before = final["start"]

    def add_sentence(self, partials, final, edges):
        onset, offset = edges
        shown = [line for line in partials if line["text"]] + [final]
        self.sentences += 1
        self.first.append(shown[0]["emitted"] - onset)
        self.complete.append(next(line["emitted"] for line in shown if line["text"] == final["text"]) - offset)
        self.final.append(final["emitted"] - offset)
        self.unstable += unstable_words(partials, final)
        self.final_words += len(plain_words(final["text"]))
        self.breaches += false_commits(partials, final)
        self.early += committed_early(partials, final)

    def figures(self):
        """The figures, ready for JSON."""
        return {
            "wer": round(100 * self.errors / max(1, self.words), 2),
            "errors": self.errors,
            "referenceWords": self.words,
            "firstPartial": spread(self.first),
            "completeText": spread(self.complete),
            "timeToFinal": spread(self.final),
            "unstableWordRatio": round(self.unstable / max(1, self.final_words), 3),
            "falseCommits": self.breaches,
            "contradictedPromises": self.contradicted,
            "committedEarly": round(self.early / max(1, self.final_words), 3),
            "wordsFromNothing": self.invented,
            "speechWithoutText": self.empty,
            "timingFaults": self.timing,
            "sentences": self.sentences,
        }


def spread(values):
    """Median, 95th percentile and worst, in seconds."""
    if not values:
        return None
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return {name: round(float(value), 3) for name, value in
            {"median": statistics.median(ordered), "p95": high, "worst": ordered[-1]}.items()}
