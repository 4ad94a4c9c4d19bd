import CMpg123

/// An open libmpg123 decoder that is fed with bytes; freed exactly once. It is told to print nothing.
final class MPEGHandle {
  /// What the decoder found.
  enum Step: Equatable {
    /// Samples, interleaved.
    case samples([Float])
    /// The samples that follow have this form.
    case format(sampleRate: Int, channelCount: Int)
    /// More bytes are needed.
    case needsBytes
    /// The bytes make no sense to the decoder, and it gave up.
    case failed
  }

  /// The library fills its tables once, before anybody uses them.
  private static let isReady = mpg123_init() == ok

  private let handle: OpaquePointer
  private var scratch = [UInt8](repeating: 0, count: 1_152 * 2 * 4)

  /// - Returns: `nil` when there is no memory for it.
  init?() {
    guard Self.isReady, let handle = mpg123_new(nil, nil) else { return nil }
    self.handle = handle
    let flags = MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue
    let isReady =
      auricle_mpg123_set(handle, MPG123_ADD_FLAGS, Int(flags)) == Self.ok
      && auricle_mpg123_set(handle, MPG123_REMOVE_FLAGS, Int(MPG123_AUTO_RESAMPLE.rawValue)) == Self.ok
      && auricle_mpg123_set(handle, MPG123_RESYNC_LIMIT, -1) == Self.ok
      && mpg123_open_feed(handle) == Self.ok
    guard isReady else { return nil }
  }

  deinit { mpg123_delete(handle) }

  /// The library's name and version; older ones than 1.32 tell only that of their interface.
  static var libraryVersion: String {
    let version = auricle_mpg123_version().map { String(cString: $0) }
    return "libmpg123 " + (version ?? "with interface \(MPG123_API_VERSION)")
  }

  /// Hands over the next bytes.
  func feed(_ bytes: [UInt8]) {
    _ = mpg123_feed(handle, bytes, bytes.count)
  }

  /// Decodes what was fed.
  func step() -> Step {
    var done = 0
    let code = scratch.withUnsafeMutableBytes { mpg123_read(handle, $0.baseAddress, $0.count, &done) }
    if done > 0 { return .samples(scratch.withUnsafeBytes { Array($0.prefix(done).bindMemory(to: Float.self)) }) }
    switch code {
    case MPG123_NEW_FORMAT.rawValue: return newFormat()
    case MPG123_NEED_MORE.rawValue: return .needsBytes
    case Self.ok: return .needsBytes
    default: return .failed
    }
  }

  /// How many frames the file says that it has, if it says so; asked after the format is known.
  var claimedFrameCount: Int64? {
    let length = Int64(mpg123_length(handle))
    return length > 0 ? length : nil
  }

  private func newFormat() -> Step {
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    guard mpg123_getformat(handle, &rate, &channels, &encoding) == Self.ok else { return .failed }
    return .format(sampleRate: rate, channelCount: Int(channels))
  }

  private static let ok = MPG123_OK.rawValue
}
