import AuricleAudio
import AuricleRecognition
import AuricleTestKit

@testable import AuricleSession

/// A transcription with everything around it made up. The recording is there as a whole, unless a test says otherwise.
struct TranscriberBench: Sendable {
  let words: SpokenWords
  let writer = MemoryWriter()
  let network: ScriptedNetwork
  let registry: ProviderRegistry
  let transcriber: Transcriber
  let closed = StopSignal()
  let waits = Guarded<[Duration]>([])
  let results = Guarded<[SessionResult]>([])
  let shown = Guarded<[SessionFailure]>([])
  let entries = Guarded<[JournalEntry]>([])
  let kept = Guarded<[Int64]>([])
  /// Happens with each result.
  var onResult: @Sendable (SessionResult) async -> Void = { _ in }

  /// - Parameters:
  ///   - providers: In the order of their priority.
  ///   - isOnline: Whether there is a network at first.
  ///   - sleep: What a wait does; passes at once where nothing else is said.
  init(
    _ words: SpokenWords, _ providers: [ScriptedProvider], vendor: String? = nil, isOnline: Bool = true,
    backoff: Backoff = Backoff(), patience: Patience = Patience(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) {
    self.words = words
    let network = ScriptedNetwork(isOnline: isOnline)
    let registry = ProviderRegistry(providers.map { ServiceProvider($0, version: "1") })
    let waits = waits
    self.network = network
    self.registry = registry
    transcriber = Transcriber(
      Transcriber.Selection(registry: registry, vendor: vendor, features: .aiAudioRecording),
      configuration: RecognitionConfiguration(), network: network, backoff: backoff, speech: { $0 }, chance: { 1 },
      patience: patience,
      sleep: { duration in
        waits.withLock { $0.append(duration) }
        try await sleep(duration)
      })
  }

  /// Writes so many chunks of the recording.
  func write(_ chunks: some Sequence<AudioChunk>) throws {
    for case .audio(let block) in chunks { try writer.append(block) }
  }

  /// No more audio comes.
  func close() throws {
    try writer.finish()
    closed.stop()
  }

  /// Runs with a whole recording.
  func transcribeAll() async throws -> TranscriptionOutcome {
    try write(words.chunks())
    try close()
    return await run()
  }

  func run() async -> TranscriptionOutcome {
    let place = TranscriptionPlace(
      format: writer.format, read: { writer.makeTail(from: $0) },
      keep: { frame in kept.withLock { $0.append(frame) } },
      position: { writer.format.seconds(writer.frameCount) },
      take: { result in
        results.withLock { $0.append(result) }
        await onResult(result)
      }, show: { failure in shown.withLock { $0.append(failure) } },
      note: { entry in entries.withLock { $0.append(entry) } }, loaded: {}, heard: { _ in })
    return await transcriber.run(in: place, closed: closed)
  }

  var transcripts: [Transcript] {
    results.withLock { $0.compactMap { if case .transcript(let transcript) = $0 { transcript } else { nil } } }
  }
  var finals: [Transcript] { transcripts.filter(\.isSentenceFinal) }
  var events: [SessionEvent] {
    results.withLock { $0.compactMap { if case .event(let event) = $0 { event } else { nil } } }
  }
  var kinds: [SessionEvent.Kind] { events.map(\.kind) }
  var isDisconnected: Bool { entries.withLock { $0.contains(.disconnected) } }

  /// What is wrong with the text and its numbers.
  var faults: [String] {
    var faults: [String] = []
    let (transcripts, finals) = (transcripts, finals)
    if finals.map(\.text) != words.sentences { faults.append("\(finals.map(\.text)) is not \(words.sentences)") }
    let sequences = transcripts.map(\.sequence)
    if zip(sequences, sequences.dropFirst()).contains(where: { $0 >= $1 }) { faults.append("sequences \(sequences)") }
    var done: Set<Int> = []
    for transcript in transcripts {
      if done.contains(transcript.sentenceIndex) { faults.append("sentence \(transcript.sentenceIndex) goes on") }
      if transcript.isSentenceFinal { done.insert(transcript.sentenceIndex) }
    }
    let left = Set(transcripts.map(\.sentenceIndex)).subtracting(done)
    if !left.isEmpty { faults.append("sentences \(left.sorted()) stay unfinished on a screen") }
    return faults
  }
}

extension SpokenWords {
  /// Sentences by chance: two to five of one to four words.
  static func random(_ random: inout SeededRandom) -> SpokenWords {
    SpokenWords(
      sentenceLengths: (0..<Int.random(in: 2...5, using: &random)).map { _ in Int.random(in: 1...4, using: &random) })
  }

  /// How many frames it has at 16,000 Hz.
  var frameCount: Int64 { Int64(count) * 16_000 }
}
