/// A piece of audio to be turned into text.
public struct DecodeRequest: Sendable, Equatable {
  /// Why the text is wanted. The order is the order in which requests are served.
  public enum Urgency: Int, Sendable, Comparable {
    /// The segment is over.
    case final
    /// The segment is probably over.
    case complete
    /// Nothing of the segment is on show.
    case firstPartial
    /// Something newer of the segment can be shown.
    case partial

    /// Whether the one is served before the other.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    /// Whether an unfinished sentence's text is wanted, for which one try is enough.
    var isPartial: Bool { self >= .firstPartial }
  }

  /// The number of the request within its session.
  public let id: Int
  /// Why the text is wanted.
  public let urgency: Urgency
  /// The frames to decode.
  public let frames: Range<Int64>
  /// Where the voice detector first heard speech in them.
  public let onsetFrame: Int64
  /// Frames in which it heard speech.
  public let speechFrameCount: Int64
}

/// What came of a request.
public struct DecodeOutcome: Sendable, Equatable {
  /// The text, a single line; empty when no words were found.
  public let text: String
  /// How long the decoding took, in seconds, without the wait for it.
  public let seconds: Double

  /// Creates an outcome.
  public init(text: String, seconds: Double) {
    self.text = text
    self.seconds = seconds
  }
}
