import AuricleAudio

/// Any source as 16 kHz mono, which is what recognisers listen to.
///
/// Channels are averaged. A source of *n* frames at a rate *r* gives exactly *n* × 16,000 / *r* frames, rounded to the
/// nearest, and a sound keeps its place to within 1 ms. Gaps keep their place too. The samples do not depend on the
/// sizes of the blocks in which they come. What is 16 kHz mono already passes untouched.
public actor SpeechSource: AudioSource {
  /// 16 kHz mono.
  public nonisolated let format = AudioFormat.speech
  /// What the wrapped source expects, at 16 kHz.
  public nonisolated let expectedFrameCount: Int64?
  private let source: any AudioSource
  private var converter: SpeechConverter?
  private var sanitizer = SampleSanitizer()
  private var queue = ChunkQueue()
  private var isAtEnd = false

  /// Wraps a source, from which nobody else may read.
  public init(_ source: any AudioSource) {
    self.source = source
    expectedFrameCount = source.expectedFrameCount.map { SpeechConverter.outputFrame($0, source.format) }
  }

  /// Waits for the next block, gap or notice.
  ///
  /// See `AudioSource.next(maxFrames:)`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    precondition(maxFrames >= 1, "a block holds at least one frame")
    while true {
      try Task.checkCancellation()
      if let chunk = queue.take(maxFrames) { return chunk }
      if isAtEnd { return nil }
      try await advance(maxFrames)
    }
  }

  /// As many input frames are asked for as make up the output that is wanted, so that nothing waits for more.
  private func advance(_ maxFrames: Int) async throws {
    let rate = source.format.sampleRate
    let wanted = min(maxFrames, FrameStream.largestRead) * rate / format.sampleRate
    switch try await source.next(maxFrames: max(1, wanted)) {
    case .audio(let block): try take(block)
    case .gap(let gap): try take(gap)
    case .notice(let notice): queue.add(.notice(notice))
    case nil:
      isAtEnd = true
      try endRun()
    }
  }

  private func take(_ block: PCMBlock) throws(AudioError) {
    var converter = self.converter ?? SpeechConverter(source.format, startFrame: block.startFrame)
    let start = converter.outputEnd
    add(try converter.convert(block.samples), at: start)
    self.converter = converter
  }

  private func take(_ gap: AudioGap) throws(AudioError) {
    try endRun()
    let start = converter?.outputEnd ?? SpeechConverter.outputFrame(gap.frames.lowerBound, source.format)
    let end = SpeechConverter.outputFrame(gap.frames.upperBound, source.format)
    if end > start {
      queue.add(.gap(AudioGap(frames: start..<end, sampleRate: format.sampleRate, reason: gap.reason)))
    }
    if converter == nil { converter = SpeechConverter(source.format, startFrame: gap.frames.upperBound) }
    converter?.beginRun(at: gap.frames.upperBound)
  }

  private func endRun() throws(AudioError) {
    guard let start = converter?.outputEnd, let rest = try converter?.finishRun() else { return }
    add(rest, at: start)
  }

  private func add(_ samples: [Float], at start: Int64) {
    guard !samples.isEmpty else { return }
    var samples = samples
    // Enormous samples can leave the range of numbers inside the resampler.
    let notice = sanitizer.clean(&samples)
    queue.add(.audio(PCMBlock(format: format, startFrame: start, samples: samples)))
    if let notice { queue.add(.notice(notice)) }
  }
}
