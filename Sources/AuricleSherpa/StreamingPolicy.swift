/// The numbers of live transcription with a streaming model.
enum StreamingPolicy {
  /// Silence after which the engine begins anew when nothing was said, in seconds.
  static let emptyEnd: Float = 2.4
  /// Silence after which a sentence is over, in seconds.
  static let spokenEnd: Float = 0.8
  /// The longest sentence, in seconds; then the engine ends it where it is.
  static let longest: Float = 30
  /// Frames that the engine is given at a time, whatever blocks the audio came in: 0.1 s. So the texts do not depend on
  /// the blocks.
  static let stepLength = 1_600
  /// Silence behind the last audio, in frames, so that the model gives what it holds back: 0.8 s, more than the longest
  /// chunk of the published models looks ahead.
  static let tailLength = 12_800
  /// Steps decoded in one go before others get their turn: 1 s.
  static let stepsInOneGo = 10
  /// Steps that may wait before more audio is taken: 5 s.
  static let maximumPendingSteps = 50
  /// Words at the end of a partial that are never promised: the last one may still grow.
  static let heldBackWords = 1
  /// Partials in a row that must agree on a word before it is promised.
  static let agreeingPartials = 2
}
