import AuricleAudio
import AuricleRecognition

/// Follows the gaps of a recording: joins their pieces, and says what to note of them and when.
///
/// A value without clock or file. A gap under way is noted a second at a time, so that a recording that is killed in it
/// loses no more of it than of audio.
struct GapTracker: Sendable {
  /// What is to be done about a gap.
  enum Action: Equatable {
    /// Note these frames in the journal.
    case note(AudioGap)
    /// Tell that something happened.
    case tell(SessionEvent)
  }

  /// The gap under way as a whole; `nil` while audio comes.
  private(set) var current: AudioGap?
  /// How many frames were missing in gaps that are over, pauses left out.
  private var missedFrames: Int64 = 0
  /// The first frame of the gap under way that is not noted yet.
  private var firstFresh: Int64 = 0

  /// How many frames are missing so far, pauses left out.
  var missingFrames: Int64 { missedFrames + (current.map(Self.missing) ?? 0) }

  /// A gap came, or a piece of one.
  mutating func add(_ gap: AudioGap) -> [Action] {
    if let whole = current?.joined(with: gap) {
      current = whole
      guard whole.frames.upperBound - firstFresh >= Int64(gap.sampleRate) else { return [] }
      return noteFresh()
    }
    let closing = end()
    current = gap
    firstFresh = gap.frames.lowerBound
    guard gap.reason == .paused else { return closing }
    return closing + [.tell(SessionEvent(.paused, time: Self.seconds(firstFresh, gap)))]
  }

  /// The recording is over: a pause under way stays one, and nobody resumed it.
  mutating func stop() -> [Action] {
    let isPause = current?.reason == .paused
    let actions = end()
    return isPause ? Array(actions.dropLast()) : actions
  }

  /// Audio came: the gap under way is over.
  mutating func end() -> [Action] {
    guard let gap = current else { return [] }
    let notes = noteFresh()
    missedFrames += Self.missing(gap)
    current = nil
    let isPause = gap.reason == .paused
    let event = isPause ? SessionEvent(.resumed, time: Self.seconds(gap.frames.upperBound, gap)) : SessionEvent(gap)
    return notes + [.tell(event)]
  }

  private mutating func noteFresh() -> [Action] {
    guard let gap = current, firstFresh < gap.frames.upperBound else { return [] }
    defer { firstFresh = gap.frames.upperBound }
    let frames = firstFresh..<gap.frames.upperBound
    return [.note(AudioGap(frames: frames, sampleRate: gap.sampleRate, reason: gap.reason))]
  }

  private static func missing(_ gap: AudioGap) -> Int64 { gap.reason == .paused ? 0 : Int64(gap.frames.count) }

  private static func seconds(_ frame: Int64, _ gap: AudioGap) -> Double { Double(frame) / Double(gap.sampleRate) }
}
