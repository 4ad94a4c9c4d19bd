import AuricleSession
import Synchronization

/// Standard output and standard error as one screen: words on one, talk and the status line on the other.
///
/// Any thread may write. The status line is drawn only on a terminal, and gives way to everything else.
final class Console: Sendable {
  private struct State {
    var status: ConsoleStatus?
    /// How many are writing to a terminal, or wait for their turn: the status line stays away for so long.
    var writerCount = 0
    /// How many lines of the screen the status takes up.
    var drawnLineCount = 0
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
  private let brokenOutput = Mutex(false)
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
  var isOutputBroken: Bool { brokenOutput.withLock { $0 } }

  /// Whether standard output is a terminal.
  var writesToTerminal: Bool { output.terminalWidth != nil }

  /// Writes to standard output. Talk and progress go on while its reader is slow, and it goes on while nobody reads those.
  func write(_ text: String) throws(OutputError) {
    guard !text.isEmpty else { return }
    let isTerminal = writesToTerminal
    if isTerminal {
      state.withLock { state in
        erase(&state)
        state.writerCount += 1
      }
    }
    let result = turn.withLock { _ in Result { () throws(OutputError) in try output.write(Array(text.utf8)) } }
    if case .failure = result { brokenOutput.withLock { $0 = true } }
    if isTerminal {
      state.withLock { state in
        state.writerCount -= 1
        draw(&state)
      }
    } else {
      _ = state.withLockIfAvailable { draw(&$0) }
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

  /// Asks a question on standard error; the answer follows on its last line.
  func ask(_ question: String) {
    state.withLock { state in
      erase(&state)
      try? talk.write(Array(question.utf8))
    }
  }

  /// Begins a status line.
  func beginStatus(expected: Double?) {
    guard isLive else { return }
    state.withLock { state in
      state.status = .progress(StatusLine(expected: expected, hasStyle: hasStyle))
      draw(&state)
    }
  }

  /// Begins to show a recording.
  func beginRecording(_ view: RecordingView) {
    guard isLive else { return }
    state.withLock { state in
      var view = view
      view.hasStyle = hasStyle
      view.movedAt = elapsed()
      state.status = .recording(view)
      draw(&state)
    }
  }

  /// Shows how far it is.
  func showProgress(heard: Double) {
    change(isUrgent: false) { status in
      if case .progress(var line) = status {
        line.heard = heard
        status = .progress(line)
      }
    }
  }

  /// Shows how a recording stands. A change of its phase shows at once.
  func show(_ recording: RecordingStatus) {
    let isUrgent = state.withLock { state in
      if case .recording(let view) = state.status { view.status.phase != recording.phase } else { false }
    }
    change(isUrgent: isUrgent) { status in
      if case .recording(var view) = status {
        view.take(recording, at: elapsed())
        status = .recording(view)
      }
    }
  }

  /// Time goes on: shows what follows from that alone.
  func tick() {
    guard isLive else { return }
    let now = elapsed()
    state.withLock { state in
      guard case .recording(var view) = state.status else { return }
      let wasStill = view.isStill
      view.look(at: now)
      state.status = .recording(view)
      if view.isStill != wasStill { draw(&state) }
    }
  }

  /// Shows an unfinished sentence; `nil` forgets it.
  func showSentence(_ sentence: (text: String, stablePrefix: String)?) {
    change(isUrgent: true) { status in
      var words = LiveWords()
      if let sentence { words.show(text: sentence.text, stablePrefix: sentence.stablePrefix) }
      status.show(words)
    }
  }

  /// Draws the status anew, since somebody else has used the screen.
  func redraw() {
    state.withLock { state in
      state.drawnLineCount = 0
      draw(&state)
    }
  }

  private func change(isUrgent: Bool, _ body: (inout ConsoleStatus) -> Void) {
    guard isLive else { return }
    state.withLock { state in
      guard var status = state.status else { return }
      body(&status)
      state.status = status
      if !isUrgent, let last = state.drawnAt, elapsed() - last < Self.interval { return }
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
    let lines = status.rendered(width: width)
    let text = Self.wiping(state.drawnLineCount) + lines.joined(separator: "\n")
    state.drawnLineCount = lines.count
    try? talk.write(Array(text.utf8))
  }

  private func erase(_ state: inout State) {
    guard state.drawnLineCount > 0 else { return }
    try? talk.write(Array(Self.wiping(state.drawnLineCount).utf8))
    state.drawnLineCount = 0
  }

  /// Wipes so many lines, of which the cursor is in the last, and goes to where the first began.
  private static func wiping(_ lineCount: Int) -> String {
    lineCount > 1 ? "\r\u{1B}[\(lineCount - 1)A\u{1B}[J" : "\r\u{1B}[K"
  }
}

/// What stands at the foot of a terminal.
enum ConsoleStatus: Equatable {
  /// How far a transcription is.
  case progress(StatusLine)
  /// How a recording stands.
  case recording(RecordingView)

  /// The lines with their control sequences, each shorter than the terminal is wide.
  func rendered(width: Int) -> [String] {
    switch self {
    case .progress(let line): [line.rendered(width: width)]
    case .recording(let view): view.rendered(width: width)
    }
  }

  /// Shows the words of an unfinished sentence.
  mutating func show(_ words: LiveWords) {
    switch self {
    case .progress(var line):
      line.words = words
      self = .progress(line)
    case .recording(var view):
      view.words = words
      self = .recording(view)
    }
  }
}
