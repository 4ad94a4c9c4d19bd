import AuricleAudio

/// Reads the header of a WAV or RF64 from front to back, in pieces of any size.
///
/// A value, and a state machine: ``consume(_:)`` takes bytes until it has the header or knows that there is none.
struct WAVHeaderParser {
  /// Where the parser stands.
  private enum Phase {
    /// Before the 12 bytes that open the file. More bytes are legal.
    case opening
    /// Before the 8 bytes that open a chunk. More bytes are legal.
    case chunkOpening
    /// In a chunk whose content matters. More bytes are legal.
    case content(name: [UInt8], byteCount: Int)
    /// In a chunk whose content does not matter. More bytes are legal.
    case skipping(Int64, isOdd: Bool)
    /// At the byte that fills up a chunk of odd size, which some writers forget. More bytes are legal.
    case padding
    /// There is an outcome. More bytes are not legal.
    case done
  }

  /// What the bytes so far amount to.
  enum Outcome: Equatable {
    /// Nothing yet: more bytes are needed.
    case more
    /// The header; the samples begin at its `dataOffset`.
    case header(WAVHeader)
    /// A WAV whose coding needs a decoder.
    case needsDecoder
    /// No WAV, or one that is damaged before its first sample. Says how.
    case invalid(String)
  }

  /// No chunk that matters is larger.
  private static let contentLimit: UInt32 = 4_096

  private var phase = Phase.opening
  private var pending: [UInt8] = []
  private var offset: Int64 = 0
  private var formatChunk: WAVFormatChunk?
  private var claimedEnd: Int64?
  private var longDataByteCount: Int64?

  /// Takes the next bytes.
  /// - Precondition: the outcome before was ``Outcome/more``.
  /// - Returns: What is known, and how many of the bytes were used up for it.
  mutating func consume(_ bytes: ArraySlice<UInt8>) -> (outcome: Outcome, usedByteCount: Int) {
    var rest = bytes
    var outcome = Outcome.more
    while outcome == .more, let step = takeStep(&rest) { outcome = step }
    return (outcome, bytes.count - rest.count)
  }

  /// One step through the phases; `nil` when the bytes are used up.
  private mutating func takeStep(_ rest: inout ArraySlice<UInt8>) -> Outcome? {
    switch phase {
    case .opening: return gather(12, &rest).map { opening($0) }
    case .chunkOpening: return gather(8, &rest).map { chunkOpening($0) }
    case .content(let name, let byteCount): return gather(byteCount, &rest).map { content(name, $0) }
    case .skipping(let byteCount, let isOdd): return skip(byteCount, isOdd: isOdd, &rest)
    case .padding: return pad(&rest)
    case .done: preconditionFailure("a WAV header was read behind its end: \(self)")
    }
  }

  /// Collects bytes until there are enough of them.
  private mutating func gather(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    let piece = rest.prefix(count - pending.count)
    pending += piece
    rest = rest.dropFirst(piece.count)
    offset += Int64(piece.count)
    guard pending.count == count else { return nil }
    defer { pending = [] }
    return pending
  }

  private mutating func opening(_ bytes: [UInt8]) -> Outcome {
    let form = Array(bytes[0..<4])
    guard [fourCC("RIFF"), fourCC("RF64"), fourCC("BW64")].contains(form), Array(bytes[8..<12]) == fourCC("WAVE")
    else { return invalid("it does not begin like a WAV") }
    let size = littleEndian32(bytes, at: 4)
    claimedEnd = form == fourCC("RIFF") && size != 0 && size != .max ? Int64(size) + 8 : nil
    phase = .chunkOpening
    return .more
  }

  private mutating func chunkOpening(_ bytes: [UInt8]) -> Outcome {
    let name = Array(bytes[0..<4])
    let size = littleEndian32(bytes, at: 4)
    if name == fourCC("data") { return data(size) }
    guard name == fourCC("fmt ") || name == fourCC("ds64") else {
      phase = .skipping(Int64(size), isOdd: !size.isMultiple(of: 2))
      return .more
    }
    guard size <= Self.contentLimit else { return invalid("its format chunk is damaged") }
    phase = .content(name: name, byteCount: Int(size))
    return .more
  }

  private mutating func content(_ name: [UInt8], _ bytes: [UInt8]) -> Outcome {
    phase = bytes.count.isMultiple(of: 2) ? .chunkOpening : .padding
    if name == fourCC("ds64") {
      guard bytes.count >= 16 else { return invalid("its size chunk is damaged") }
      claimedEnd = littleEndian63(bytes, at: 0).map { $0 &+ 8 }.flatMap { $0 > 8 ? $0 : nil }
      longDataByteCount = littleEndian63(bytes, at: 8)
      return .more
    }
    guard let chunk = WAVFormatChunk(bytes) else { return invalid("its format chunk is damaged") }
    formatChunk = chunk
    guard chunk.encoding != nil else { return finish(.needsDecoder) }
    return .more
  }

  private mutating func skip(_ byteCount: Int64, isOdd: Bool, _ rest: inout ArraySlice<UInt8>) -> Outcome? {
    let piece = Int(min(byteCount, Int64(rest.count)))
    rest = rest.dropFirst(piece)
    offset += Int64(piece)
    let remaining = byteCount - Int64(piece)
    phase = remaining > 0 ? .skipping(remaining, isOdd: isOdd) : isOdd ? .padding : .chunkOpening
    return remaining > 0 ? nil : .more
  }

  /// The byte is there if it is zero: no chunk's name begins with one.
  private mutating func pad(_ rest: inout ArraySlice<UInt8>) -> Outcome? {
    guard let byte = rest.first else { return nil }
    if byte == 0 {
      rest = rest.dropFirst()
      offset += 1
    }
    phase = .chunkOpening
    return .more
  }

  private mutating func data(_ size: UInt32) -> Outcome {
    guard let chunk = formatChunk, let encoding = chunk.encoding else {
      return invalid("its format chunk is missing")
    }
    do throws(AudioError) {
      let raw = try RawFormat(encoding: encoding, sampleRate: chunk.sampleRate, channelCount: chunk.channelCount)
      let byteCount = size == .max ? longDataByteCount : Int64(size)
      return finish(
        .header(WAVHeader(raw: raw, dataOffset: offset, dataByteCount: byteCount, endOffset: claimedEnd)))
    } catch {
      return invalid(error.message)
    }
  }

  private mutating func invalid(_ reason: String) -> Outcome { finish(.invalid(reason)) }

  private mutating func finish(_ outcome: Outcome) -> Outcome {
    phase = .done
    return outcome
  }
}

/// The four bytes of a chunk's name.
private func fourCC(_ name: StaticString) -> [UInt8] {
  name.withUTF8Buffer { Array($0) }
}

/// A 64-bit count, if it is one that a file can have.
private func littleEndian63(_ bytes: [UInt8], at index: Int) -> Int64? {
  let low = UInt64(littleEndian32(bytes, at: index))
  let high = UInt64(littleEndian32(bytes, at: index + 4))
  let count = high << 32 | low
  return count < 1 << 62 ? Int64(count) : nil
}
