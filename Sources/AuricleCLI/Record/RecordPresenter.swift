import AuricleAudio
import AuricleRecognition
import AuricleSession
import Synchronization

/// Shows one recording: its sentences on standard output, everything else on the terminal.
///
/// Nothing that goes wrong with showing it ends a recording, and nobody who does not read holds it up.
final class RecordPresenter: Sendable {
  private let screen: RecordScreen
  private let source: String
  private let audioPath: String
  /// What was said to have gone wrong.
  private let told = Mutex<Set<SessionFailure>>([])

  init(screen: RecordScreen, source: String, audioPath: String) {
    self.screen = screen
    self.source = source
    self.audioPath = audioPath
  }

  /// Says that it begins.
  func begin(hasKeys: Bool, file: String) {
    if screen.console.showsStatus {
      let view = RecordingView(source: source, file: file, hasKeys: hasKeys)
      screen.post { $0.beginRecording(view) }
      SignalWatch.watchSuspending { [screen] in screen.post { $0.redraw() } }
    } else {
      screen.say("recording \(source) to \(audioPath)" + (hasKeys ? "; space pauses, q stops" : ""))
    }
  }

  /// Shows a delivery. Waits only while very much text waits for its reader.
  func take(_ delivery: SessionDelivery) async {
    switch delivery.result {
    case .transcript(let transcript): await show(transcript)
    case .event(let event): tell(event)
    case .failure(let failure): tell(failure)
    case .recording(let status): screen.post(.status) { $0.show(status) }
    case .finish(let report): conclude(report)
    }
  }

  private func show(_ transcript: Transcript) async {
    guard transcript.isSentenceFinal else {
      return screen.show((text: transcript.text, stablePrefix: transcript.stablePrefix))
    }
    await screen.write(TextExport.line(transcript.text))
  }

  private func tell(_ event: SessionEvent) {
    let time = ClockTime(seconds: event.time).short
    switch event.kind {
    case .paused: if !screen.console.showsStatus { screen.say("paused at \(time); nothing is recorded") }
    case .resumed: if !screen.console.showsStatus { screen.say("recording again from \(time)") }
    case .audioNotice: screen.say("warning: " + event.details["message", default: "the audio is odd"])
    case .inputSilent, .inputClipping, .inputRouteChanged, .interruptionBegan, .interruptionEnded, .storageLow:
      if let evidence = event.evidence { screen.say("warning: " + evidence) }
    case .consentWithdrawn: screen.say("consent was withdrawn; nothing is recorded any more")
    case .audioDropped: screen.say("warning: " + LossText.line(event))
    default: break
    }
  }

  private func tell(_ failure: SessionFailure) {
    told.withLock { _ = $0.insert(failure) }
    screen.say(failure.message)
  }

  /// News may have been left out where there was no room for them; a failure is told all the same.
  private func conclude(_ report: RecordingReport) {
    let told = told.withLock { $0 }
    for failure in report.errors where !told.contains(failure) { screen.say(failure.message) }
    let (report, audioPath) = (report, audioPath)
    screen.post { console in
      console.endStatus()
      if report.isDestroyed { return console.say("everything that was recorded is destroyed; the report says so") }
      let isThere = SystemCalls.kind(audioPath) != nil
      console.say(
        isThere
          ? RecordingSummary.line(report, audioPath: audioPath)
          : "the recording is gone: \(audioPath) was deleted or moved away")
    }
  }
}

extension ExitCode {
  /// The code of a recording that is over.
  init(_ report: RecordingReport) {
    let codes = report.errors.map { $0.domain == SessionFailure.audioDomain ? .ioFailure : ExitCode($0) }
    let isTextless = report.incompleteReason == .recognitionFailed
    self = codes.reduce(isTextless ? .unavailable : .success, max)
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
