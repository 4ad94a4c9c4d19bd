import AuricleAudio
import AuricleRecognition

/// A recogniser that plays a script: for tests of what is built on recognisers.
public struct ScriptedProvider: RecognitionProvider {
  /// Who makes it.
  public let vendor: String
  /// Which model it pretends to be.
  public let model: String
  /// What it can do.
  public let capabilities: ProviderCapabilities
  private let steps: [ScriptStep]
  private let startError: RecognitionError?

  /// Creates a recogniser.
  /// - Parameters:
  ///   - steps: What every session plays, in order; a step waits for those before it.
  ///   - vendor: Who makes it.
  ///   - model: Which model it pretends to be.
  ///   - languages: The languages it knows; empty knows all.
  ///   - startError: Thrown by every start.
  public init(
    _ steps: [ScriptStep], vendor: String = "scripted", model: String = "script", languages: [String] = ["en"],
    startError: RecognitionError? = nil
  ) {
    self.vendor = vendor
    self.model = model
    self.steps = steps
    self.startError = startError
    capabilities = ProviderCapabilities(partialResults: true, diarization: false, offline: true, languages: languages)
  }

  /// Begins to play.
  public func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    if let startError { throw startError }
    if let language = configuration.language, !capabilities.languages.isEmpty,
      !capabilities.languages.contains(language.primary)
    {
      throw RecognitionError(.languageUnsupported, "the script does not know \(language): leave the language out")
    }
    return ScriptedSession(steps, wantsPartialResults: configuration.wantsPartialResults)
  }
}

/// One playing of a script.
actor ScriptedSession: RecognitionSession {
  nonisolated let results = ResultStream()
  private var steps: ArraySlice<ScriptStep>
  private let wantsPartialResults: Bool
  private let cancelled = ScriptGate()
  private var isCancelled = false
  private var isFinished = false
  private var heardFrames: Int64 = 0
  private var sequence = 0

  init(_ steps: [ScriptStep], wantsPartialResults: Bool) {
    self.steps = steps[...]
    self.wantsPartialResults = wantsPartialResults
  }

  func accept(_ chunk: AudioChunk) async throws(RecognitionError) {
    guard !isCancelled else { throw RecognitionError(.cancelled, "the session was cancelled") }
    switch chunk {
    case .audio(let block): heardFrames = max(heardFrames, block.frames.upperBound)
    case .gap(let gap): heardFrames = max(heardFrames, gap.frames.upperBound)
    case .notice: return
    }
    while let step = steps.first, case .frame(let due) = step.moment, due <= heardFrames, !isCancelled {
      steps.removeFirst()
      await perform(step.action)
    }
    if isCancelled { throw RecognitionError(.cancelled, "the session was cancelled") }
  }

  func finish() async {
    guard !isFinished else { return }
    isFinished = true
    for step in steps where step.moment == .finish && !isCancelled { await perform(step.action) }
    results.finish()
  }

  func cancel() {
    isCancelled = true
    cancelled.open()
    results.cancel()
  }

  private func perform(_ action: ScriptStep.Action) async {
    switch action {
    case .deliver(.transcript(let transcript)):
      guard transcript.isSentenceFinal || wantsPartialResults else { return }
      await results.send(.transcript(numbered(transcript)))
    case .deliver(let result): await results.send(result)
    case .fail(let error):
      await results.send(.error(error))
      steps = []
      results.finish()
    case .hold(let gate): await ScriptGate.pass(gate, or: cancelled)
    }
  }

  private func numbered(_ transcript: Transcript) -> Transcript {
    defer { sequence += 1 }
    return Transcript(
      sentenceIndex: transcript.sentenceIndex, text: transcript.text, stablePrefix: transcript.stablePrefix,
      isSentenceFinal: transcript.isSentenceFinal, span: transcript.span, languageCode: transcript.languageCode,
      speakerSegments: transcript.speakerSegments, sequence: sequence)
  }
}
