import AuricleSession
import Synchronization

/// Where a recording shows itself: texts on standard output, talk on standard error; whoever does not read holds up nobody.
///
/// Two lanes, so that a stalled reader of the one costs nothing of the other; one, where both are a terminal.
final class RecordScreen: Sendable {
  private struct State {
    var code = ExitCode.success
    var isOutputBroken = false
  }

  let console: Console
  private let talk: ScreenLane
  private let texts: ScreenLane
  private let state = Mutex(State())

  /// How long what waits may take to be read when the end must come soon.
  static let patience = Duration.milliseconds(500)

  init(_ console: Console) {
    self.console = console
    talk = ScreenLane()
    texts = console.writesToTerminal ? talk : ScreenLane()
  }

  /// What went wrong with standard output.
  var code: ExitCode { state.withLock(\.code) }

  /// Says a line.
  func say(_ message: String) { talk.post { [console] in console.say(message) } }

  /// Does something with the terminal.
  func post(_ body: @escaping @Sendable (Console) -> Void) { talk.post { [console] in body(console) } }

  /// Does something with the terminal, unless something newer of the same kind comes.
  func post(_ slot: ScreenLane.Slot, _ body: @escaping @Sendable (Console) -> Void) {
    talk.post(slot) { [console] in body(console) }
  }

  /// Shows an unfinished sentence; `nil` forgets it.
  func show(_ sentence: (text: String, stablePrefix: String)?) {
    post(.sentence) { $0.showSentence(sentence) }
  }

  /// Writes a text to standard output. Waits while very much waits to be read.
  func write(_ text: String) async {
    show(nil)
    await texts.write(byteCount: text.utf8.count) { [self] in writeNow(text) }
  }

  private func writeNow(_ text: String) {
    if console.writesToTerminal { console.showSentence(nil) }
    guard !state.withLock(\.isOutputBroken) else { return }
    do throws(OutputError) {
      try console.write(text)
    } catch {
      state.withLock { state in
        state.isOutputBroken = true
        if !error.isReaderGone { state.code = .ioFailure }
      }
      if !error.isReaderGone { say("\(error.message); the recording goes on") }
    }
  }

  /// The end must come soon: nobody waits for who does not read.
  func rush() {
    texts.rush()
    talk.rush()
  }

  /// Waits until everything is shown; with a hurry not for long.
  func finish(hurry: StopSignal, clock: some Clock<Duration>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [texts, talk] in
        await texts.drain()
        await talk.drain()
      }
      group.addTask {
        guard await hurry.wait() else { return }
        try? await clock.sleep(for: Self.patience)
      }
      await group.next()
      texts.close()
      talk.close()
      group.cancelAll()
    }
  }
}
