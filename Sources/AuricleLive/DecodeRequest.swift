/// A piece of audio to be turned into text.
package struct DecodeRequest: Sendable, Equatable {
  /// Why the text is wanted. The order is the order in which requests are served.
  package enum Urgency: Int, Sendable, Comparable {
    /// The segment is over.
    case final
    /// The segment is probably over.
    case complete
    /// Nothing of the segment is on show.
    case firstPartial
    /// Something newer of the segment can be shown.
    case partial

    /// Whether the one is served before the other.
    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    /// Whether an unfinished sentence's text is wanted, for which one try is enough.
    var isPartial: Bool { self >= .firstPartial }
  }

  /// The number of the request within its session.
  package let id: Int
  /// Why the text is wanted.
  package let urgency: Urgency
  /// The frames to decode.
  package let frames: Range<Int64>
  /// Where the voice detector first heard speech in them.
  package let onsetFrame: Int64
  /// Frames in which it heard speech.
  package let speechFrameCount: Int64
  /// Frames behind the last speech.
  package let trailingFrameCount: Int64
}

/// What came of a request.
package struct DecodeOutcome: Sendable, Equatable {
  /// The text, a single line; empty when no words were found.
  package let text: String
  /// How long the decoding took, in seconds, without the wait for it.
  package let seconds: Double

  /// Creates an outcome.
  package init(text: String, seconds: Double) {
    self.text = text
    self.seconds = seconds
  }
}
