import AuricleAudio
import AuricleConsent
import AuricleMedia
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
      let consent = try await consent()
      if request.wantsTranscript { loader.start() }
      defer { loader.cancel() }
      return await record(configuration(consent), in: root)
    } catch let refusal as ConsentRefusal {
      screen.say(refusal.message)
      return .notPermitted
    } catch let error as ConsentError {
      screen.say(error.message)
      return .usage
    } catch {
      return .interrupted
    }
  }

  private func configuration(_ consent: ConsentRecord) -> SessionConfiguration {
    SessionConfiguration(
      consent: consent, wantsTranscript: request.wantsTranscript, language: request.language?.description,
      maximumMinutes: request.maximumMinutes, seconds: request.seconds,
      wantsPartialResults: screen.console.showsStatus, onWithdrawal: request.onWithdrawal)
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
