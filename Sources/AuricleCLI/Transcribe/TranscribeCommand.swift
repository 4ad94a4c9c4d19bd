import AuricleAudio
import AuricleRecognition
import AuricleSession

/// Transcribes the inputs one after the other.
struct TranscribeCommand {
  private let request: TranscribeRequest
  private let surroundings: Surroundings
  private let console: Console
  private let loader: ProviderLoader
  private var layout: BundleLayout

  /// What became of one input.
  private struct Step {
    var code: ExitCode
    /// Whether the next input would fare the same.
    var isLast = false
  }

  init(_ request: TranscribeRequest, surroundings: Surroundings, console: Console) {
    self.request = request
    self.surroundings = surroundings
    self.console = console
    let provider = ProviderRequest(
      model: request.model, threadCount: request.threadCount, environment: surroundings.environment)
    loader = ProviderLoader(provider, load: surroundings.loadProvider)
    layout = BundleLayout(format: request.format, inputCount: request.inputs.count)
  }

  /// Does it.
  /// - Throws: ``UsageError``, before anything was done.
  mutating func run() async throws(UsageError) -> ExitCode {
    let plan = try OutputPlan(request)
    var code = ExitCode.success
    for (input, place) in zip(request.inputs, plan.places) where !surroundings.stop.isStopped {
      let step = await transcribe(input, to: place)
      code = max(code, step.code)
      if step.isLast { break }
    }
    if plan.places.contains(.standardOutput), code != .ioFailure {
      do { try console.write(layout.ending) } catch { code = max(code, failed(error)) }
    }
    return surroundings.stop.isStopped ? max(code, .interrupted) : code
  }

  private mutating func transcribe(_ input: Input, to place: OutputPlan.Place) async -> Step {
    let document: any Document
    do { document = try open(place) } catch { return Step(code: failed(error)) }
    do {
      try InputCheck.check(input)
      loader.start()
      let source = try await open(input)
      let provider = try await loader.provider()
      let configuration = RecognitionConfiguration(language: request.language, wantsPartialResults: wantsPartials)
      let session = try await provider.startSession(configuration)
      let names = ReportProvider(vendor: provider.vendor, model: provider.model)
      return await run(source, session, context: context(input, provider: names), document: document, place: place)
    } catch let error as RecognitionError {
      let step = give(up: input, SessionFailure(error), document: document, place: place)
      return Step(code: step.code, isLast: true)
    } catch is CancellationError {
      return give(up: input, nil, document: document, place: place)
    } catch {
      return give(up: input, SessionFailure(fromSource: error), document: document, place: place)
    }
  }

  private func open(_ place: OutputPlan.Place) throws(OutputError) -> any Document {
    switch place {
    case .standardOutput: ConsoleDocument(console: console)
    case .file(let path): FileDocument(file: try AtomicFile(path: path))
    }
  }

  /// Opens an input, unless it is stopped before that.
  private func open(_ input: Input) async throws -> any AudioSource {
    let sourceRequest = SourceRequest(input: input, raw: request.raw, isRealTime: request.isRealTime)
    let (stop, openSource) = (surroundings.stop, surroundings.openSource)
    return try await withThrowingTaskGroup(of: (any AudioSource).self) { group in
      group.addTask { try await openSource(sourceRequest) }
      group.addTask {
        _ = await stop.wait()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      guard let source = try await group.next() else { throw CancellationError() }
      return source
    }
  }

  /// Texts of unfinished sentences are work: they are asked for only where somebody sees them.
  private var wantsPartials: Bool { request.format == .jsonl || console.showsStatus }

  private func context(_ input: Input, provider: ReportProvider?) -> ReportContext {
    ReportContext(provider: provider, source: input.name, language: request.language?.description)
  }
}

extension TranscribeCommand {
  private mutating func run(
    _ source: any AudioSource, _ session: any RecognitionSession, context: ReportContext, document: any Document,
    place: OutputPlan.Place
  ) async -> Step {
    let name = context.source ?? "-"
    let stop = StopSignal()
    let presenter = Presenter(
      console: console, document: document, writer: writer(name), name: name, stop: stop)
    do {
      if place == .standardOutput { try presenter.write(layout.opening(name: name)) }
    } catch {
      await session.cancel()
      return Step(code: failed(error), isLast: true)
    }
    console.beginStatus(expected: source.expectedFrameCount.map(source.format.seconds))
    let observed = ObservedSource(source: source) { [console] in console.showProgress(heard: $0) }
    await run(observed, session, context: context, stop: stop, presenter: presenter)
    let outcome = presenter.outcome
    if let error = outcome.outputError {
      document.discard()
      return Step(code: max(failed(error), outcome.code), isLast: place == .standardOutput)
    }
    do { try document.commit() } catch { return Step(code: failed(error)) }
    return Step(code: outcome.code)
  }

  /// Runs until the end or until the command or its output stops.
  private func run(
    _ source: any AudioSource, _ session: any RecognitionSession, context: ReportContext, stop: StopSignal,
    presenter: Presenter
  ) async {
    let (commandStop, wallClock) = (surroundings.stop, surroundings.wallClock)
    func run(clock: some Clock<Duration>) async {
      let run = TranscriptionRun(
        source: source, session: session, context: context, limits: RunLimits(afterEnd: nil), stop: stop, clock: clock,
        wallClock: wallClock)
      await run.run { presenter.take($0) }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { if await commandStop.wait() { stop.stop() } }
      await run(clock: surroundings.clock)
      group.cancelAll()
    }
  }

  /// Says that an input gave nothing; the live stream has its error and its finish also then.
  /// - Parameter failure: Why; `nil` when it was interrupted.
  private func give(
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
        try document.write(writer(input.name).text(SessionDelivery(emitted: 0, result: result)))
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
    console.say(isAboutInput ? Presenter.message(failure.message, about: input.name) : failure.message)
  }

  private func writer(_ name: String) -> ResultWriter {
    ResultWriter(format: request.format, file: request.inputs.count > 1 ? name : nil)
  }

  /// A reader that went away got what it wanted; everything else is a failure.
  private func failed(_ error: OutputError) -> ExitCode {
    if error.isReaderGone { return .success }
    console.say(error.message)
    return .ioFailure
  }
}
