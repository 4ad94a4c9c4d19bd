import AuricleAudio
import AuricleRecognition
import AuricleSession

/// Parts for tests.
enum Samples {
  static let start = Timestamp(millisecondsSince1970: 1_738_315_800_250)
  static let context = ReportContext(provider: ReportProvider(vendor: "scripted", model: "script"), source: "a.wav")

  /// A final of one sentence, from seconds.
  static func final(
    _ index: Int, _ text: String, _ start: Double, _ end: Double, speakers: [SpeakerSegment] = []
  ) -> Transcript {
    Transcript(
      sentenceIndex: index, text: text, stablePrefix: text, isSentenceFinal: true, span: span(start, end),
      languageCode: "en", speakerSegments: speakers, sequence: index)
  }

  static func partial(_ index: Int, _ text: String, stable: String, _ start: Double, _ end: Double) -> Transcript {
    Transcript(
      sentenceIndex: index, text: text, stablePrefix: stable, isSentenceFinal: false, span: span(start, end),
      languageCode: nil, sequence: index)
  }

  static func span(_ start: Double, _ end: Double) -> TimeSpan {
    TimeSpan(frames: Int64(start * 16_000)..<Int64(end * 16_000), sampleRate: 16_000)
  }

  static func report(_ transcripts: [Transcript], source: String? = "a.wav") -> RecordingReport {
    var context = context
    context.source = source
    var builder = ReportBuilder(context: context, startTime: start)
    for transcript in transcripts { builder.apply(.transcript(transcript)) }
    builder.apply(.audio(0..<160_000))
    return builder.current
  }

  static func block(_ start: Int64, _ count: Int) -> AudioChunk {
    .audio(PCMBlock(format: .speech, startFrame: start, samples: [Float](repeating: 0.125, count: count)))
  }

  /// Text that is made to hurt: what means something to a terminal, a player or a parser.
  static func nastyText(_ random: inout SeededRandom) -> String {
    let pieces = [
      "word", " ", "  ", "-->", "<b>", "</", "&amp;", "&", "\n\n", "\r\n", "\t", "\u{1B}[31m", "\u{9B}2J", "\u{7F}",
      "\u{0}", "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{2028}", "\u{85}", "*", "_", "`", "#", "[x](y)", "{\\an8}", "\\",
      "00:00:01,000", "WEBVTT", "NOTE", "\"", "é", "日本語", "👩‍👩‍👧", "<\u{301}", "\u{FFFE}", "12",
    ]
    let count = Int(random.next() % 12)
    return (0..<count).map { _ in
      if random.next() % 4 == 0, let scalar = Unicode.Scalar(UInt32(random.next() % 0x3000)) { return String(scalar) }
      return pieces[Int(random.next() % UInt64(pieces.count))]
    }.joined()
  }
}

/// SplitMix64: the same seed gives the same numbers.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
