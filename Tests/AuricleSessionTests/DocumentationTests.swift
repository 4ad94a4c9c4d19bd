import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecording
import AuricleSession
import Testing

/// The example of the documentation, as it stands there.
private func record(_ source: any AudioSource, agreed: [String], in root: String) async throws -> RecordingReport {
  let start = Timestamp(.now)
  let gate = ConsentGate()
  try gate.grant(
    ConsentRecord(
      participants: agreed, grantedAtMilliseconds: start.millisecondsSince1970, policyRevision: "1"))
  let folder = try RecordingFolder.create(in: root, named: "meeting")
  let journal = try Journal(creating: folder.journalPath)
  let recorder = try Recorder(folder: folder, format: .wav, audio: source.format)
  let consent = ReportConsent(participants: agreed, grantedAt: start, policyRevision: "1")
  let header = JournalHeader(
    startTime: start, audioFileName: RecordingFormat.wav.fileName, format: source.format, consent: consent, device: nil,
    source: nil, language: nil, wantsTranscript: false)
  let run = RecordingRun(
    input: RecordingInput(source: GatedSource(source, gate: gate)), gate: gate, writer: RecorderFile(recorder),
    journal: journal, folder: folder.path, header: header, recognition: nil, clock: ContinuousClock(),
    wallClock: { Timestamp(.now) })
  return await run.run { _ in }
}

/// The example of a session, as it stands there.
private func meeting(
  _ configuration: SessionConfiguration, in environment: SessionEnvironment
) async throws -> RecordingReport? {
  let session = RecordingSession(configuration, environment: environment)
  try await session.start()
  for await delivery in session.results {
    if case .transcript(let transcript) = delivery.result, transcript.text.contains("Ask what you") { session.stop() }
  }
  return session.report
}

@Suite("The documentation's examples")
struct DocumentationTests {
  @Test("A source becomes a recording")
  func recording() async throws {
    let folder = try TemporaryFolder()
    let report = try await record(ListSource(RecordingBench.threeSeconds), agreed: ["a"], in: folder.path)
    #expect(report.audio.duration == 3 && folder.names == ["meeting"])
  }

  @Test("A session is stopped by who reads it", .timeLimit(.minutes(5)))
  func session() async throws {
    let bench = try SessionBench()
    bench.source.speak(seconds: 3)
    let report = try await meeting(bench.configuration, in: bench.environment)
    #expect(report?.transcripts.count == 2 && report?.stopReason == .userInitiated)
  }
}
