import AuricleAudio

/// What every source of this module does with what its reader finds: numbers the frames, replaces samples that are no
/// numbers, says what the system's words mean, and stays at its end.
final class FrameStream {
  /// The most frames that are read at once, whatever the caller allows: it bounds memory.
  static let largestRead = 65_536

  private let reader: any FrameReader
  private let name: String
  private var sanitizer = SampleSanitizer()
  private var position: Int64 = 0
  private var waitingNotice: AudioNotice?
  private var isAtEnd = false

  /// - Parameter name: What to call the stream in messages, fit for one line.
  init(_ reader: any FrameReader, name: String) {
    self.reader = reader
    self.name = name
  }

  nonisolated(nonsending) func next(maxFrames: Int) async throws -> AudioChunk? {
    precondition(maxFrames >= 1, "a block holds at least one frame")
    try Task.checkCancellation()
    if let notice = waitingNotice {
      waitingNotice = nil
      return .notice(notice)
    }
    guard !isAtEnd else { return nil }
    switch try await readOrEnd(min(maxFrames, Self.largestRead)) {
    case .frames(let samples): return .audio(numbered(samples))
    case .gap(let frameCount): return .gap(damage(frameCount))
    case .notice(let notice): return .notice(notice)
    case nil:
      isAtEnd = true
      return nil
    }
  }

  private nonisolated(nonsending) func readOrEnd(_ maxFrames: Int) async throws -> FrameRead? {
    do {
      return try await reader.read(maxFrames: maxFrames)
    } catch let error as SystemError {
      isAtEnd = true
      throw AudioError.readFailed(name, error)
    } catch let error as AudioError {
      isAtEnd = true
      throw error
    }
  }

  private func damage(_ frameCount: Int64) -> AudioGap {
    let start = position
    position += frameCount
    return AudioGap(frames: start..<position, sampleRate: reader.format.sampleRate, reason: .damaged)
  }

  private func numbered(_ samples: [Float]) -> PCMBlock {
    var samples = samples
    waitingNotice = sanitizer.clean(&samples)
    let block = PCMBlock(format: reader.format, startFrame: position, samples: samples)
    position += Int64(block.frameCount)
    return block
  }
}
