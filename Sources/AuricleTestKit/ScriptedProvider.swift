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
  private let play: Play

  /// What its sessions do.
  private enum Play: Sendable {
    /// All of them the same.
    case steps([ScriptStep], startError: RecognitionError?)
    /// They hear the words that are said, one after the other as they are told.
    case hearing(ScriptedTurns)
  }

  /// Creates a recogniser that plays one script in every session, whatever it hears.
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
    play = .steps(steps, startError: startError)
    capabilities = ProviderCapabilities(partialResults: true, diarization: false, offline: true, languages: languages)
  }

  /// Creates a recogniser that hears ``SpokenWords``.
  /// - Parameters:
  ///   - turns: What its sessions do.
  ///   - vendor: Who makes it.
  ///   - model: Which model it pretends to be.
  ///   - needsNetwork: Whether it says that it works only with a network.
  public init(
    hearing turns: ScriptedTurns, vendor: String = "scripted", model: String = "words", needsNetwork: Bool = false
  ) {
    self.vendor = vendor
    self.model = model
    play = .hearing(turns)
    capabilities = ProviderCapabilities(
      partialResults: true, diarization: false, offline: !needsNetwork, languages: ["en"])
  }

  /// Begins to play.
  public func startSession(
    _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    if case .steps(_, let startError?) = play { throw startError }
    if let language = configuration.language, !capabilities.languages.isEmpty,
      !capabilities.languages.contains(language.primary)
    {
      throw RecognitionError(.languageUnsupported, "the script does not know \(language): leave the language out")
    }
    switch play {
    case .steps(let steps, _): return ScriptedSession(steps, wantsPartialResults: configuration.wantsPartialResults)
    case .hearing(let turns): return try await hear(turns.next(), configuration)
    }
  }

  private func hear(
    _ turn: ScriptedTurn, _ configuration: RecognitionConfiguration
  ) async throws(RecognitionError) -> any RecognitionSession {
    switch turn {
    case .failsToStart(let kind): throw RecognitionError(kind, "the script says so")
    case .hangsAtStart:
      await ScriptGate().pass()
      throw RecognitionError(.cancelled, "the start was given up")
    case .startsBehind(let gate): await gate.passForSure()
    case .works, .dies, .ends, .refuses, .waits, .hangs, .talksNonsense, .isSlow: break
    }
    return HearingSession(turn, wantsPartialResults: configuration.wantsPartialResults)
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
