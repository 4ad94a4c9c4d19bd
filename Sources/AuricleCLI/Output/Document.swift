/// What a recording's text goes into.
protocol Document: Sendable {
  /// Adds text.
  func write(_ text: String) throws(OutputError)
  /// It is all there.
  func commit() throws(OutputError)
  /// It will not be all there.
  func discard()
}

/// Standard output: what is written is out.
struct ConsoleDocument: Document {
  let console: Console

  func write(_ text: String) throws(OutputError) { try console.write(text) }
  func commit() throws(OutputError) {}
  func discard() {}
}

/// A file that is there whole or not at all.
struct FileDocument: Document {
  let file: AtomicFile

  func write(_ text: String) throws(OutputError) { try file.write(Array(text.utf8)) }
  func commit() throws(OutputError) { try file.commit() }
  func discard() { file.discard() }
}
