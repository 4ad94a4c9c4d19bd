import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleSherpa
import Foundation

/// Several live sessions of one recording at once, begun one after the other within a few seconds.
struct SessionLoad {
  /// What was measured; times in seconds, from where the detector says that speech ended to the final text.
  struct Figures: Encodable {
    let sessionCount: Int
    let finalCount: Int
    let medianFinal: Double
    let p95Final: Double
    let worstFinal: Double
    let cpuPerAudioSecond: Double
    let peakMegabytes: Double
  }

  let sessionCount: Int
  let path: String

  func run() async throws -> Figures {
    let environment = ProcessInfo.processInfo.environment
    let folder = try ModelSearch(explicit: nil, environment: environment).find()
    let provider = try OnDeviceProvider(folder: folder)
    let before = Usage.now
    let outcomes = try await withThrowingTaskGroup(of: (delays: [Double], seconds: Double).self) { group in
      for index in 0..<sessionCount {
        group.addTask { try await listen(with: provider, after: .milliseconds(430 * index)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let delays = outcomes.flatMap(\.delays).sorted()
    let seconds = outcomes.reduce(0) { $0 + $1.seconds }
    guard let worst = delays.last else { throw AudioError(.notAudio, "\(path) has no speech") }
    return Figures(
      sessionCount: sessionCount, finalCount: delays.count, medianFinal: delays[delays.count / 2],
      p95Final: delays[Int(Double(delays.count) * 0.95)], worstFinal: worst,
      cpuPerAudioSecond: (Usage.now.cpuSeconds - before.cpuSeconds) / seconds, peakMegabytes: Usage.now.peakMegabytes)
  }

  private func listen(
    with provider: OnDeviceProvider, after delay: Duration
  ) async throws -> (delays: [Double], seconds: Double) {
    let clock = ContinuousClock()
    try await clock.sleep(for: delay)
    let source = PacedSource(SpeechSource(try await FileSource(path: path, raw: nil)))
    let session = try await provider.startSession(RecognitionConfiguration())
    let start = clock.now
    async let delays: [Double] = {
      var delays: [Double] = []
      for await case .transcript(let transcript) in session.results where transcript.isSentenceFinal {
        delays.append((clock.now - start) / .seconds(1) - transcript.span.end)
      }
      return delays
    }()
    var frames: Int64 = 0
    while let chunk = try await source.next(maxFrames: 1_600) {
      if case .audio(let block) = chunk { frames = block.frames.upperBound }
      try await session.accept(chunk)
    }
    await session.finish()
    return (await delays, AudioFormat.speech.seconds(frames))
  }
}

/// What the process has used.
struct Usage {
  let cpuSeconds: Double
  let peakMegabytes: Double

  static var now: Usage {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let peak = Double(usage.ru_maxrss) / 1_024
    #else
      getrusage(RUSAGE_SELF, &usage)
      let peak = Double(usage.ru_maxrss) / 1_048_576
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Usage(cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakMegabytes: peak)
  }
}
