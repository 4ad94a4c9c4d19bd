import AuricleAudio
import Testing

/// All that a source delivered.
struct Heard: Equatable {
  var samples: [Float] = []
  var notices: [AudioNotice] = []
  var gaps: [AudioGap] = []
  var blockSizes: [Int] = []

  func has(_ kind: AudioNotice.Kind) -> Bool { notices.contains { $0.kind == kind } }
}

/// Reads a source to its end, and checks what every source promises: numbered frames without holes, blocks within the
/// limit, only finite samples, and an end that lasts.
func hear(
  _ source: some AudioSource, maxFrames: Int = 4_096, location: SourceLocation = #_sourceLocation
) async throws -> Heard {
  var heard = Heard()
  var position: Int64?
  while let chunk = try await source.next(maxFrames: maxFrames) {
    switch chunk {
    case .audio(let block):
      #expect(block.startFrame == position ?? block.startFrame, sourceLocation: location)
      #expect((1...maxFrames).contains(block.frameCount), sourceLocation: location)
      #expect(block.format == source.format, sourceLocation: location)
      position = block.frames.upperBound
      heard.samples += block.samples
      heard.blockSizes.append(block.frameCount)
    case .gap(let gap):
      #expect(gap.frames.lowerBound == position ?? gap.frames.lowerBound, sourceLocation: location)
      position = gap.frames.upperBound
      heard.gaps.append(gap)
    case .notice(let notice):
      #expect(!notice.message.contains("\n"), sourceLocation: location)
      heard.notices.append(notice)
    }
  }
  #expect(heard.samples.allSatisfy { $0.isFinite }, sourceLocation: location)
  #expect(try await source.next(maxFrames: 1) == nil, "the end must last", sourceLocation: location)
  return heard
}

/// The error that opening or reading gives; `nil` when all goes well.
func failure(_ body: () async throws -> Void) async throws -> AudioError? {
  do {
    try await body()
    return nil
  } catch let error as AudioError {
    #expect(!error.message.contains("\n"))
    return error
  }
}
