/// One window of audio as the segmenter sees it.
package struct VoiceWindow: Sendable, Equatable {
  /// The number of the window's first frame.
  package let startFrame: Int64
  /// Whether the voice detector hears speech.
  package let isSpeech: Bool
  /// The mean square of the samples.
  package let power: Float

  /// Creates a window.
  package init(startFrame: Int64, isSpeech: Bool, power: Float) {
    self.startFrame = startFrame
    self.isSpeech = isSpeech
    self.power = power
  }

  var endFrame: Int64 { startFrame + Int64(LivePolicy.windowLength) }
}

/// A stretch of speech with the audio around it.
package struct SpeechSegment: Sendable, Equatable {
  /// The number of the segment within its stream, from 0.
  package let index: Int
  /// Where the audio to decode begins: the onset less the pre-roll.
  package let startFrame: Int64
  /// Where the detector first heard speech.
  package let onsetFrame: Int64
  /// Where it last heard speech: the end of that window.
  package internal(set) var speechEndFrame: Int64
  /// Frames in which it heard speech.
  package internal(set) var speechFrameCount: Int64
}

/// Cuts a stream of windows into segments, none of which shares a frame with another.
///
/// A value without clock or effect: the same windows give the same segments, however they arrive.
package struct SpeechSegmenter: Sendable {
  /// What follows from a window.
  package enum Action: Sendable, Equatable {
    /// Speech began.
    case opened(SpeechSegment)
    /// The open segment goes on; it is given as it stands.
    case extended(SpeechSegment)
    /// Silence has lasted long enough to decode the segment up to `endFrame` as if it were over.
    case paused(SpeechSegment, endFrame: Int64)
    /// Speech went on in a paused segment.
    case resumed(SpeechSegment)
    /// The segment is over; its audio ends at `endFrame`. A paused segment ends where it was paused.
    case closed(SpeechSegment, endFrame: Int64)
  }

  private enum State: Sendable {
    /// No segment. A window of speech opens one.
    case silence
    /// In a segment; the last window may have been silent. A long enough silence pauses it.
    case speech(SpeechSegment)
    /// In a segment whose silence has lasted; decoded up to the frame. Speech resumes it, more silence closes it.
    case pause(SpeechSegment, endFrame: Int64)
  }

  private let policy: LivePolicy
  private var state = State.silence
  private var nextIndex = 0
  /// Frames before this one belong to earlier segments, or were never heard.
  private var floorFrame: Int64 = 0
  /// The windows of the open segment, for the choice of a cut.
  private var history: [VoiceWindow] = []

  /// Creates a segmenter at the start of a stream.
  package init(policy: LivePolicy = LivePolicy()) {
    self.policy = policy
  }

  /// The first frame that any later segment may still use, given that `frame` is the next one to arrive.
  package func firstNeededFrame(at frame: Int64) -> Int64 {
    switch state {
    case .silence: max(floorFrame, frame - policy.frames(policy.preRoll) - 2 * Int64(LivePolicy.windowLength))
    case .speech(let segment), .pause(let segment, _): segment.startFrame
    }
  }

  /// Takes the next window.
  package mutating func take(_ window: VoiceWindow) -> [Action] {
    switch state {
    case .silence:
      return window.isSpeech ? [open(at: window)] : []
    case .speech(let segment):
      return advance(segment, window)
    case .pause(let segment, let endFrame):
      return waitOn(segment, endFrame: endFrame, window)
    }
  }

  /// The stream has a hole, or ends: whatever is open is over.
  /// - Parameters:
  ///   - frame: Where the audio ends.
  ///   - resumeFrame: Where it goes on.
  package mutating func interrupt(at frame: Int64, resumingAt resumeFrame: Int64) -> [Action] {
    defer { floorFrame = resumeFrame }
    switch state {
    case .silence:
      return []
    case .speech(let segment):
      return [close(segment, within: frame, endFrame: segment.speechEndFrame + policy.frames(policy.completeAfter))]
    case .pause(let segment, let endFrame):
      return [close(segment, within: frame, endFrame: endFrame)]
    }
  }

  private mutating func open(at window: VoiceWindow) -> Action {
    // The detector answers after two windows of speech, so speech began with the window before this one.
    let onset = max(floorFrame, window.startFrame - Int64(LivePolicy.windowLength))
    let segment = SpeechSegment(
      index: nextIndex, startFrame: max(floorFrame, onset - policy.frames(policy.preRoll)), onsetFrame: onset,
      speechEndFrame: window.endFrame, speechFrameCount: window.endFrame - onset)
    nextIndex += 1
    history = [window]
    state = .speech(segment)
    return .opened(segment)
  }

  private mutating func advance(_ old: SpeechSegment, _ window: VoiceWindow) -> [Action] {
    var segment = old
    history.append(window)
    if window.isSpeech { segment.extend(to: window) }
    let silence = window.endFrame - segment.speechEndFrame
    let length = window.endFrame - segment.startFrame
    if length >= policy.frames(policy.longLength), silence >= policy.frames(policy.longFinalAfter) {
      return [close(segment, endFrame: window.endFrame)]
    }
    if silence >= policy.frames(policy.completeAfter) {
      let endFrame = segment.speechEndFrame + policy.frames(policy.completeAfter)
      state = .pause(segment, endFrame: endFrame)
      return [.paused(segment, endFrame: endFrame)]
    }
    if length >= policy.frames(policy.maximumLength) {
      return cut(segment, at: window.endFrame)
    }
    state = .speech(segment)
    return [.extended(segment)]
  }

  private mutating func waitOn(_ old: SpeechSegment, endFrame: Int64, _ window: VoiceWindow) -> [Action] {
    var segment = old
    history.append(window)
    if window.isSpeech {
      segment.extend(to: window)
      state = .speech(segment)
      return [.resumed(segment)]
    }
    if window.endFrame - segment.speechEndFrame >= policy.frames(policy.finalAfter) {
      return [close(segment, endFrame: endFrame)]
    }
    return []
  }

  /// The last window may reach beyond the audio; the segment does not.
  private mutating func close(_ segment: SpeechSegment, within frame: Int64, endFrame: Int64) -> Action {
    var whole = segment
    whole.speechEndFrame = min(frame, segment.speechEndFrame)
    return close(whole, endFrame: min(frame, endFrame))
  }

  private mutating func close(_ segment: SpeechSegment, endFrame: Int64) -> Action {
    floorFrame = endFrame
    history = []
    state = .silence
    return .closed(segment, endFrame: endFrame)
  }

  /// Ends a segment that has grown too long at its quietest place, and opens the next one there.
  private mutating func cut(_ segment: SpeechSegment, at frame: Int64) -> [Action] {
    let searchStart = max(
      segment.onsetFrame + policy.frames(policy.preRoll), frame - policy.frames(policy.cutSearch))
    let cutFrame = QuietestPlace.frame(in: history, from: searchStart) ?? frame
    var first = segment
    first.speechEndFrame = min(first.speechEndFrame, cutFrame)
    let behind = history.filter { $0.startFrame >= cutFrame }
    let spoken = behind.filter(\.isSpeech)
    first.speechFrameCount -= Int64(spoken.count * LivePolicy.windowLength)
    let closed = close(first, endFrame: cutFrame)
    guard let last = spoken.last else { return [closed] }
    let rest = SpeechSegment(
      index: nextIndex, startFrame: cutFrame, onsetFrame: cutFrame, speechEndFrame: last.endFrame,
      speechFrameCount: Int64(spoken.count * LivePolicy.windowLength))
    nextIndex += 1
    history = behind
    state = .speech(rest)
    return [closed, .opened(rest)]
  }
}

extension SpeechSegment {
  fileprivate mutating func extend(to window: VoiceWindow) {
    speechFrameCount += Int64(LivePolicy.windowLength)
    speechEndFrame = window.endFrame
  }
}

/// Where a segment without a pause is cut.
enum QuietestPlace {
  /// The middle of the window around which three windows have the least power; silence by the detector goes first.
  static func frame(in history: [VoiceWindow], from frame: Int64) -> Int64? {
    guard history.count >= 3 else { return nil }
    var best: (isSpeech: Bool, power: Float, frame: Int64)?
    for index in 1..<(history.count - 1) where history[index].startFrame >= frame {
      let power = history[index - 1].power + history[index].power + history[index + 1].power
      let isSpeech = history[index].isSpeech
      if let found = best, (found.isSpeech ? 1 : 0, found.power) <= (isSpeech ? 1 : 0, power) { continue }
      best = (isSpeech, power, history[index].startFrame + Int64(LivePolicy.windowLength / 2))
    }
    return best?.frame
  }
}
