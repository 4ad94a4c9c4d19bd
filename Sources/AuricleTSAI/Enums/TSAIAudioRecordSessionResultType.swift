/// What a result of a session is. The raw values are TSAIKit's.
public enum TSAIAudioRecordSessionResultType: Int, Sendable, CaseIterable {
  /// Words.
  case transcript = 0
  /// Something beside the words.
  case event = 1
  /// An error of a session that runs.
  case error = 2
  /// The report; nothing follows.
  case finish = 3
}
