import AuricleSession
import Synchronization

/// Standard output and standard error as one screen: words on one, talk and the status line on the other.
///
/// Any thread may write. The status line is drawn only on a terminal, and gives way to everything else.
final class Console: Sendable {
  private struct State {
    var status: StatusLine?
    /// How many are writing to a terminal, or wait for their turn: the status line stays away for so long.
    var writerCount = 0
    var isDrawn = false
    var isOutputBroken = false
    var drawnAt: Duration?
  }

  /// How often the status line is drawn for progress alone.
  private static let interval = Duration.milliseconds(100)

  private let output: any ByteSink
  private let talk: any ByteSink
  private let isLive: Bool
  private let hasStyle: Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Mutex(State())
  /// One text after the other. Held while a slow reader of standard output is waited for, and never taken within `state`.
  private let turn = Mutex(())

  /// Creates a screen.
  /// - Parameters:
  ///   - environment: `TERM=dumb` turns the status line off, `NO_COLOR` its dimming.
  ///   - elapsed: A monotonic time since any moment.
  init(
    output: any ByteSink, talk: any ByteSink, environment: [String: String], elapsed: @escaping @Sendable () -> Duration
  ) {
    self.output = output
    self.talk = talk
    self.elapsed = elapsed
    isLive = talk.terminalWidth != nil && environment["TERM"] != "dumb"
    hasStyle = environment["NO_COLOR", default: ""].isEmpty
  }

  /// Whether anybody sees the status line.
  var showsStatus: Bool { isLive }

  /// Whether writing to standard output has failed.
  var isOutputBroken: Bool { state.withLock(\.isOutputBroken) }

  /// Writes to standard output. Talk and progress go on while its reader is slow.
  func write(_ text: String) throws(OutputError) {
    guard !text.isEmpty else { return }
    let isTerminal = output.terminalWidth != nil
    if isTerminal {
      state.withLock { state in
        erase(&state)
        state.writerCount += 1
      }
    }
    let result = turn.withLock { _ in Result { () throws(OutputError) in try output.write(Array(text.utf8)) } }
    state.withLock { state in
      if isTerminal { state.writerCount -= 1 }
      if case .failure = result { state.isOutputBroken = true }
      draw(&state)
    }
    try result.get()
  }

  /// Writes one line to standard error, with the program's name. Failing to is nobody's business.
  func say(_ message: String) {
    state.withLock { state in
      erase(&state)
      try? talk.write(Array("auricle: \(PlainText.line(message))\n".utf8))
      draw(&state)
    }
  }

  /// Begins a status line.
  func beginStatus(expected: Double?) {
    guard isLive else { return }
    state.withLock { state in
      state.status = StatusLine(expected: expected, hasStyle: hasStyle)
      draw(&state)
    }
  }

  /// Shows how far it is.
  func showProgress(heard: Double) {
    guard isLive else { return }
    state.withLock { state in
      state.status?.heard = heard
      let now = elapsed()
      if let last = state.drawnAt, now - last < Self.interval { return }
      draw(&state)
    }
  }

  /// Shows an unfinished sentence; `nil` forgets it.
  func showSentence(_ sentence: (text: String, stablePrefix: String)?) {
    guard isLive else { return }
    state.withLock { state in
      if let sentence {
        state.status?.show(text: sentence.text, stablePrefix: sentence.stablePrefix)
      } else {
        state.status?.clearText()
      }
      draw(&state)
    }
  }

  /// Takes the status line away.
  func endStatus() {
    state.withLock { state in
      erase(&state)
      state.status = nil
    }
  }

  private func draw(_ state: inout State) {
    guard state.writerCount == 0, let status = state.status, let width = talk.terminalWidth else { return }
    state.drawnAt = elapsed()
    state.isDrawn = true
    try? talk.write(Array("\r\u{1B}[K\(status.rendered(width: width))".utf8))
  }

  private func erase(_ state: inout State) {
    guard state.isDrawn else { return }
    state.isDrawn = false
    try? talk.write(Array("\r\u{1B}[K".utf8))
  }
}
