import AuricleAudio
import AuricleRecognition
import AuricleSession
import Synchronization

/// Shows one run: its text to a document, its talk and its status line to the console.
final class Presenter: Sendable {
  /// What became of a run.
  struct Outcome: Sendable {
    /// The highest code of the failures.
    var code = ExitCode.success
    /// Writing failed, and nothing more was written.
    var outputError: OutputError?
    /// Somebody spoke, and no words were found.
    var hasLostWords = false
  }

  private let console: Console
  private let document: any Document
  private let writer: ResultWriter
  private let name: String
  private let stop: StopSignal
  private let state = Mutex(Outcome())

  /// - Parameter stop: Thrown when writing fails, since the rest would be for nobody.
  init(console: Console, document: any Document, writer: ResultWriter, name: String, stop: StopSignal) {
    self.console = console
    self.document = document
    self.writer = writer
    self.name = name
    self.stop = stop
  }

  /// What became of the run so far.
  var outcome: Outcome { state.withLock { $0 } }

  /// Shows a delivery.
  func take(_ delivery: SessionDelivery) {
    talk(about: delivery.result)
    guard outcome.outputError == nil else { return }
    do {
      try write(writer.text(delivery))
    } catch {
      stopWriting(error as? OutputError ?? OutputError("cannot encode the report: \(error)"))
    }
  }

  /// Writes text that stands around the results.
  func write(_ text: String) throws(OutputError) {
    try document.write(text)
  }

  /// Writes nothing more.
  func stopWriting(_ error: OutputError) {
    state.withLock { $0.outputError = $0.outputError ?? error }
    stop.stop()
  }

  private func talk(about result: SessionResult) {
    switch result {
    case .transcript(let transcript):
      console.showSentence(
        transcript.isSentenceFinal ? nil : (text: transcript.text, stablePrefix: transcript.stablePrefix))
    case .event(let event): warn(about: event)
    case .failure(let failure):
      state.withLock { $0.code = max($0.code, ExitCode(failure)) }
      console.say(Self.message(failure.message, about: name))
    case .recording: break
    case .finish(let report): conclude(report)
    }
  }

  private func warn(about event: SessionEvent) {
    switch event.kind {
    case .audioNotice:
      console.say("warning: " + Self.message(event.details["message", default: "the audio is odd"], about: name))
    case .audioDropped where event.details["reason"] != AudioGap.Reason.paused.name:
      let start = event.details["start", default: "?"]
      let end = event.details["end", default: "?"]
      let reason = event.details["reason", default: "unknown"]
      console.say("warning: \(name): audio is missing from \(start) s to \(end) s (\(reason))")
    case .speechWithoutText: warnOfLostWords(event)
    case .aiServiceNetworkError:
      console.say("warning: \(name): \(event.evidence ?? "the connection was lost"); the recogniser is asked again")
    default: break
    }
  }

  /// Speech without words is told, unless it was so short that it may have been a breath.
  private func warnOfLostWords(_ event: SessionEvent) {
    guard let start = event.details["start"].flatMap(Double.init), let end = event.details["end"].flatMap(Double.init),
      end - start >= 0.4
    else { return }
    state.withLock { $0.hasLostWords = true }
    let place = "\(ClockTime(seconds: start).short) to \(ClockTime(seconds: end).short)"
    console.say("warning: \(name): somebody spoke from \(place), and the recogniser found no words")
  }

  private func conclude(_ report: RecordingReport) {
    console.endStatus()
    if report.incompleteReason == .interrupted, outcome.outputError == nil {
      console.say("\(name): interrupted at \(ClockTime(seconds: report.audio.duration).short); the text ends there")
    } else if report.transcripts.isEmpty, !report.isIncomplete, !outcome.hasLostWords {
      console.say("\(name): no speech found")
    }
  }

  /// A message with the input's name in front, unless it has it already.
  static func message(_ message: String, about name: String) -> String {
    message.hasPrefix("\(name): ") ? message : "\(name): \(message)"
  }
}
