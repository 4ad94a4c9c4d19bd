import AuricleAudio
import AuricleConsent
import AuricleMedia
import AuricleRecognition
import AuricleRecording
import AuricleSession

/// Records one recording.
struct RecordCommand {
  let request: RecordRequest
  let surroundings: Surroundings
  let screen: RecordScreen
  let loader: ProviderLoader

  init(_ request: RecordRequest, surroundings: Surroundings, console: Console) {
    self.request = request
    self.surroundings = surroundings
    screen = RecordScreen(console)
    let provider = ProviderRequest(
      model: request.model, language: request.language, threadCount: request.threadCount,
      environment: surroundings.environment)
    loader = ProviderLoader(provider, load: surroundings.loadProvider)
  }

  /// Does it.
  func run() async -> ExitCode {
    let code = await recorded()
    await screen.finish(hurry: surroundings.recording.hurry, clock: surroundings.clock)
    return max(code, screen.code)
  }

  private func recorded() async -> ExitCode {
    guard let root = RecordingPlace.root(request.folder, environment: surroundings.environment) else {
      screen.say("nothing says where your data are; name a folder with --out")
      return .ioFailure
    }
    do {
      let gate = ConsentGate()
      try gate.grant(try await consent())
      if request.wantsTranscript { loader.start() }
      defer { loader.cancel() }
      let opened = try await open(gate)
      return await record(try place(opened, gate: gate, in: root))
    } catch let refusal as ConsentRefusal {
      screen.say(refusal.message)
      return .notPermitted
    } catch let error as ConsentError {
      screen.say(error.message)
      return .usage
    } catch is CancellationError {
      return .interrupted
    } catch {
      let failure = (error as? RecordingError).map { SessionFailure(fromRecording: $0) }
      return failed(failure ?? SessionFailure(fromSource: error))
    }
  }

  /// Who agrees, as the command line says or somebody at the terminal.
  /// - Throws: ``ConsentRefusal``; `CancellationError`, when the user wants an end instead.
  private func consent() async throws -> ConsentRecord {
    let participants: [String]
    switch request.consent {
    case .participants(let references): participants = references
    case .ask: participants = try await ask()
    }
    return try ConsentRecord(
      participants: participants, grantedAtMilliseconds: surroundings.wallClock().millisecondsSince1970,
      policyRevision: ConsentQuestion.policyRevision)
  }

  private func ask() async throws -> [String] {
    guard let terminal = surroundings.recording.terminal else { throw ConsentRefusal.nobodyToAsk }
    screen.post { $0.ask(ConsentQuestion.text) }
    let answer = try await surroundings.unlessStopped { await terminal.readLine() }
    guard let participants = ConsentQuestion.participants(answer: answer ?? "") else { throw ConsentRefusal.refused }
    forgetWhatCameBefore(terminal)
    return participants
  }

  /// What came through a pipe before everyone agreed is not recorded.
  private func forgetWhatCameBefore(_ terminal: any TerminalInput) {
    guard case .standardInput(let raw) = request.origin, !terminal.isStandardInput else { return }
    SystemCalls.forgetWaiting(0, unit: raw.encoding.byteCount * raw.format.channelCount)
  }

  private func open(_ gate: ConsentGate) async throws -> OpenedInput {
    let (origin, openInput) = (request.origin, surroundings.recording.openInput)
    return try await surroundings.unlessStopped { try await openInput(origin, gate) }
  }

  /// Makes the folder with the journal and the file; what was made is taken away again when one of them fails.
  private func place(_ opened: OpenedInput, gate: ConsentGate, in root: String) throws(RecordingError)
    -> PlacedRecording
  {
    let startTime = surroundings.wallClock()
    let folder = try RecordingFolder.create(in: root, named: RecordingPlace.name(startTime))
    do throws(RecordingError) {
      let journal = try Journal(creating: folder.journalPath)
      do throws(RecordingError) {
        let recorder = try Recorder(
          folder: folder, format: request.format, audio: opened.input.source.format,
          keepsSpool: request.wantsTranscript, limits: surroundings.recording.recorderLimits)
        return PlacedRecording(
          opened: opened, gate: gate, folder: folder, journal: journal, recorder: recorder, startTime: startTime)
      } catch {
        try? journal.remove()
        throw error
      }
    } catch {
      opened.input.end?()
      SystemCalls.removeEmptyFolder(folder.path)
      throw error
    }
  }

  private func failed(_ failure: SessionFailure) -> ExitCode {
    screen.say(failure.message)
    return ExitCode(failure)
  }
}

/// A recording that is about to begin.
struct PlacedRecording {
  let opened: OpenedInput
  let gate: ConsentGate
  let folder: RecordingFolder
  let journal: Journal
  let recorder: Recorder
  let startTime: Timestamp
}

/// Nobody agreed to be recorded.
struct ConsentRefusal: Error {
  /// One line that says what to do.
  let message: String

  static let nobodyToAsk = ConsentRefusal(
    message:
      "this is no terminal, so nobody can be asked for consent; add --consent REF,REF, or --yes if all agreed")
  static let refused = ConsentRefusal(message: "not everyone agreed, so nothing is recorded")
}
