import AuricleAudio
import AuricleRecognition
import AuricleSession

/// Transcribes the inputs one after the other.
struct TranscribeCommand {
  let request: TranscribeRequest
  let surroundings: Surroundings
  let console: Console
  private let loader: ProviderLoader
  var layout: BundleLayout

  /// What became of one input.
  struct Step {
    var code: ExitCode
    /// Whether the next input would fare the same.
    var isLast = false
  }

  init(_ request: TranscribeRequest, surroundings: Surroundings, console: Console) {
    self.request = request
    self.surroundings = surroundings
    self.console = console
    let provider = ProviderRequest(
      model: request.model, language: request.language, threadCount: request.threadCount,
      environment: surroundings.environment)
    loader = ProviderLoader(provider, load: surroundings.loadProvider)
    layout = BundleLayout(format: request.format, inputCount: request.inputs.count)
  }

  /// Does it.
  /// - Throws: ``UsageError``, before anything was done.
  mutating func run() async throws(UsageError) -> ExitCode {
    let plan = try OutputPlan(request)
    defer { loader.cancel() }
    var code = ExitCode.success
    for (input, place) in zip(request.inputs, plan.places) {
      let step = await transcribe(input, to: place)
      code = max(code, step.code)
      if step.isLast { break }
    }
    if plan.places.contains(.standardOutput), !console.isOutputBroken {
      do { try console.write(layout.ending) } catch { code = max(code, failed(error)) }
    }
    return surroundings.stop.isStopped ? max(code, .interrupted) : code
  }

  private mutating func transcribe(_ input: Input, to place: OutputPlan.Place) async -> Step {
    let document: any Document
    if surroundings.stop.isStopped {
      return give(up: input, nil, document: ConsoleDocument(console: console), place: place)
    }
    do { document = try open(place) } catch { return Step(code: failed(error)) }
    do {
      try InputCheck.check(input)
      loader.start()
      let source = try await open(input)
      let provider = try await surroundings.unlessStopped { [loader] in try await loader.provider() }
      return await run(source, provider, of: input, document: document, place: place)
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

  private func open(_ input: Input) async throws -> any AudioSource {
    let sourceRequest = SourceRequest(input: input, raw: request.raw, isRealTime: request.isRealTime)
    let openSource = surroundings.openSource
    return try await surroundings.unlessStopped { try await openSource(sourceRequest) }
  }

  /// Texts of unfinished sentences are work: they are asked for only where somebody sees them.
  var wantsPartials: Bool { request.format == .jsonl || console.showsStatus }

  func context(_ input: Input, provider: ReportProvider?) -> ReportContext {
    ReportContext(provider: provider, source: input.name, language: request.language?.description)
  }
}
