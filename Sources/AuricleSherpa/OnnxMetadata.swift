/// The metadata of an ONNX file: the entries of `metadata_props`, field 14 of the format's outermost message.
///
/// Only the heads of the outermost fields are read and the rest is stepped over, so a file of gigabytes costs nothing, and
/// a damaged one can ask for no more memory than the limits allow.
struct OnnxMetadata: Sendable, Equatable {
  /// What is wrong with a file.
  enum Failure: Error, Equatable {
    /// It is not in this format.
    case notONNX
    /// It ends in the middle.
    case cutOff
  }

  /// The entries.
  let properties: [String: String]

  private static let graphField: UInt64 = 7
  private static let metadataField: UInt64 = 14
  private static let maximumFields = 4_096
  private static let maximumEntry: UInt64 = 1 << 20
  private static let maximumTotal = 8 << 20

  /// Reads the metadata.
  /// - Parameters:
  ///   - size: The size of the file in bytes.
  ///   - read: Reads so many bytes from an offset; fewer at the end.
  init(size: UInt64, read: (UInt64, Int) -> [UInt8]) throws(Failure) {
    var found: [String: String] = [:]
    var offset: UInt64 = 0
    var total = 0
    var hasGraph = false
    for _ in 0..<Self.maximumFields where offset < size {
      let head = try WireField(read(offset, WireField.maximumHead))
      let (start, end) = try Self.extent(head, at: offset, size: size)
      hasGraph = hasGraph || (head.number == Self.graphField && head.isMessage)
      if head.number == Self.metadataField && head.isMessage && end - start <= Self.maximumEntry {
        let bytes = read(start, Int(end - start))
        total += bytes.count
        guard total <= Self.maximumTotal else { throw .notONNX }
        if let (key, value) = Self.entry(bytes) { found[key] = value }
      }
      offset = end
    }
    guard hasGraph, offset == size else { throw .notONNX }
    properties = found
  }

  private static func extent(
    _ head: WireField, at offset: UInt64, size: UInt64
  ) throws(Failure) -> (start: UInt64, end: UInt64) {
    let start = offset + UInt64(head.headLength)
    let (end, isTooLong) = start.addingReportingOverflow(head.bodyLength)
    guard !isTooLong, end <= size else { throw head.number == graphField ? .cutOff : .notONNX }
    return (start, end)
  }

  /// A key and its value; `nil` when the entry has no key.
  private static func entry(_ bytes: [UInt8]) -> (String, String)? {
    var texts: [UInt64: String] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let head = try? WireField(Array(rest.prefix(WireField.maximumHead))),
        head.bodyLength <= UInt64(rest.count - head.headLength)
      else { return nil }
      let body = rest.dropFirst(head.headLength).prefix(Int(head.bodyLength))
      if head.isMessage { texts[head.number] = String(decoding: body, as: UTF8.self) }
      rest = rest.dropFirst(head.headLength + body.count)
    }
    return texts[1].map { ($0, texts[2] ?? "") }
  }
}

/// The head of a field in the protocol buffers' wire format.
private struct WireField {
  /// A tag and a length, each of at most ten bytes.
  static let maximumHead = 20

  let number: UInt64
  let isMessage: Bool
  let headLength: Int
  let bodyLength: UInt64

  init(_ bytes: [UInt8]) throws(OnnxMetadata.Failure) {
    var rest = bytes[...]
    let tag = try Self.varint(&rest)
    number = tag >> 3
    isMessage = tag & 7 == 2
    switch tag & 7 {
    case 0:
      _ = try Self.varint(&rest)
      bodyLength = 0
    case 1: bodyLength = 8
    case 2: bodyLength = try Self.varint(&rest)
    case 5: bodyLength = 4
    default: throw .notONNX
    }
    guard number > 0, number < 1 << 29 else { throw .notONNX }
    headLength = bytes.count - rest.count
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) throws(OnnxMetadata.Failure) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = bytes.popFirst() else { throw .notONNX }
      if shift == 63 && byte > 1 { throw .notONNX }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .notONNX
  }
}
