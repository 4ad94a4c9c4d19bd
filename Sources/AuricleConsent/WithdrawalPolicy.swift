/// What happens to what was recorded when somebody takes their consent back. Nothing is heard any more in either case.
public enum WithdrawalPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// It stays, with its text; a person decides about it.
  case keep
  /// Audio and words are overwritten as far as the medium allows, and removed. The report stays, and says so.
  case destroy
}
