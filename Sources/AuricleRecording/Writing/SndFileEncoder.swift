import CSndFile

/// An open libsndfile encoder over a file; closed exactly once. One thread at a time.
///
/// The library hands its bytes to callbacks, so that short writes, signals and full disks are seen here, and a call that
/// the library takes for good is not.
final class SndFileEncoder {
  /// How the library is to write.
  enum Coding {
    case flac
    case opus

    fileprivate var number: Int32 {
      switch self {
      case .flac: Int32(SF_FORMAT_FLAC) | Int32(SF_FORMAT_PCM_16)
      case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
      }
    }
  }

  /// The longest sound in an Ogg page, in milliseconds: so much of it is lost when the process is killed.
  private static let pageMilliseconds = 100.0

  private var handle: OpaquePointer?
  private let bytes: EncodedBytes
  private let channelCount: Int

  /// Whether the library can write that.
  static func canWrite(_ coding: Coding, sampleRate: Int, channelCount: Int) -> Bool {
    var information = Self.information(coding, sampleRate, channelCount)
    return sf_format_check(&information) != 0
  }

  /// Writes the header.
  init(_ file: OpenFile, _ coding: Coding, sampleRate: Int, channelCount: Int) throws(WriteFault) {
    bytes = EncodedBytes(file)
    self.channelCount = channelCount
    var information = Self.information(coding, sampleRate, channelCount)
    var access = EncodedBytes.access
    let context = Unmanaged.passUnretained(bytes).toOpaque()
    handle = sf_open_virtual(&access, Int32(SFM_WRITE), &information, context)
    if let error = bytes.error { throw .system(error) }
    guard handle != nil else { throw .refused(Self.words(nil)) }
    if coding == .opus { auricle_sndfile_set_page_latency(handle, Self.pageMilliseconds) }
    // The library would write the header with the first sound, which may never come.
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    if let error = bytes.error { throw .system(error) }
  }

  deinit { abandon() }

  /// The length of the file.
  var byteCount: Int64 { bytes.byteCount }

  /// Encodes whole frames.
  func write(_ samples: [Int16]) throws(WriteFault) {
    let frameCount = samples.count / channelCount
    let done = samples.withUnsafeBufferPointer { sf_writef_short(handle, $0.baseAddress, sf_count_t(frameCount)) }
    try check(done, frameCount)
  }

  /// Encodes whole frames.
  func write(_ samples: [Float]) throws(WriteFault) {
    let frameCount = samples.count / channelCount
    let done = samples.withUnsafeBufferPointer { sf_writef_float(handle, $0.baseAddress, sf_count_t(frameCount)) }
    try check(done, frameCount)
  }

  /// Writes what is held back, and the final header.
  func close() throws(WriteFault) {
    guard let handle else { return }
    self.handle = nil
    let result = sf_close(handle)
    if let error = bytes.error { throw .system(error) }
    if result != 0 { throw .encoder(String(cString: sf_error_number(result))) }
  }

  /// Frees the encoder; the file stays as it is.
  func abandon() {
    guard let handle else { return }
    self.handle = nil
    // The library still calls, and what it calls stays until then.
    withExtendedLifetime(bytes) {
      bytes.isRefusing = true
      _ = sf_close(handle)
    }
  }

  private func check(_ done: sf_count_t, _ frameCount: Int) throws(WriteFault) {
    if let error = bytes.error { throw .system(error) }
    guard done == sf_count_t(frameCount) else { throw .encoder(Self.words(handle)) }
  }

  private static func information(_ coding: Coding, _ sampleRate: Int, _ channelCount: Int) -> SF_INFO {
    SF_INFO(
      frames: 0, samplerate: Int32(sampleRate), channels: Int32(channelCount), format: coding.number, sections: 0,
      seekable: 0)
  }

  private static func words(_ handle: OpaquePointer?) -> String { String(cString: sf_strerror(handle)) }
}
