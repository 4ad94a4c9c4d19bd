"""Makes the longer recordings of the benchmark from short ones: with pauses, with noise, without a pause."""

import numpy as np

RATE = 16_000


def pink_noise(count, generator):
    """Noise whose power falls with frequency, at unit variance."""
    spectrum = np.fft.rfft(generator.standard_normal(count))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    spectrum[0] = 0
    noise = np.fft.irfft(spectrum, count)
    return noise / np.std(noise)


def trim(samples, threshold=0.01):
    """Cuts the silence off both ends."""
    loud = np.flatnonzero(np.abs(samples) > threshold * np.abs(samples).max())
    return samples[loud[0] : loud[-1] + 1]


def with_pauses(clips, seed=7, shortest=0.1, longest=2.0):
    """The clips in a shuffled order, at one loudness, with pauses between them. Returns samples and text."""
    generator = np.random.default_rng(seed)
    pieces, texts = [], []
    for index in generator.permutation(len(clips)):
        samples, text = clips[index]
        level = np.sqrt(np.mean(samples * samples))
        pause = int(generator.uniform(shortest, longest) * RATE)
        pieces += [samples * (0.06 / level), generator.standard_normal(pause) * 1e-4]
        texts.append(text)
    return np.concatenate(pieces).astype(np.float32), " ".join(texts)


def in_noise(samples, decibels=10.0, seed=7):
    """The same in pink noise, so many dB under the speech."""
    noise = pink_noise(len(samples), np.random.default_rng(seed))
    level = np.sqrt(np.mean(samples * samples)) * 10 ** (-decibels / 20)
    return (samples + noise * level).astype(np.float32)


def without_pause(clips):
    """The clips one after the other, silence cut off. Returns samples and text."""
    level = [0.06 / np.sqrt(np.mean(samples * samples)) for samples, _ in clips]
    pieces = [trim(samples) * gain for (samples, _), gain in zip(clips, level)]
    return np.concatenate(pieces).astype(np.float32), " ".join(text for _, text in clips)
