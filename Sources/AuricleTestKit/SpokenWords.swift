import AuricleAudio

/// A sound that says words: each whole second is one word, which shows in the sound itself, and so does the end of a
/// sentence. What a recogniser makes of it is the same wherever it begins to listen.
///
/// The sound survives 16 bits, a change of its rate and any lossless file.
public struct SpokenWords: Sendable, Equatable {
  /// How many words there are; they come in turn.
  public static let vocabulary = 240
  private static let scale: Float = 256

  /// How many words each sentence has.
  public let sentenceLengths: [Int]

  /// Says sentences.
  /// - Parameter sentenceLengths: How many words each has, at least one; a second each.
  public init(sentenceLengths: [Int]) {
    precondition(sentenceLengths.allSatisfy { $0 > 0 }, "a sentence has a word")
    self.sentenceLengths = sentenceLengths
  }

  /// How many words are said, and seconds.
  public var count: Int { sentenceLengths.reduce(0, +) }
  /// The sentences as a recogniser writes them.
  public var sentences: [String] {
    var next = 0
    return sentenceLengths.map { length in
      defer { next += length }
      return Self.sentence((next..<next + length).map { $0 % Self.vocabulary })
    }
  }

  /// The sound.
  public func samples(sampleRate: Int = 16_000) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(count * sampleRate)
    for length in sentenceLengths {
      for place in 1...length {
        let number = samples.count / sampleRate % Self.vocabulary
        let level = Float(number + 1) / Self.scale * (place == length ? -1 : 1)
        samples += [Float](repeating: level, count: sampleRate)
      }
    }
    return samples
  }

  /// The sound at 16,000 Hz in blocks.
  public func chunks(of frameCount: Int = 1_600) -> [AudioChunk] {
    let samples = samples()
    return stride(from: 0, to: samples.count, by: frameCount).map { start in
      let block = Array(samples[start..<min(start + frameCount, samples.count)])
      return .audio(PCMBlock(format: .speech, startFrame: Int64(start), samples: block))
    }
  }

  /// The word of a second.
  /// - Returns: Its number, and whether it ends a sentence; `nil` for silence.
  static func word(_ second: [Float]) -> (number: Int, isLast: Bool)? {
    guard !second.isEmpty else { return nil }
    let level = second[second.count / 2] * scale
    let number = Int(level.magnitude.rounded()) - 1
    return (0..<vocabulary).contains(number) ? (number, level < 0) : nil
  }

  /// How words are written that do not end a sentence yet.
  static func unfinished(_ words: some Sequence<Int>) -> String { words.map { "w\($0)" }.joined(separator: " ") }

  /// How a sentence is written.
  static func sentence(_ words: some Sequence<Int>) -> String { unfinished(words) + "." }
}
