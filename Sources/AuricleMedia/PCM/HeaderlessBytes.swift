import AuricleAudio

/// The bytes of headerless PCM, refused when they begin as a file with a header does: its bytes would be heard as noise.
///
/// Bytes are held back only while they might still be such a beginning, four at most.
final class HeaderlessBytes: ByteSource {
  /// How files begin, and what that is, with its article.
  private static let beginnings: [(bytes: [UInt8], name: String)] = [
    (Array("RIFF".utf8), "a WAV"), (Array("RF64".utf8), "a WAV"), (Array("fLaC".utf8), "a FLAC"),
    (Array("OggS".utf8), "an Ogg"), (Array("FORM".utf8), "an AIFF"), (Array("ID3\u{3}".utf8), "an MP3"),
    (Array("ID3\u{4}".utf8), "an MP3"),
  ]

  private let bytes: any ByteSource
  private let name: String
  private var held: [UInt8] = []
  private var isDecided = false

  init(_ bytes: any ByteSource, name: String) {
    self.bytes = bytes
    self.name = name
  }

  func read(maxBytes: Int) async throws -> [UInt8] {
    while !isDecided {
      let piece = try await bytes.read(maxBytes: maxBytes)
      held += piece
      isDecided = piece.isEmpty || !Self.beginnings.contains { $0.bytes.starts(with: held.prefix(4)) }
      if let found = Self.beginnings.first(where: { held.starts(with: $0.bytes) }) { throw refusal(of: found.name) }
    }
    guard !held.isEmpty else { return try await bytes.read(maxBytes: maxBytes) }
    defer { held.removeFirst(min(maxBytes, held.count)) }
    return Array(held.prefix(maxBytes))
  }

  private func refusal(of kind: String) -> AudioError {
    AudioError(
      .unsupportedFormat,
      "\(name): it begins as \(kind) file does, and headerless PCM was asked for; decode it before, or give it to "
        + "auricle transcribe as it is")
  }
}
