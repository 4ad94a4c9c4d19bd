import CSndFile

/// An open libsndfile decoder over an ordinary file; closed exactly once.
///
/// The file is read through callbacks, so the library sees bytes and never a name: it cannot guess a coding from one.
final class SndFileHandle {
  private let handle: OpaquePointer
  private let file: SndFileBytes
  let sampleRate: Int
  let channelCount: Int
  /// How many frames the file claims to have; wrong in damaged files, and the largest number when unknown.
  let claimedFrameCount: Int64

  /// - Returns: `nil` when the library makes nothing of the file.
  init?(_ descriptor: FileDescriptor, byteCount: Int64) {
    file = SndFileBytes(descriptor, byteCount: byteCount)
    var information = SF_INFO()
    var access = SF_VIRTUAL_IO(
      get_filelen: sndFileByteCount, seek: sndFileSeek, read: sndFileRead, write: sndFileWrite, tell: sndFileTell)
    let context = Unmanaged.passUnretained(file).toOpaque()
    guard let opened = sf_open_virtual(&access, Int32(SFM_READ), &information, context) else { return nil }
    handle = opened
    sampleRate = Int(information.samplerate)
    channelCount = Int(information.channels)
    claimedFrameCount = information.frames
  }

  deinit { sf_close(handle) }

  /// The library's name and version.
  static var libraryVersion: String { String(cString: sf_version_string()) }

  /// Decodes up to that many frames; fewer, or none, at the end and at damage.
  func read(maxFrames: Int) -> [Float] {
    let count = maxFrames * channelCount
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      let frames = sf_readf_float(handle, buffer.baseAddress, sf_count_t(maxFrames))
      initialized = min(max(0, Int(frames)) * channelCount, count)
    }
  }

  /// Goes to a frame.
  /// - Returns: `false` when the library does not find it.
  func seek(to frame: Int64) -> Bool { sf_seek(handle, frame, Int32(SF_SEEK_SET)) == frame }

  /// The library gave up on the bytes.
  var hasFailed: Bool { sf_error(handle) != 0 }

  /// The system refused to read the file.
  var readError: SystemError? { file.error }
}

/// The place in the file that libsndfile is at.
private final class SndFileBytes {
  let descriptor: FileDescriptor
  let byteCount: Int64
  var offset: Int64 = 0
  var error: SystemError?

  init(_ descriptor: FileDescriptor, byteCount: Int64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> SndFileBytes {
    guard let context else { preconditionFailure("libsndfile lost its context") }
    return Unmanaged<SndFileBytes>.fromOpaque(context).takeUnretainedValue()
  }
}

private nonisolated func sndFileByteCount(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  SndFileBytes.at(context).byteCount
}

private nonisolated func sndFileTell(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  SndFileBytes.at(context).offset
}

private nonisolated func sndFileSeek(
  _ distance: sf_count_t, _ origin: Int32, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  let file = SndFileBytes.at(context)
  let bases = [Int32(SF_SEEK_SET): 0, Int32(SF_SEEK_CUR): file.offset, Int32(SF_SEEK_END): file.byteCount]
  guard let base = bases[origin] else { return -1 }
  let (target, overflows) = base.addingReportingOverflow(distance)
  guard !overflows, target >= 0 else { return -1 }
  file.offset = target
  return target
}

private nonisolated func sndFileRead(
  _ target: UnsafeMutableRawPointer?, _ count: sf_count_t, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  let file = SndFileBytes.at(context)
  guard let target, count > 0, file.offset < file.byteCount else { return 0 }
  do throws(SystemError) {
    let wanted = Int(min(count, file.byteCount - file.offset))
    let room = UnsafeMutableRawBufferPointer(start: target, count: wanted)
    let done = try file.descriptor.read(into: room, at: file.offset)
    file.offset += Int64(done)
    return sf_count_t(done)
  } catch {
    file.error = error
    return 0
  }
}

private nonisolated func sndFileWrite(
  _ source: UnsafeRawPointer?, _ count: sf_count_t, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  0
}
