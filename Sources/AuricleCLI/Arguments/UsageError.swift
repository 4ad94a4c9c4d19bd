/// A command line that cannot be carried out as it stands.
struct UsageError: Error, Equatable {
  /// One line that says what to do.
  let message: String

  init(_ message: String) { self.message = message }
}
