import AuricleAudio

/// Decodes what libsndfile knows: FLAC, Ogg Vorbis, Opus, AIFF, AU, SPHERE, W64, CAF and the rarer codings of WAV.
final class SndFileReader: FrameReader {
  /// More frames than any file has: a claim beyond it is a stand-in for "unknown".
  private static let plausibleFrameCount: ClosedRange<Int64> = 1...(1 << 48)

  let format: AudioFormat
  let expectedFrameCount: Int64?
  private let handle: SndFileHandle
  private var readFrameCount: Int64 = 0
  private var isAtEnd = false
  private let isCutOff: Bool

  /// - Parameter isCutOff: The file is known to be shorter than it says.
  /// - Throws: `AudioError` of kind `notAudio` or `unsupportedFormat`.
  init(_ file: AudioFile, isCutOff: Bool) throws(AudioError) {
    guard let handle = SndFileHandle(file.descriptor, byteCount: file.byteCount) else {
      throw file.notAudio("it is damaged beyond reading")
    }
    self.handle = handle
    self.isCutOff = isCutOff
    format = try AudioFormat(sampleRate: handle.sampleRate, channelCount: handle.channelCount)
    let claimed = handle.claimedFrameCount
    expectedFrameCount = Self.plausibleFrameCount.contains(claimed) ? claimed : nil
  }

  func read(maxFrames: Int) async throws -> FrameRead? {
    guard !isAtEnd else { return nil }
    let frames = handle.read(maxFrames: maxFrames)
    readFrameCount += Int64(frames.count / format.channelCount)
    if let error = handle.readError { throw error }
    if !frames.isEmpty { return .frames(frames) }
    isAtEnd = true
    return isDamaged ? .notice(damagedAudio(after: readFrameCount, of: expectedFrameCount, format)) : nil
  }

  private var isDamaged: Bool {
    isCutOff || handle.hasFailed || expectedFrameCount.map { readFrameCount < $0 } ?? false
  }
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
