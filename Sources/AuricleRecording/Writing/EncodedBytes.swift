import CSndFile

/// The file as an encoder sees it: a place to write at, and the first error, after which nothing is written.
final class EncodedBytes {
  private let file: OpenFile
  private var offset: Int64 = 0
  /// The file's length.
  private(set) var byteCount: Int64
  /// Why nothing is written any more.
  private(set) var error: SystemError?
  /// Nothing is written any more; the encoder is only to be freed.
  var isRefusing = false

  init(_ file: OpenFile, byteCount: Int64 = 0) {
    self.file = file
    self.byteCount = byteCount
  }

  /// What the library calls; its context is this object, which has to outlive the library's handle.
  static var access: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: encodedByteCount, seek: encodedSeek, read: encodedRead, write: encodedWrite, tell: encodedTell)
  }

  fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> EncodedBytes {
    guard let context else { preconditionFailure("libsndfile lost its context") }
    return Unmanaged<EncodedBytes>.fromOpaque(context).takeUnretainedValue()
  }

  fileprivate var position: Int64 { offset }

  fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !isRefusing, error == nil else { return 0 }
    let written = file.write(bytes, at: offset)
    offset += Int64(written.byteCount)
    byteCount = max(byteCount, offset)
    error = written.error
    return written.byteCount
  }

  fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    guard let bytes = try? file.read(target.count, at: offset) else { return 0 }
    target.copyBytes(from: bytes)
    offset += Int64(bytes.count)
    return bytes.count
  }

  fileprivate func seek(_ distance: Int64, from base: Int64) -> Int64 {
    let (target, overflows) = base.addingReportingOverflow(distance)
    guard !overflows, target >= 0 else { return -1 }
    offset = target
    return target
  }
}

nonisolated func encodedByteCount(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  EncodedBytes.at(context).byteCount
}

nonisolated func encodedTell(_ context: UnsafeMutableRawPointer?) -> sf_count_t {
  EncodedBytes.at(context).position
}

nonisolated func encodedSeek(
  _ distance: sf_count_t, _ origin: Int32, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  let bytes = EncodedBytes.at(context)
  let bases = [Int32(SF_SEEK_SET): 0, Int32(SF_SEEK_CUR): bytes.position, Int32(SF_SEEK_END): bytes.byteCount]
  guard let base = bases[origin] else { return -1 }
  return bytes.seek(distance, from: base)
}

nonisolated func encodedRead(
  _ target: UnsafeMutableRawPointer?, _ count: sf_count_t, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let target, count > 0 else { return 0 }
  return sf_count_t(
    EncodedBytes.at(context).read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
}

nonisolated func encodedWrite(
  _ source: UnsafeRawPointer?, _ count: sf_count_t, _ context: UnsafeMutableRawPointer?
) -> sf_count_t {
  guard let source, count > 0 else { return 0 }
  return sf_count_t(EncodedBytes.at(context).write(UnsafeRawBufferPointer(start: source, count: Int(count))))
}
