import AuricleAudio
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

/// A device's audio, read as it comes.
private struct Reading: Sendable {
  enum Entry: Sendable, Equatable {
    case chunk(AudioChunk)
    case end
    case failure(AudioError.Kind)
  }

  let device = ScriptedDevice()
  let clock = ManualClock()
  let source: ReconnectingSource
  let diary = Diary<Entry>()
  let task: Task<Void, Never>

  init(maxFrames: Int = 4_800, starts: Bool = true) async throws {
    source = ReconnectingSource(format: .speech, clock: clock) { [device] in try await device.openAudio() }
    if starts { try await device.startAIAudioRecording(.onSite) }
    // Owned by the test, which reads to the end.
    task = Task { [source, diary] in
      do {
        while let chunk = try await source.next(maxFrames: maxFrames) { diary.note(.chunk(chunk)) }
        diary.note(.end)
      } catch {
        diary.note(.failure((error as? AudioError)?.kind ?? AudioError.Kind(name: "\(error)")))
      }
    }
    await device.waitForOpening()
  }

  /// Lets a tenth of a second happen, and waits until it was read.
  func hear() async {
    clock.advance(by: .milliseconds(100))
    device.hear(1_600)
    let count = soundCount
    await diary.wait { entries in Self.soundCount(entries) >= count + 1_600 }
  }

  private static func soundCount(_ entries: [Entry]) -> Int {
    entries.reduce(0) { count, entry in
      if case .chunk(.audio(let block)) = entry { count + block.frameCount } else { count }
    }
  }
  var soundCount: Int { Self.soundCount(diary.entries) }

  /// Goes out of reach, and comes back after a while.
  func beAway(_ duration: Duration) async {
    device.goAway()
    await clock.waitForSleepers(1)
    clock.advance(by: duration)
    device.comeBack()
    await device.waitForOpening(2)
  }

  var chunks: [AudioChunk] {
    diary.entries.compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } }
  }
  var gaps: [AudioGap] { chunks.compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }
  var frames: [Range<Int64>] {
    chunks.compactMap { chunk in
      switch chunk {
      case .audio(let block): block.frames
      case .gap(let gap): gap.frames
      case .notice: nil
      }
    }
  }
  var samples: [Float] { chunks.flatMap { if case .audio(let block) = $0 { block.samples } else { [Float]() } } }
  /// Whether every frame follows on the one before.
  var isWhole: Bool { zip(frames, frames.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound } }
}

/// A link that breaks as soon as it is used.
private struct BrokenSource: AudioSource {
  let format = AudioFormat.speech
  var expectedFrameCount: Int64? { nil }
  func next(maxFrames: Int) async throws -> AudioChunk? { throw AudioError(.deviceLost, "the link broke") }
}

@Suite("A device's audio through times in which it is away", .timeLimit(.minutes(5)))
struct ReconnectingSourceTests {
  @Test(
    "§8: The time away is one gap of the right length, and the frames keep the clock",
    arguments: [1, 7, 160, 480, 4_800])
  func away(_ maxFrames: Int) async throws {
    let reading = try await Reading(maxFrames: maxFrames)
    await reading.hear()
    await reading.beAway(.seconds(7))
    await reading.hear()
    reading.source.end()
    try await reading.device.stopAIAudioRecording(.onSite)
    await reading.task.value
    #expect(reading.gaps == [AudioGap(frames: 1_600..<113_600, sampleRate: 16_000, reason: .sourceLost)])
    #expect(reading.isWhole && reading.frames.last?.upperBound == 115_200)
    #expect(reading.samples == (0..<3_200).map { ScriptedDevice.sample(at: $0) })
    #expect(reading.frames.count >= 3 && reading.chunks.count == reading.frames.count)
    #expect(reading.diary.entries.last == .end)
  }

  @Test("§8: Each time away has its gap")
  func twice() async throws {
    let reading = try await Reading()
    await reading.hear()
    await reading.beAway(.seconds(2))
    await reading.hear()
    reading.device.goAway()
    await reading.clock.waitForSleepers(1)
    reading.clock.advance(by: .seconds(29))
    reading.device.comeBack()
    await reading.device.waitForOpening(3)
    await reading.hear()
    reading.task.cancel()
    #expect(reading.gaps.map(\.frames.count) == [32_000, 464_000])
    #expect(reading.isWhole)
  }

  @Test("§8: Beyond the grace the device is lost, and the audio ends where it ended")
  func lost() async throws {
    let reading = try await Reading()
    await reading.hear()
    reading.device.goAway()
    await reading.clock.waitForSleepers(1)
    reading.clock.advance(by: .milliseconds(29_999))
    #expect(reading.diary.entries.count == 1)
    reading.clock.advance(by: .milliseconds(1))
    await reading.task.value
    #expect(reading.diary.entries.last == .failure(.deviceLost))
    #expect(reading.gaps.isEmpty)
    await #expect(throws: AudioError.self) { try await reading.source.next(maxFrames: 1) }
  }

  @Test("§8: A device that comes back again and again and brings nothing is lost when the grace is over")
  func flapping() async throws {
    let clock = ManualClock()
    let source = ReconnectingSource(format: .speech, clock: clock) {
      clock.advance(by: .milliseconds(500))
      return BrokenSource()
    }
    let error = await #expect(throws: AudioError.self) { try await source.next(maxFrames: 160) }
    #expect(error?.kind == .deviceLost)
    // The first loss is half a second after the start.
    #expect(clock.now.offset == .milliseconds(30_500))
  }

  @Test("§8: A device that was never heard before it went away begins with the gap since then")
  func lostFirst() async throws {
    let reading = try await Reading()
    reading.clock.advance(by: .seconds(3))
    await reading.beAway(.seconds(5))
    await reading.hear()
    reading.task.cancel()
    #expect(reading.frames == [0..<80_000, 80_000..<81_600])
  }

  @Test("§8: An end while the device is away is the end")
  func endAway() async throws {
    let reading = try await Reading()
    await reading.hear()
    reading.device.goAway()
    await reading.clock.waitForSleepers(1)
    reading.source.end()
    await reading.task.value
    #expect(reading.diary.entries.last == .end && reading.gaps.isEmpty)
  }

  @Test("§8: What the device sent before the end still comes")
  func endDelivers() async throws {
    let reading = try await Reading()
    reading.device.hear(1_600)
    try await reading.device.stopAIAudioRecording(.onSite)
    reading.source.end()
    await reading.task.value
    #expect(reading.samples.count == 1_600 && reading.diary.entries.last == .end)
  }

  @Test("§8: A device that sends nothing after the end is not waited for")
  func endSilent() async throws {
    let reading = try await Reading()
    reading.source.end()
    await reading.clock.waitForSleepers(1)
    reading.clock.advance(by: .milliseconds(500))
    await reading.task.value
    #expect(reading.diary.entries == [.end])
  }

  @Test("§8: Audio that the device ends is the end only when somebody says why, or nobody does for long")
  func drained() async throws {
    for isTold in [true, false] {
      let reading = try await Reading()
      await reading.hear()
      try await reading.device.stopAIAudioRecording(.onSite)
      await reading.clock.waitForSleepers(1)
      if isTold { reading.source.end() } else { reading.clock.advance(by: .seconds(30)) }
      await reading.task.value
      #expect(reading.diary.entries.last == (isTold ? .end : .failure(.deviceLost)))
    }
  }

  @Test("§8: A pause in which the device sends nothing takes up its time, and what was under way does not end it")
  func pause() async throws {
    let reading = try await Reading()
    await reading.hear()
    reading.source.pause()
    await reading.hear()
    reading.clock.advance(by: .seconds(5))
    await reading.hear()
    reading.clock.advance(by: .seconds(1))
    await reading.hear()
    reading.task.cancel()
    #expect(reading.gaps == [AudioGap(frames: 3_200..<83_200, sampleRate: 16_000, reason: .paused)])
    #expect(reading.isWhole)
  }

  @Test("§8: A device that comes back with another format is not recorded on")
  func otherFormat() async throws {
    let count = Guarded(0)
    let source = ReconnectingSource(format: .speech, clock: ManualClock()) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      let lost = AudioError(.deviceLost, "gone")
      let format = number == 1 ? AudioFormat.speech : try AudioFormat(sampleRate: 8_000, channelCount: 1)
      return ScriptedSource(format: format, script: [], failure: lost)
    }
    let failure = await Self.failure(of: source)
    #expect(failure?.kind == .unsupportedFormat)
    let again = await Self.failure(of: source)
    #expect(again == failure)
  }

  @Test("§8: What a device says that cannot be opened is the failure, ever after")
  func cannotOpen() async throws {
    let source = ReconnectingSource(format: .speech, clock: ManualClock()) { throw DeviceError(.busy, "busy") }
    let prepared = await Self.failure { try await source.prepare() }
    let failure = await Self.failure(of: source)
    #expect(failure?.message == "busy" && failure == prepared)
  }

  @Test("§8: Gaps and notices of the device keep their places")
  func ownGaps() async throws {
    let notice = AudioChunk.notice(AudioNotice(.damagedAudio, "odd"))
    let gap = AudioChunk.gap(AudioGap(frames: 10..<30, sampleRate: 16_000, reason: .overrun))
    let script = [Samples.block(0, 10), notice, gap, Samples.block(30, 5)]
    let source = ReconnectingSource(format: .speech, clock: ManualClock()) {
      ScriptedSource(format: .speech, script: script)
    }
    source.end()
    var chunks: [AudioChunk] = []
    while let chunk = try await source.next(maxFrames: 100) { chunks.append(chunk) }
    #expect(chunks == script)
    #expect(source.position == 35.0 / 16_000)
  }

  @Test("A cancelled wait ends promptly and loses nothing")
  func cancelled() async throws {
    let reading = try await Reading()
    reading.task.cancel()
    await reading.task.value
    #expect(reading.diary.entries.last != .end)
    reading.device.hear(160)
    let chunk = try await reading.source.next(maxFrames: 160)
    #expect(
      chunk
        == .audio(PCMBlock(format: .speech, startFrame: 0, samples: (0..<160).map { ScriptedDevice.sample(at: $0) })))
  }

  private static func failure(of source: ReconnectingSource) async -> AudioError? {
    await failure { while try await source.next(maxFrames: 100) != nil {} }
  }

  private static func failure(_ body: () async throws -> Void) async -> AudioError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? AudioError
    }
  }
}
