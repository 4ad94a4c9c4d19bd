/// Turns headerless bytes into samples, whatever the pieces in which they come.
///
/// A value: bytes that do not make up a whole frame are kept for the next piece.
public struct RawPCMDecoder: Sendable {
  private let encoding: SampleEncoding
  private var pending: [UInt8] = []

  /// Bytes per frame.
  public let bytesPerFrame: Int

  /// Creates a decoder.
  /// - Precondition: a frame has at least one sample.
  public init(encoding: SampleEncoding, channelCount: Int) {
    precondition(channelCount > 0, "a frame has at least one sample")
    self.encoding = encoding
    bytesPerFrame = encoding.byteCount * channelCount
  }

  /// Bytes that wait for the rest of their frame; those left at the end of the stream are no frame.
  public var leftoverByteCount: Int { pending.count }

  /// Decodes the next piece.
  /// - Returns: Whole frames, interleaved.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    guard !pending.isEmpty else { return decodeWhole(bytes) }
    let needed = min(bytesPerFrame - pending.count, bytes.count)
    pending.append(contentsOf: bytes.prefix(needed))
    guard pending.count == bytesPerFrame else { return [] }
    let first = pending.withUnsafeBytes { encoding.samples(of: $0) }
    pending.removeAll(keepingCapacity: true)
    return first + decodeWhole(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(needed)))
  }

  private mutating func decodeWhole(_ bytes: UnsafeRawBufferPointer) -> [Float] {
    let whole = bytes.count - bytes.count % bytesPerFrame
    pending.append(contentsOf: bytes.dropFirst(whole))
    return encoding.samples(of: UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
  }
}
