/// Which part reads a file, told by its first bytes and never by its name.
enum Container: Equatable {
  /// A WAV or RF64.
  case wav
  /// MPEG audio.
  case mpeg
  /// Something that libsndfile knows.
  case sndFile
  /// Something that only the `ffmpeg` program knows.
  case ffmpeg
  /// A list of other files, which are never opened on a list's word.
  case playlist
  /// Nothing that is known.
  case unknown

  /// How many bytes a look needs.
  static let lookByteCount = 4_096

  /// Tells the container.
  /// - Parameter bytes: The first ``lookByteCount`` bytes behind any ID3v2 tag, or all there are.
  /// - Parameter isTagged: An ID3v2 tag stood before them.
  init(_ bytes: [UInt8], isTagged: Bool) {
    if let known = Self.signatures.first(where: { $0.matches(bytes) }) {
      self = known.container
    } else if MPEGFrameHeader.begins(bytes, isSure: isTagged) {
      self = .mpeg
    } else if Self.isTransportStream(bytes) {
      self = .ffmpeg
    } else {
      self = MPEGFrameHeader.rowStart(within: bytes) == nil ? .unknown : .mpeg
    }
  }

  /// How long the ID3v2 tag at the start is, with its header; 0 if there is none.
  static func tagByteCount(_ bytes: [UInt8]) -> Int64 {
    guard bytes.count >= 10, bytes.starts(with: Array("ID3".utf8)), bytes[6..<10].allSatisfy({ $0 < 0x80 }) else {
      return 0
    }
    let content = bytes[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
    return content + (bytes[5] & 0x10 == 0 ? 10 : 20)
  }

  /// MPEG transport streams have a sync byte every 188 bytes.
  private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
    bytes.count > 188 * 4 && (0...4).allSatisfy { bytes[188 * $0] == 0x47 }
  }
}

/// Bytes at a fixed place that tell a container.
private struct Signature {
  let container: Container
  let parts: [(offset: Int, bytes: [UInt8])]

  init(_ container: Container, _ text: String, at offset: Int = 0, and second: String? = nil) {
    self.container = container
    parts = [(offset, Array(text.utf8))] + (second.map { [(8, Array($0.utf8))] } ?? [])
  }

  init(_ container: Container, _ bytes: [UInt8]) {
    self.container = container
    parts = [(0, bytes)]
  }

  func matches(_ file: [UInt8]) -> Bool {
    parts.allSatisfy { file.dropFirst($0.offset).starts(with: $0.bytes) }
  }
}

extension Container {
  private static let signatures: [Signature] = [
    Signature(.wav, "RIFF", and: "WAVE"), Signature(.wav, "RF64", and: "WAVE"), Signature(.wav, "BW64", and: "WAVE"),
    Signature(.sndFile, "RIFX", and: "WAVE"), Signature(.sndFile, [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11]),
    Signature(.sndFile, "FORM", and: "AIF"), Signature(.sndFile, "FORM", and: "8SVX"), Signature(.sndFile, "fLaC"),
    Signature(.sndFile, "OggS"), Signature(.sndFile, ".snd"), Signature(.sndFile, "dns."),
    Signature(.sndFile, "NIST_1A"), Signature(.sndFile, "caff"), Signature(.sndFile, "Creative Voice File"),
    Signature(.sndFile, " paf"), Signature(.sndFile, "fap "), Signature(.sndFile, "PVF1"),
    Signature(.ffmpeg, "ftyp", at: 4), Signature(.ffmpeg, "moov", at: 4), Signature(.ffmpeg, "mdat", at: 4),
    Signature(.ffmpeg, "wide", at: 4), Signature(.ffmpeg, [0x1A, 0x45, 0xDF, 0xA3]),
    Signature(.ffmpeg, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), Signature(.ffmpeg, "FLV"),
    Signature(.ffmpeg, "#!AMR"), Signature(.ffmpeg, "wvpk"), Signature(.ffmpeg, "MAC "), Signature(.ffmpeg, "TTA1"),
    Signature(.ffmpeg, "MPCK"), Signature(.ffmpeg, "MP+"), Signature(.ffmpeg, [0x00, 0x00, 0x01, 0xBA]),
    Signature(.ffmpeg, [0x0B, 0x77]), Signature(.ffmpeg, [0x7F, 0xFE, 0x80, 0x01]), Signature(.ffmpeg, "ADIF"),
    Signature(.ffmpeg, [0xFF, 0xF1]), Signature(.ffmpeg, [0xFF, 0xF9]), Signature(.ffmpeg, "RIFF", and: "AVI "),
    Signature(.playlist, "#EXTM3U"), Signature(.playlist, "ffconcat"), Signature(.playlist, "[playlist]"),
    Signature(.playlist, "<?xml"), Signature(.playlist, "<smil"), Signature(.playlist, "<asx"),
    Signature(.playlist, "v=0"), Signature(.playlist, "file "), Signature(.playlist, "[Reference]"),
  ]
}
