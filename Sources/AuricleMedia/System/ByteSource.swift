/// Bytes in their order, from a file or a pipe. One reader.
protocol ByteSource: AnyObject {
  /// Reads what is there.
  /// - Returns: 1…`maxBytes` bytes; none at the end, and ever after.
  /// - Throws: ``SystemError``; `CancellationError` promptly when the task is cancelled.
  nonisolated(nonsending) func read(maxBytes: Int) async throws -> [UInt8]
}

/// The bytes of an ordinary file, from a place in it. Reading does not suspend.
final class FileBytes: ByteSource {
  private let descriptor: FileDescriptor
  private var offset: Int64

  init(_ descriptor: FileDescriptor, from offset: Int64 = 0) {
    self.descriptor = descriptor
    self.offset = offset
  }

  func read(maxBytes: Int) async throws -> [UInt8] {
    try Task.checkCancellation()
    let bytes = try descriptor.read(maxBytes: maxBytes, at: offset)
    offset += Int64(bytes.count)
    return bytes
  }
}

/// A byte source whose first bytes were taken for a look, and are given back.
final class PeekedBytes: ByteSource {
  private var front: ArraySlice<UInt8>
  private let rest: any ByteSource

  init(front: ArraySlice<UInt8>, rest: any ByteSource) {
    self.front = front
    self.rest = rest
  }

  func read(maxBytes: Int) async throws -> [UInt8] {
    guard !front.isEmpty else { return try await rest.read(maxBytes: maxBytes) }
    let bytes = Array(front.prefix(maxBytes))
    front = front.dropFirst(maxBytes)
    return bytes
  }
}
