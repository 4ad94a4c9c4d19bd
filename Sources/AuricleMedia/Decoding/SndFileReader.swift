import AuricleAudio

/// Decodes what libsndfile knows: FLAC, Ogg Vorbis, Opus, AIFF, AU, SPHERE, W64, CAF and the rarer codings of WAV.
///
/// The library stops at damage. Where the file says how long it is, the reader goes on behind the damage and leaves a gap.
final class SndFileReader: FrameReader {
  /// More frames than any file has: a claim beyond it is a stand-in for "unknown".
  private static let plausibleFrameCount: ClosedRange<Int64> = 1...(1 << 48)

  let format: AudioFormat
  let expectedFrameCount: Int64?
  private let file: AudioFile
  private let isCutOff: Bool
  private var handle: SndFileHandle
  private var detour = Detour()
  private var position: Int64 = 0
  private var readFrameCount: Int64 = 0
  private var waiting: [Float] = []
  private var isAtEnd = false

  /// - Parameter isCutOff: The file is known to be shorter than it says.
  /// - Throws: `AudioError` of kind `notAudio` or `unsupportedFormat`.
  init(_ file: AudioFile, isCutOff: Bool) throws(AudioError) {
    guard let handle = SndFileHandle(file.descriptor, byteCount: file.byteCount) else {
      throw file.notAudio("it is damaged beyond reading")
    }
    self.file = file
    self.handle = handle
    self.isCutOff = isCutOff
    format = try AudioFormat(sampleRate: handle.sampleRate, channelCount: handle.channelCount)
    let claimed = handle.claimedFrameCount
    expectedFrameCount = Self.plausibleFrameCount.contains(claimed) ? claimed : nil
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    guard !isAtEnd else { return nil }
    let frames = try waiting.isEmpty ? decode(maxFrames) : takeWaiting(maxFrames)
    if !frames.isEmpty { return .frames(frames) }
    if let gap = try goOn() { return .gap(frameCount: gap) }
    isAtEnd = true
    return isDamaged ? .notice(damagedAudio(after: readFrameCount, of: expectedFrameCount, format)) : nil
  }

  private func decode(_ maxFrames: Int) throws(SystemError) -> [Float] {
    let frames = handle.read(maxFrames: maxFrames)
    if let error = handle.readError { throw error }
    count(frames)
    return frames
  }

  private func count(_ samples: [Float]) {
    position += Int64(samples.count / format.channelCount)
    readFrameCount += Int64(samples.count / format.channelCount)
  }

  private func takeWaiting(_ maxFrames: Int) -> [Float] {
    let frames = Array(waiting.prefix(maxFrames * format.channelCount))
    waiting.removeFirst(frames.count)
    return frames
  }

  /// Looks for sound behind the damage, with a fresh decoder: the old one is past repair.
  /// - Returns: How many frames were left out; `nil` when nothing follows.
  private func goOn() throws(SystemError) -> Int64? {
    guard let end = expectedFrameCount else { return nil }
    let start = position
    while position < end, let target = detour.next(from: start), target < end {
      guard let fresh = SndFileHandle(file.descriptor, byteCount: file.byteCount), has(fresh) else { return nil }
      guard fresh.seek(to: target) else { continue }
      let frames = fresh.read(maxFrames: Detour.probeFrameCount)
      if let error = fresh.readError { throw error }
      guard !frames.isEmpty else { continue }
      handle = fresh
      waiting = frames
      position = target
      count(frames)
      detour.succeed()
      return target - start
    }
    return nil
  }

  private func has(_ other: SndFileHandle) -> Bool {
    other.sampleRate == format.sampleRate && other.channelCount == format.channelCount
  }

  private var isDamaged: Bool {
    isCutOff || handle.hasFailed || expectedFrameCount.map { readFrameCount < $0 } ?? false
  }
}

/// Where to look for sound behind damage: a little further at each attempt, and not for ever.
private struct Detour {
  static let probeFrameCount = 1_024
  private static let firstStep: Int64 = 4_096
  private static let attemptsInARow = 8
  private static let attempts = 128

  private var failureCount = 0
  private var attemptCount = 0

  /// The next place to look at.
  mutating func next(from start: Int64) -> Int64? {
    guard failureCount < Self.attemptsInARow, attemptCount < Self.attempts else { return nil }
    defer {
      failureCount += 1
      attemptCount += 1
    }
    return start + Self.firstStep << Int64(failureCount)
  }

  mutating func succeed() { failureCount = 0 }
}

/// The notice that audio is missing at the end.
func damagedAudio(after count: Int64, of expected: Int64?, _ format: AudioFormat) -> AudioNotice {
  let heard = twoDecimals(format.seconds(count))
  guard let expected, expected > count else {
    return AudioNotice(.damagedAudio, "the file is damaged; \(heard) s of it could be read")
  }
  return AudioNotice(
    .damagedAudio, "the file is damaged; \(heard) s of \(twoDecimals(format.seconds(expected))) s could be read")
}
