import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleSession
import Synchronization

/// Shows one recording: its sentences on standard output, everything else on the terminal.
///
/// Nothing that goes wrong with showing it ends a recording.
final class RecordPresenter: Sendable {
  private struct State {
    var code = ExitCode.success
    var isOutputBroken = false
  }

  private let console: Console
  private let source: String
  private let audioPath: String
  private let state = Mutex(State())

  init(console: Console, source: String, audioPath: String) {
    self.console = console
    self.source = source
    self.audioPath = audioPath
  }

  /// The highest code of what went wrong.
  var code: ExitCode { state.withLock(\.code) }

  /// Says that it begins.
  func begin(hasKeys: Bool, file: String) {
    if console.showsStatus {
      console.beginRecording(RecordingView(source: source, file: file, hasKeys: hasKeys))
      SignalWatch.watchSuspending { [console] in console.redraw() }
    } else {
      console.say("recording \(source) to \(audioPath)" + (hasKeys ? "; space pauses, q stops" : ""))
    }
  }

  /// Shows a delivery.
  func take(_ delivery: SessionDelivery) {
    switch delivery.result {
    case .transcript(let transcript): show(transcript)
    case .event(let event): tell(event)
    case .failure(let failure): fail(failure)
    case .recording(let status): console.show(status)
    case .finish(let report): conclude(report)
    }
  }

  private func show(_ transcript: Transcript) {
    guard transcript.isSentenceFinal else {
      return console.showSentence((text: transcript.text, stablePrefix: transcript.stablePrefix))
    }
    console.showSentence(nil)
    guard !state.withLock(\.isOutputBroken) else { return }
    do throws(OutputError) {
      try console.write(TextExport.line(transcript.text))
    } catch {
      state.withLock { $0.isOutputBroken = true }
      guard !error.isReaderGone else { return }
      console.say("\(error.message); the recording goes on")
      raise(.ioFailure)
    }
  }

  private func tell(_ event: SessionEvent) {
    let time = ClockTime(seconds: event.time).short
    switch event.kind {
    case .paused: if !console.showsStatus { console.say("paused at \(time); nothing is recorded") }
    case .resumed: if !console.showsStatus { console.say("recording again from \(time)") }
    case .audioNotice: console.say("warning: " + event.details["message", default: "the audio is odd"])
    case .audioDropped: console.say("warning: " + LossText.line(event))
    default: break
    }
  }

  private func fail(_ failure: SessionFailure) {
    console.say(failure.message)
    raise(failure.domain == SessionFailure.audioDomain ? .ioFailure : ExitCode(failure))
  }

  private func raise(_ code: ExitCode) { state.withLock { $0.code = max($0.code, code) } }

  private func conclude(_ report: RecordingReport) {
    console.endStatus()
    let isThere = SystemCalls.kind(audioPath) != nil
    console.say(
      isThere
        ? RecordingSummary.line(report, audioPath: audioPath)
        : "the recording is gone: \(audioPath) was deleted or moved away")
  }
}

/// Lost audio in a person's words.
enum LossText {
  static func line(_ event: SessionEvent) -> String {
    let start = event.details["start"].flatMap(Double.init) ?? event.time
    let end = event.details["end"].flatMap(Double.init) ?? start
    let reason = PlainText.line(event.details["reason", default: "unknown"])
    return "\(LengthText.seconds(end - start)) of audio lost at \(ClockTime(seconds: start).short) (\(reason))"
  }
}

/// The last line about a recording: where it is, how long, and what is missing.
enum RecordingSummary {
  static func line(_ report: RecordingReport, audioPath: String) -> String {
    let length = ClockTime(seconds: report.audio.duration).short
    var parts = [
      report.audio.duration > 0 ? "recorded \(length) to \(audioPath)" : "no audio came; \(audioPath) is empty"
    ]
    let lost = report.gaps.filter { $0.reason != AudioGap.Reason.paused.name }.reduce(0) { $0 + $1.end - $1.start }
    if lost > 0 { parts.append("\(LengthText.seconds(lost)) of audio is missing") }
    if let reason = report.stopReason, reason != .userInitiated { parts.append("it ended early (\(reason.name))") }
    if lacksText(report) {
      let end = report.transcripts.map(\.end).max().map { "the text ends at \(ClockTime(seconds: $0).short)" }
      parts.append("\(end ?? "it has no text"); auricle transcribe \(ShellWord.quoted(audioPath)) makes all of it")
    }
    return parts.joined(separator: "; ")
  }

  private static func lacksText(_ report: RecordingReport) -> Bool {
    report.incompleteReason == .timedOut || report.errors.contains { $0.domain == SessionFailure.recognitionDomain }
      || report.incompleteReason == .recognitionFailed
  }
}

extension ConsentGate {
  /// Pauses what is open, and resumes what is paused.
  func toggle() {
    if state == .open { pause() } else { resume() }
  }
}
