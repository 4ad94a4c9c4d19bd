import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleRecording
import AuricleSession

/// Recovers recordings one after the other; one that cannot be recovered does not stop the others.
struct RecoverCommand {
  let request: RecoverRequest
  let surroundings: Surroundings
  let console: Console
  private let loader: ProviderLoader

  init(_ request: RecoverRequest, surroundings: Surroundings, console: Console) {
    self.request = request
    self.surroundings = surroundings
    self.console = console
    let provider = ProviderRequest(
      model: request.model, language: request.language, threadCount: request.threadCount,
      environment: surroundings.environment)
    loader = ProviderLoader(provider, load: surroundings.loadProvider)
  }

  /// Does it.
  func run() async -> ExitCode {
    guard let root = RecordingPlace.root(request.folder, environment: surroundings.environment) else {
      console.say("nothing says where your data are; name a folder with --out")
      return .ioFailure
    }
    defer { loader.cancel() }
    do throws(SessionFailure) {
      let folders = try RecordingRecovery<ContinuousClock>.folders(in: root)
      if folders.isEmpty { return tell("Nothing to recover in \(PlainText.line(root)).") }
      var code = ExitCode.success
      for folder in folders {
        code = max(code, await recover(folder, clock: surroundings.clock))
        if surroundings.stop.isStopped { return .interrupted }
      }
      return code
    } catch {
      console.say(error.message)
      return ExitCode(error)
    }
  }

  private func recover(_ folder: RecordingFolder, clock: some Clock<Duration>) async -> ExitCode {
    let openSource = surroundings.openSource
    let recovery = RecordingRecovery(
      folder: folder, recognition: recognition,
      openAudio: { [console] path in
        let source = try await openSource(SourceRequest(input: .file(path), raw: nil, isRealTime: false))
        console.beginStatus(expected: source.expectedFrameCount.map(source.format.seconds))
        return ObservedSource(source: source) { console.showProgress(heard: $0) }
      }, stop: surroundings.stop, clock: clock, wallClock: surroundings.wallClock)
    defer { console.endStatus() }
    do throws(SessionFailure) {
      let outcome = try await recovery.run { _ in }
      return tell(outcome, about: folder)
    } catch {
      console.say(Presenter.message(error.message, about: PlainText.line(folder.path)))
      return ExitCode(error)
    }
  }

  private var recognition: RecordingRecognition {
    let surroundings = surroundings
    return RecordingRecognition(
      provider: { [loader] in try await surroundings.unlessStopped { try await loader.provider() } },
      configuration: RecognitionConfiguration(language: request.language, wantsPartialResults: false),
      speech: { $0 })
  }

  private func tell(_ outcome: RecoveryOutcome, about folder: RecordingFolder) -> ExitCode {
    let path = PlainText.line(folder.path)
    switch outcome {
    case .inUse: return tell("\(path): still recording; left alone.")
    case .stopped:
      console.say("\(path): interrupted; the next auricle recover goes on there")
      return .interrupted
    case .recovered(let report, let failure):
      let code = tell(Self.summary(report, path: path))
      guard let failure else { return code }
      console.say(Presenter.message(failure.message, about: path))
      return max(code, ExitCode(failure))
    case .waiting(let report, let failure):
      let code = tell(Self.summary(report, path: path))
      console.say(Presenter.message("\(failure.message); then auricle recover adds the text", about: path))
      return max(code, .unavailable)
    }
  }

  private static func summary(_ report: RecordingReport, path: String) -> String {
    if report.isDestroyed { return "\(path): consent was withdrawn; everything that was recorded is destroyed." }
    let count = report.transcripts.count
    let words = count == 1 ? "1 sentence" : "\(count) sentences"
    let state = report.isIncomplete ? "incomplete: \(report.incompleteReason?.rawValue ?? "unknown")" : "complete"
    return "\(path): recovered \(ClockTime(seconds: report.audio.duration).short), \(words); \(state)."
  }

  private func tell(_ line: String) -> ExitCode {
    do throws(OutputError) {
      try console.write(line + "\n")
      return .success
    } catch {
      if error.isReaderGone { return .success }
      console.say(error.message)
      return .ioFailure
    }
  }
}
