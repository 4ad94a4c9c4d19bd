import AuricleAudio
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(2))) struct TailSourceTests {
  @Test("Chunks equal what was appended, gaps with their reasons", arguments: [1, 333, 4_096, 1_000_000])
  func equalsWhatWasAppended(_ maxFrames: Int) async throws {
    let making = try Making(.wav, .of(16_000, 2))
    let samples = Sounds.noise(4_000)
    let tail = making.recorder.makeTail()
    try making.append(Array(samples[..<2_000]))
    try making.recorder.append(making.audio.gap(1_000..<1_100))
    try making.recorder.append(making.audio.gap(1_100..<1_200, .sourceLost))
    try making.append(Array(samples[2_000...]), at: 1_300)
    try making.recorder.finish()
    for tail in [tail, making.recorder.makeTail()] {
      let reading = try await TailReading.all(tail, maxFrames: maxFrames)
      let silence = [Int16](repeating: 0, count: 600)
      #expect(reading.samples == samples[..<2_000] + silence + samples[2_000...])
      let gaps: [(Range<Int64>, AudioGap.Reason)] = [
        (1_000..<1_100, .paused), (1_100..<1_200, .sourceLost), (1_200..<1_300, .overrun),
      ]
      #expect(reading.gaps == gaps.map { making.audio.gap($0.0, $0.1) } && reading.failure == nil)
    }
  }

  @Test("A tail waits for more, and ends after the finish")
  func waits() async throws {
    let making = try Making()
    let tail = making.recorder.makeTail()
    let samples = Sounds.noise(32_000)
    async let reading = TailReading.all(tail)
    for start in stride(from: 0, to: 32_000, by: 1_600) {
      try making.append(Array(samples[start..<start + 1_600]), at: Int64(start))
      _ = try await making.recorder.progress.wait(beyond: Int64(start))
    }
    try making.recorder.finish()
    #expect(try await reading == TailReading(samples: samples))
    #expect(try await tail.next(maxFrames: 1) == nil)
  }

  @Test("After a failure the tail throws, but only behind everything that can be read")
  func failure() async throws {
    let making = try Making()
    let tail = making.recorder.makeTail()
    try making.append(Sounds.noise(5_000))
    let wrong = AudioFormat.of(8_000, 1).block(at: 5_000, [1])
    let error = try #require(throws: RecordingError.self) { try making.recorder.append(wrong) }
    #expect(error.kind == .unsupportedFormat)
    let reading = try await TailReading.all(tail)
    #expect(reading.samples == Sounds.noise(5_000) && reading.failure?.kind == .readFailed)
    #expect(throws: error) { try making.recorder.append(making.audio.block(at: 5_000, [1])) }
    try making.recorder.finish()
    #expect(making.recorder.progress.current.failure == error)
  }

  @Test("A recorder that goes away wakes who waits, and leaves a whole file")
  func abandoned() async throws {
    var making: Making? = try Making()
    let (path, temporary) = (try #require(making).path, try #require(making).temporary)
    try #require(making).recorder.append(AudioFormat.speech.block(at: 0, Sounds.noise(100)))
    let tail = try #require(making).recorder.makeTail()
    async let reading = TailReading.all(tail)
    making = nil
    let ended = try await reading
    #expect(ended.samples == Sounds.noise(100) && ended.failure?.kind == .readFailed)
    #expect(try #require(Decoded(path)).samples == Sounds.noise(100))
    withExtendedLifetime(temporary) {}
  }

  @Test("A cancelled wait ends at once, and loses nothing")
  func cancellation() async throws {
    let making = try Making()
    let tail = making.recorder.makeTail()
    for _ in 0..<200 {
      let task = Task { try await tail.next(maxFrames: 100) }
      if Bool.random() { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    try making.append(Sounds.noise(100))
    try making.recorder.finish()
    #expect(try await TailReading.all(tail).samples == Sounds.noise(100))
  }

  @Test("Waits that are cancelled while frames come are told either, and never both or neither")
  func cancellationRace() async throws {
    let making = try Making()
    let progress = making.recorder.progress
    for round in 0..<3_000 {
      let task = Task { try await progress.wait(beyond: Int64(round)).frameCount }
      async let cancelled: Void = task.cancel()
      try making.append([Int16(truncatingIfNeeded: round)], at: Int64(round))
      await cancelled
      do {
        #expect(try await task.value > round)
      } catch {
        #expect(error is CancellationError)
      }
    }
    try making.recorder.finish()
  }

  @Test("Recorder, tails and a reader of the progress work at once", arguments: [RecordingFormat.wav, .flac, .opus])
  func concurrency(_ format: RecordingFormat) async throws {
    let making = try Making(format, .of(48_000, 1))
    let samples = Sounds.noise(480_000)
    let tails = (0..<3).map { _ in making.recorder.makeTail() }
    let progress = making.recorder.progress
    async let readings = withThrowingTaskGroup(of: TailReading.self) { group in
      for (index, tail) in tails.enumerated() {
        group.addTask { try await TailReading.all(tail, maxFrames: 100 + index) }
      }
      return try await group.reduce(into: [TailReading]()) { $0.append($1) }
    }
    async let seen = Task {
      var frameCount: Int64 = -1
      while case let now = try await progress.wait(beyond: frameCount), !now.isEnded { frameCount = now.frameCount }
      return progress.current.frameCount
    }.value
    for start in stride(from: 0, to: 480_000, by: 48) {
      try making.recorder.append(making.audio.block(at: Int64(start), samples[start..<start + 48]))
    }
    try making.recorder.finish()
    #expect(try await seen == 480_000)
    for reading in try await readings { #expect(reading == TailReading(samples: samples)) }
  }
}
