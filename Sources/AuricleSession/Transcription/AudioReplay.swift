import AuricleAudio
import AuricleRecognition

/// The latest audio of a source, for a session with a provider that takes over from a lost one.
///
/// Who fills it does so only once a reader has come to the end of what is kept, so a slow reader slows the source down.
/// What is kept begins where ``forget(before:)`` says, and is at most ``longest`` long.
final class AudioReplay: Sendable {
  /// The most frames that are kept, 5 minutes at 16,000 Hz: so long may a provider listen without a final sentence and be
  /// lost, and the next one hears it all.
  static let longest: Int64 = 5 * 60 * 16_000

  private struct State {
    var chunks: [AudioChunk] = []
    /// How many chunks came before those that are kept.
    var forgottenCount = 0
    /// Where the kept ones begin and end, in frames.
    var start: Int64 = 0
    var end: Int64 = 0
    var ending: Feed.End?
    var wanted = StopSignal()
    var arrived = StopSignal()

    mutating func forget(before frame: Int64) {
      let old = chunks.prefix { ($0.frames?.upperBound ?? 0) <= frame }
      start = max(start, old.compactMap(\.frames?.upperBound).max() ?? 0)
      forgottenCount += old.count
      chunks.removeFirst(old.count)
    }

    /// - Returns: What readers wait for.
    mutating func tell() -> StopSignal {
      defer { arrived = StopSignal() }
      return arrived
    }
  }

  /// Thrown when nothing follows any more.
  let over = StopSignal()
  private let longest: Int64
  private let state = Guarded(State())

  /// Begins with nothing.
  /// - Parameter longest: The most frames that are kept.
  init(longest: Int64 = AudioReplay.longest) { self.longest = longest }

  /// How far the source was read, in frames.
  var end: Int64 { state.withLock { $0.end } }

  /// Waits until a reader wants more than there is.
  /// - Returns: `false` when the task was cancelled before that.
  func waitForDemand() async -> Bool {
    let wanted = state.withLock { $0.wanted }
    guard await wanted.wait() else { return false }
    state.withLock { $0.wanted = StopSignal() }
    return true
  }

  /// Takes the next chunk, which a reader waits for.
  func append(_ chunk: AudioChunk) {
    state.withLock { [longest] state in
      state.chunks.append(chunk)
      if let frames = chunk.frames { state.end = max(state.end, frames.upperBound) }
      state.forget(before: state.end - longest)
      return state.tell()
    }.stop()
  }

  /// Nothing follows.
  func close(_ ending: Feed.End) {
    state.withLock { state in
      state.ending = ending
      return state.tell()
    }.stop()
    over.stop()
  }

  /// No reader will want what lies before a frame.
  func forget(before frame: Int64) { state.withLock { $0.forget(before: frame) } }

  /// Where a reader that wants a frame begins: with the chunk of that number, and before it a gap, if anything is missing.
  fileprivate func place(of frame: Int64) -> (number: Int, missing: Range<Int64>?) {
    state.withLock { state in
      let skipped = state.chunks.prefix { ($0.frames?.upperBound ?? 0) <= frame }.count
      return (state.forgottenCount + skipped, state.start > frame ? frame..<state.start : nil)
    }
  }

  /// Waits for the chunk of a number; `nil` behind the last one.
  /// - Throws: `CancellationError` when the task is cancelled before it comes; ``SessionFailure`` when the source failed.
  fileprivate func chunk(_ number: Int) async throws -> (chunk: AudioChunk, number: Int)? {
    while true {
      try Task.checkCancellation()
      let (found, ending, wanted, arrived) = state.withLock { state in
        let index = max(0, number - state.forgottenCount)
        let found = index < state.chunks.count ? (state.chunks[index], index + state.forgottenCount) : nil
        return (found, state.ending, state.wanted, state.arrived)
      }
      if let found { return found }
      switch ending {
      case .complete, .cut: return nil
      case .failed(let failure): throw failure
      case nil: break
      }
      wanted.stop()
      _ = await arrived.wait()
    }
  }
}

/// Reads an ``AudioReplay`` from a frame on. What is not kept any more is one gap.
actor ReplaySource: AudioSource {
  nonisolated let format = AudioFormat.speech
  nonisolated let expectedFrameCount: Int64?
  private let replay: AudioReplay
  private let frame: Int64
  private var number: Int?

  /// Wraps a replay.
  /// - Parameters:
  ///   - frame: Where it begins, at 16,000 Hz.
  ///   - source: What the replay was made of.
  init(_ replay: AudioReplay, from frame: Int64, like source: any AudioSource) {
    self.replay = replay
    self.frame = frame
    expectedFrameCount = source.expectedFrameCount
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    if number == nil {
      let place = replay.place(of: frame)
      number = place.number
      if let missing = place.missing {
        return .gap(AudioGap(frames: missing, sampleRate: format.sampleRate, reason: .forgotten))
      }
    }
    guard let number, let found = try await replay.chunk(number) else { return nil }
    self.number = found.number + 1
    return found.chunk
  }
}

extension AudioChunk {
  /// The frames that it stands for; `nil` for a notice.
  fileprivate var frames: Range<Int64>? {
    switch self {
    case .audio(let block): block.frames
    case .gap(let gap): gap.frames
    case .notice: nil
    }
  }
}

extension AudioGap.Reason {
  /// It was heard once, and is kept no longer.
  static let forgotten = Self(name: "forgotten")
}
