import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleRecording
import AuricleSession

extension RecordCommand {
  /// Records to the end, and says what came of it.
  func record(_ placed: PlacedRecording) async -> ExitCode {
    let source = placed.opened.device.map(\.description) ?? request.origin.shownName
    let audioPath = placed.folder.audioPath(request.format)
    let presenter = RecordPresenter(screen: screen, source: source, audioPath: audioPath)
    presenter.begin(hasKeys: hearsKeys, file: request.format.fileName)
    let file = KnownFile(RecorderFile(placed.recorder))
    return await withTaskGroup(of: Void.self) { group in
      addControls(to: &group, placed)
      let report = await run(placed, file, clock: surroundings.clock, presenter)
      group.cancelAll()
      return ExitCode(report)
    }
  }

  private func run(
    _ placed: PlacedRecording, _ file: KnownFile, clock: some Clock<Duration>, _ presenter: RecordPresenter
  ) async -> RecordingReport {
    let run = RecordingRun(
      input: placed.opened.input, gate: placed.gate, writer: file, journal: placed.journal, folder: placed.folder.path,
      header: header(placed), recognition: request.wantsTranscript ? recognition : nil,
      limits: RecordingLimits(seconds: request.seconds), stop: surroundings.stop, hurry: surroundings.recording.hurry,
      clock: clock, wallClock: surroundings.wallClock)
    return await run.run { await presenter.take($0) }
  }

  private var recognition: RecordingRecognition {
    RecordingRecognition(
      provider: { [loader] in try await loader.provider() },
      configuration: RecognitionConfiguration(
        language: request.language, wantsPartialResults: screen.console.showsStatus),
      speech: { SpeechSource($0) })
  }

  private func header(_ placed: PlacedRecording) -> JournalHeader {
    let consent = placed.gate.record.map { record in
      ReportConsent(
        participants: record.participants,
        grantedAt: Timestamp(millisecondsSince1970: record.grantedAtMilliseconds),
        policyRevision: record.policyRevision)
    }
    return JournalHeader(
      startTime: placed.startTime, audioFileName: request.format.fileName, format: placed.opened.input.source.format,
      consent: consent, device: placed.opened.device, source: request.origin.name,
      language: request.language?.description, wantsTranscript: request.wantsTranscript)
  }

  /// Keys are heard where somebody sits whose terminal is not what is recorded.
  private var hearsKeys: Bool {
    guard let terminal = surroundings.recording.terminal else { return false }
    if case .standardInput = request.origin { return !terminal.isStandardInput }
    return true
  }

  /// What pauses, resumes and stops the recording, and what keeps its view alive.
  private func addControls(to group: inout TaskGroup<Void>, _ placed: PlacedRecording) {
    let gate = placed.gate
    let (stop, hurry) = (surroundings.stop, surroundings.recording.hurry)
    let requests = surroundings.recording.pauseRequests()
    group.addTask {
      for await _ in requests { gate.toggle() }
    }
    group.addTask { [screen] in
      if await hurry.wait() { screen.rush() }
    }
    addTick(to: &group, clock: surroundings.clock)
    guard hearsKeys, let terminal = surroundings.recording.terminal else { return }
    let keys = terminal.keys()
    group.addTask {
      for await key in keys {
        switch key {
        case UInt8(ascii: " "): gate.toggle()
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
