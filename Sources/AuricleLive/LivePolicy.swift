import AuricleAudio

/// The numbers of live transcription with a model that decodes whole segments.
///
/// All of them were found by trying on recorded speech; `docs/decisions/0003-live-policy.md` has the figures.
public struct LivePolicy: Sendable, Equatable {
  /// Frames in a window of the voice detector: 32 ms at 16,000 Hz.
  public static let windowLength = 512
  /// Frames per second; the detector and the recogniser hear nothing else.
  public static let sampleRate = 16_000

  /// Audio kept in front of the detector's onset, in seconds; never from before the end of the segment before.
  public var preRoll = 0.5
  /// Silence after which the segment's text is decoded as if it were over, in seconds. It is also the post-roll.
  public var completeAfter = 0.3
  /// Silence after which the segment is over, in seconds.
  public var finalAfter = 0.6
  /// A segment of this length is over at the next short silence, in seconds.
  public var longLength = 6.0
  /// That silence, in seconds.
  public var longFinalAfter = 0.2
  /// The longest segment, in seconds; a longer one is cut at its quietest place.
  public var maximumLength = 15.0
  /// How far back from its end the quietest place of a long segment is looked for, in seconds.
  public var cutSearch = 6.0
  /// Speech before the first partial, in seconds.
  public var firstPartialAfter = 0.3
  /// The least time between two partials, in seconds of audio.
  public var partialInterval = 0.5
  /// The time between two partials is at least so many times what the last one took, so that load makes them rarer.
  public var partialCostFactor = 10.0
  /// A window is quiet when its power is below this part of the loudest window's: 25 dB.
  public var quietPower: Float = 0.003
  /// So many quiet windows in a row are taken for the end of speech, as far as partials are concerned.
  public var quietWindows = 2
  /// The least time between any partial and one for the end of speech, in seconds of audio.
  public var pausePartialSpacing = 0.2
  /// Words at the end of a partial that are not shown while somebody speaks, since they may be cut in the middle.
  public var hiddenWords = 2
  /// Words at the end of a partial that are never promised.
  public var heldBackWords = 8
  /// Partials in a row that must agree on a word before it is promised.
  public var agreeingPartials = 4
  /// The least speech in a segment that is worth trying again when it gave no text, in seconds.
  public var retrySpeech = 0.4
  /// Results of one session that may wait for the reader, beyond those in its stream, before more audio is taken.
  public var maximumPendingResults = 16
  /// Segments of one session that may wait for their final text before more audio is taken.
  public var maximumPendingSegments = 4

  /// Creates the policy with its default numbers.
  public init() {}

  func frames(_ seconds: Double) -> Int64 { AudioFormat.speech.frames(seconds: seconds) }
}
