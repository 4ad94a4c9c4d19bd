import AuricleAudio
import AuricleRecognition
import AuricleSession

extension TranscribeCommand {
  /// Runs a session and writes what it gives.
  mutating func run(
    _ source: any AudioSource, _ provider: any RecognitionProvider, of input: Input, document: any Document,
    place: OutputPlan.Place
  ) async -> Step {
    let name = input.shownName
    let stop = StopSignal()
    let presenter = Presenter(
      console: console, document: document, writer: writer(input), name: name, stop: stop)
    do {
      if place == .standardOutput { try presenter.write(layout.opening(name: name)) }
    } catch {
      return Step(code: failed(error), isLast: true)
    }
    console.beginStatus(expected: source.expectedFrameCount.map(source.format.seconds))
    let observed = ObservedSource(source: source) { [console] in console.showProgress(heard: $0) }
    let report = await run(observed, provider, of: input, stop: stop, presenter: presenter)
    let outcome = presenter.outcome
    if let error = outcome.outputError {
      document.discard()
      let isLast = place == .standardOutput || surroundings.stop.isStopped
      return Step(code: max(failed(error), outcome.code), isLast: isLast)
    }
    do { try document.commit() } catch { return Step(code: failed(error)) }
    // A recogniser that brought nothing, however often it was asked, does no better with the next input.
    let isDeaf = report.incompleteReason == .recognitionFailed && report.transcripts.isEmpty
    return Step(code: outcome.code, isLast: surroundings.stop.isStopped || isDeaf)
  }

  /// Runs until the end or until the command or its output stops.
  private func run(
    _ source: any AudioSource, _ provider: any RecognitionProvider, of input: Input, stop: StopSignal,
    presenter: Presenter
  ) async -> RecordingReport {
    let (commandStop, wallClock) = (surroundings.stop, surroundings.wallClock)
    let configuration = RecognitionConfiguration(language: request.language, wantsPartialResults: wantsPartials)
    let names = ReportProvider(vendor: provider.vendor, model: provider.model)
    let context = context(input, provider: names)
    func run(clock: some Clock<Duration>) async -> RecordingReport {
      let run = TranscriptionRun(
        source: source, provider: provider, configuration: configuration, context: context,
        limits: RunLimits(afterEnd: nil), stop: stop, clock: clock, wallClock: wallClock)
      return await run.run { presenter.take($0) }
    }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { if await commandStop.wait() { stop.stop() } }
      defer { group.cancelAll() }
      return await run(clock: surroundings.clock)
    }
  }

  /// Says that an input gave nothing; the live stream has its error and its finish also then.
  /// - Parameter failure: Why; `nil` when it was interrupted.
  func give(
    up input: Input, _ failure: SessionFailure?, document: any Document, place: OutputPlan.Place
  ) -> Step {
    if let failure { say(failure, of: input) }
    let step = Step(code: failure.map(ExitCode.init) ?? .interrupted, isLast: failure == nil)
    defer { document.discard() }
    guard request.format == .jsonl, place == .standardOutput else { return step }
    var builder = ReportBuilder(context: context(input, provider: nil), startTime: surroundings.wallClock())
    builder.apply(failure.map(ReportEntry.failure) ?? .incomplete(.interrupted))
    do {
      for result in [failure.map(SessionResult.failure), .finish(builder.current)].compactMap({ $0 }) {
        try document.write(writer(input).text(SessionDelivery(emitted: 0, result: result)))
      }
      return step
    } catch {
      let error = error as? OutputError ?? OutputError("cannot encode the report: \(error)")
      return Step(code: max(step.code, failed(error)), isLast: true)
    }
  }

  /// A source's failure is about the input, a recogniser's is not.
  private func say(_ failure: SessionFailure, of input: Input) {
    let isAboutInput = failure.domain == SessionFailure.audioDomain
    console.say(isAboutInput ? Presenter.message(failure.message, about: input.shownName) : failure.message)
  }

  private func writer(_ input: Input) -> ResultWriter {
    ResultWriter(format: request.format, file: request.inputs.count > 1 ? input.name : nil)
  }

  /// A reader that went away got what it wanted; everything else is a failure.
  func failed(_ error: OutputError) -> ExitCode {
    if error.isReaderGone { return .success }
    console.say(error.message)
    return .ioFailure
  }
}
