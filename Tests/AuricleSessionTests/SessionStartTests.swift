import AuricleAudio
import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSession

@Suite("How a session starts", .timeLimit(.minutes(5)))
struct SessionStartTests {
  private func code(_ bench: SessionBench) async -> String? { await failure(of: bench.session())?.code }

  private func provider(offline: Bool) -> ServiceProvider {
    ServiceProvider(
      vendor: "cloud", version: "1",
      capabilities: ProviderCapabilities(partialResults: true, diarization: false, offline: offline, languages: ["en"]),
      recognition: { () async throws(RecognitionError) in ScriptedProvider(RecordingBench.speech) })
  }

  @Test("§3: The route reaches the source; without one it is the automatic one", arguments: [nil, "desk"])
  func route(_ input: String?) async throws {
    var bench = try SessionBench()
    bench.configuration.route = input.map { AudioRoute(input: $0) }
    _ = try await bench.whole()
    #expect(bench.routes.withLock { $0 } == [bench.configuration.route])
  }

  /// A recogniser that keeps what it was asked for.
  private struct AskedProvider: RecognitionProvider {
    let vendor = "asked"
    let model = "none"
    let capabilities = ProviderCapabilities(partialResults: true, diarization: true, offline: true, languages: ["de"])
    let asked = Guarded<RecognitionConfiguration?>(nil)

    func startSession(
      _ configuration: RecognitionConfiguration
    ) async throws(RecognitionError) -> any RecognitionSession {
      asked.withLock { $0 = configuration }
      return try await ScriptedProvider([], languages: []).startSession(configuration)
    }
  }

  @Test(
    "§3: What is wished for reaches the provider: language, unfinished sentences, speakers", arguments: [true, false])
  func wishes(_ isWished: Bool) async throws {
    var bench = try SessionBench()
    let provider = AskedProvider()
    bench.providers = [ServiceProvider(provider, version: "1")]
    bench.configuration.language = "de-AT"
    bench.configuration.wantsSpeakerDiarization = isWished
    bench.configuration.wantsPartialResults = isWished
    _ = try await bench.whole()
    let expected = RecognitionConfiguration(
      language: LanguageTag("de-AT"), wantsPartialResults: isWished, wantsSpeakerDiarization: isWished)
    #expect(provider.asked.withLock { $0 } == expected)
  }

  @Test("§1: A start that succeeds is told once, before everything that is heard")
  func started() async throws {
    let (session, seen) = try await SessionBench().whole()
    #expect(seen.events.prefix(2) == ["userInitiatedToStart", "sessionStarted"])
    #expect(seen.events.count { $0 == "sessionStarted" } == 1 && !seen.events.contains("sessionStartFailed"))
    #expect(session.report?.sessionEvents.map(\.event) == seen.events)
  }

  @Test("§1: A start that fails is told once, is thrown once, and has no finish and no errors beside it")
  func failed() async throws {
    var bench = try SessionBench()
    bench.whileOpening = { throw AudioError(.notFound, "there is no microphone") }
    let session = bench.session()
    let failure = await failure(of: session)
    #expect(failure == SessionFailure(AudioError(.notFound, "there is no microphone")))
    let deliveries = await session.all()
    let events = deliveries.compactMap { delivery in
      if case .event(let event) = delivery.result { event } else { nil }
    }
    #expect(deliveries.count == 2 && events.map(\.kind) == [.userInitiatedToStart, .sessionStartFailed])
    #expect(events.last?.error?.code == "notFound" && events.last?.evidence == "there is no microphone")
    #expect(session.report == nil && session.state == .idle && session.isAudioOver)
    #expect(await session.audioEnd().reason == .unknown && bench.fileCount.withLock { $0 } == 0)
  }

  @Test("§1: A session is started once")
  func twice() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    try await session.start()
    #expect(await failure(of: session)?.code == "busy" && session.state == .recording)
    session.stop()
    #expect(await session.seen().finishCount == 1)
  }

  @Test("§2: A stop while it starts makes the start fail; what is opened too late is closed, and nothing is left")
  func stoppedWhileStarting() async throws {
    var bench = try SessionBench()
    let gate = ScriptGate()
    // Opening that does not heed its cancellation.
    bench.whileOpening = { await Task.detached { await gate.pass() }.value }
    let session = bench.session()
    let result = Task { await failure(of: session) }
    await gate.waitForArrival()
    #expect(session.state == .starting)
    session.stop()
    #expect(await result.value?.code == "cancelled")
    #expect(session.state == .stopping && !bench.source.isOver)
    gate.open()
    #expect(await eventually { session.state == .idle })
    #expect(bench.source.isOver && bench.source.readCount == 0 && bench.fileCount.withLock { $0 } == 0)
    #expect(await session.all().count == 2)
  }

  @Test("§2: A stop while the files are made leaves none of them behind")
  func stoppedWhileMaking() async throws {
    var bench = try SessionBench()
    let holder = Guarded<RecordingSession?>(nil)
    bench.whileMaking = { holder.withLock { $0 }?.stop() }
    let session = bench.session()
    holder.withLock { $0 = session }
    #expect(await failure(of: session)?.code == "cancelled")
    #expect(await eventually { session.state == .idle })
    #expect(bench.folder.names.isEmpty && bench.journal.isRemoved && bench.writer.isFinished && bench.source.isOver)
    holder.withLock { $0 = nil }
  }

  @Test("§2: A stop before the start, which may come late, stops it as well")
  func stoppedBefore() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    session.stop()
    #expect(await failure(of: session)?.code == "cancelled")
    #expect(bench.openCount.withLock { $0 } == 0 && session.state == .idle)
  }

  @Test("§2: A start whose task is cancelled fails; one that has succeeded is not touched by that")
  func cancelledStart() async throws {
    var bench = try SessionBench()
    let gate = ScriptGate()
    bench.whileOpening = {
      await gate.pass()
      try Task.checkCancellation()
    }
    let session = bench.session()
    let task = Task { await failure(of: session) }
    await gate.waitForArrival()
    task.cancel()
    #expect(await task.value?.code == "cancelled")
  }

  @Test(
    "§3: Languages that cannot be",
    arguments: [
      ("auto", "languageUnsupported"), ("AUTO", "languageUnsupported"),
      ("", "languageEmpty"), ("no language", "invalidParameter"), ("de", "languageUnsupported"),
    ])
  func languages(language: String, kind: String) async throws {
    var bench = try SessionBench()
    bench.configuration.language = language
    #expect(await code(bench) == kind && bench.openCount.withLock { $0 } == 0)
  }

  @Test("§3: No language is the program's own; one that is asked for goes before it")
  func ownLanguage() async throws {
    for (asked, expected) in [(nil, "en-GB"), ("en-US", "en-US")] as [(String?, String)] {
      var bench = try SessionBench()
      bench.language = "en-GB"
      bench.configuration.language = asked
      #expect(try await bench.whole().1.report.language == expected)
    }
  }

  @Test("§3: The output of a route has to be none")
  func output() async throws {
    var bench = try SessionBench()
    bench.configuration.route = AudioRoute(input: "mic", output: "loudspeaker")
    #expect(await code(bench) == "invalidParameter")
    bench.configuration.route = AudioRoute(input: "mic")
    #expect(try await bench.whole().1.finishCount == 1)
  }

  @Test("§7: The greatest length is 1 to 240 minutes", arguments: [0, 241, -1, Int.max])
  func minutes(count: Int) async throws {
    var bench = try SessionBench(wantsTranscript: false)
    bench.configuration.maximumMinutes = count
    #expect(await code(bench) == "invalidParameter" && bench.openCount.withLock { $0 } == 0)
  }

  @Test("§3: Without a network a provider that needs one fails at once, unless that is allowed")
  func offline() async throws {
    var bench = try SessionBench()
    bench.network = FixedNetwork(isOnline: false)
    bench.providers = [provider(offline: false)]
    #expect(await code(bench) == "offline" && bench.openCount.withLock { $0 } == 0)
    bench.configuration.allowsRecordingWhileOffline = true
    bench.source.speak(seconds: 1)
    let session = bench.session()
    try await session.start()
    session.cancel()
    #expect(await session.seen().report.isOfflineRecording && bench.writer.frameCount == 16_000)
  }

  @Test("§3: Without a network a provider that needs none is no offline recording")
  func capable() async throws {
    var bench = try SessionBench()
    bench.network = FixedNetwork(isOnline: false)
    bench.providers = [provider(offline: true)]
    #expect(try await !bench.whole().1.report.isOfflineRecording)
  }

  @Test("§6: Without a provider there is no text; a recording of audio alone needs none")
  func noProvider() async throws {
    var bench = try SessionBench()
    bench.providers = []
    #expect(await code(bench) == "notConfigured")
    bench.configuration.provider = "nobody"
    #expect(await code(bench) == "notConfigured")
    bench.configuration.wantsTranscript = false
    #expect(try await bench.whole().1.report.audio.duration == 3)
  }

  @Test("§3: Consent that was withdrawn before the start: nothing is opened")
  func withdrawnBefore() async throws {
    let bench = try SessionBench()
    let session = bench.session()
    session.withdrawConsent()
    #expect(await failure(of: session)?.code == "consentMissing" && bench.openCount.withLock { $0 } == 0)
  }

  @Test("§3: Consent that is withdrawn while it starts: the start fails, and nothing is heard")
  func withdrawnWhileStarting() async throws {
    var bench = try SessionBench()
    let gate = ScriptGate()
    bench.whileOpening = { await gate.pass() }
    let session = bench.session()
    let result = Task { await failure(of: session) }
    await gate.waitForArrival()
    session.withdrawConsent()
    gate.open()
    #expect(await result.value?.code == "consentMissing" && bench.source.readCount == 0)
  }

  @Test("§3: The defaults: on site, with text, not offline, speakers not told apart, 8 seconds for the last words")
  func defaults() {
    let configuration = SessionConfiguration(consent: SessionBench.consent)
    #expect(configuration.scene == .onSite && configuration.wantsTranscript && configuration.language == nil)
    #expect(!configuration.allowsRecordingWhileOffline && !configuration.wantsSpeakerDiarization)
    #expect(configuration.lastResults == .seconds(8) && configuration.route == nil && configuration.provider == nil)
    #expect(configuration.maximumMinutes == nil)
  }

  @Test("§4: Scene, consent, device, times and source stand in the report")
  func context() async throws {
    var bench = try SessionBench()
    bench.configuration.scene = .call
    let report = try await bench.whole().1.report
    #expect(report.scene == "call" && report.consent?.participants == ["a"] && report.device?.name == "mic")
    #expect(report.consent?.grantedAt == Timestamp(millisecondsSince1970: 5) && report.source == "mic")
    #expect(report.rawAudioFilePath == "\(bench.path)/audio.wav" && report.revision == 0)
    guard case .header(let header) = bench.journal.entries.first else { return #expect(Bool(false), "no header") }
    #expect(header.scene == "call" && header.isOfflineRecording == false && header.vendor == "scripted")
  }

  @Test("A stop while the configuration is looked at gives up the opening that follows")
  func stoppedWhilePlanned() async throws {
    var bench = try SessionBench()
    let (isOpening, isGivenUp) = (StopSignal(), StopSignal())
    // Heeds its cancellation, and nothing else.
    bench.whileOpening = {
      isOpening.stop()
      if await !StopSignal().wait() { isGivenUp.stop() }
      throw CancellationError()
    }
    let session = Guarded<RecordingSession?>(nil)
    var environment = bench.environment
    environment.network = AskedNetwork { session.withLock { $0 }?.stop() }
    environment.registry = ProviderRegistry([
      ServiceProvider(ScriptedProvider(hearing: ScriptedTurns([]), needsNetwork: true), version: "1")
    ])
    let asked = RecordingSession(bench.configuration, environment: environment)
    session.withLock { $0 = asked }
    #expect(await failure(of: asked)?.code == "cancelled")
    session.withLock { $0 = nil }
    #expect(await eventually { isGivenUp.isStopped && asked.state == .idle })
    #expect(isOpening.isStopped)
  }
}

/// A network that tells who asks for it.
private struct AskedNetwork: NetworkMonitor {
  let whenAsked: @Sendable () -> Void
  var isOnline: Bool {
    whenAsked()
    return true
  }
  func changes() -> AsyncStream<Bool> { AlwaysOnline().changes() }
}
