import AuricleMedia
import AuricleRecognition
import AuricleSession

extension RecordCommand {
  /// Records to the end, and says what came of it.
  func record(_ configuration: SessionConfiguration, in root: String) async -> ExitCode {
    let environment = RecordEnvironment(request: request, surroundings: surroundings, loader: loader, root: root)
    let session = RecordingSession(configuration, environment: environment.session)
    return await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      addSignals(to: &group, session)
      do throws(SessionFailure) {
        try await session.start()
      } catch {
        return failed(error)
      }
      addControls(to: &group, session)
      await present(session)
      return session.report.map { ExitCode($0) } ?? .ioFailure
    }
  }

  private func present(_ session: RecordingSession) async {
    guard let opened = session.opened else { return }
    let source = opened.device.map(\.description) ?? request.origin.shownName
    let presenter = RecordPresenter(screen: screen, source: source, audioPath: opened.audioPath)
    presenter.begin(hasKeys: hearsKeys, file: request.format.fileName)
    for await delivery in session.results { await presenter.take(delivery) }
  }

  /// A start that the user stopped is no failure.
  private func failed(_ failure: SessionFailure) -> ExitCode {
    if failure.isCancellation { return .interrupted }
    screen.say(failure.message)
    return ExitCode(failure)
  }

  /// Keys are heard where somebody sits whose terminal is not what is recorded.
  private var hearsKeys: Bool {
    guard let terminal = surroundings.recording.terminal else { return false }
    if case .standardInput = request.origin { return !terminal.isStandardInput }
    return true
  }

  /// What stops and hurries it.
  private func addSignals(to group: inout TaskGroup<Void>, _ session: RecordingSession) {
    let (stop, hurry) = (surroundings.stop, surroundings.recording.hurry)
    group.addTask {
      if await stop.wait() { session.stop() }
    }
    group.addTask { [withdrawal = surroundings.recording.withdrawal] in
      if await withdrawal.wait() { session.withdrawConsent() }
    }
    group.addTask { [screen] in
      guard await hurry.wait() else { return }
      session.hurry()
      screen.rush()
    }
  }

  /// What pauses, resumes and stops it by hand, and what keeps its view alive.
  private func addControls(to group: inout TaskGroup<Void>, _ session: RecordingSession) {
    let (stop, hurry) = (surroundings.stop, surroundings.recording.hurry)
    let requests = surroundings.recording.pauseRequests()
    group.addTask {
      for await _ in requests { session.toggle() }
    }
    addTick(to: &group, clock: surroundings.clock)
    guard hearsKeys, let terminal = surroundings.recording.terminal else { return }
    let keys = terminal.keys()
    group.addTask {
      for await key in keys {
        switch key {
        case UInt8(ascii: " "): session.toggle()
        case UInt8(ascii: "w"), UInt8(ascii: "W"): session.withdrawConsent()
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): stop.isStopped ? hurry.stop() : stop.stop()
        default: break
        }
      }
    }
  }

  /// The view shows also that nothing comes, of which nobody tells.
  private func addTick(to group: inout TaskGroup<Void>, clock: some Clock<Duration>) {
    guard screen.console.showsStatus else { return }
    group.addTask { [screen] in
      while (try? await clock.sleep(for: Self.tickInterval)) != nil { screen.post(.tick) { $0.tick() } }
    }
  }

  private static let tickInterval = Duration.milliseconds(500)
}

extension RecordingSession {
  /// Pauses what is recorded, and resumes what is paused.
  fileprivate func toggle() {
    if state == .recording { pause() } else { resume() }
  }
}

extension SessionFailure {
  /// Whether it says that the user stopped it.
  fileprivate var isCancellation: Bool {
    domain == Self.recognitionDomain && code == RecognitionError.Kind.cancelled.name
  }
}
