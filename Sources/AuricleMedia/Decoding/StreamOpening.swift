import AuricleAudio

/// Chooses the reader of a stream that cannot go back, by its first bytes.
struct StreamOpening {
  /// A WAV's first sample must come within that many bytes of other chunks.
  private static let longestHeader: Int64 = 1 << 28
  private static let pieceByteCount = 4_096

  let descriptor: FileDescriptor
  let name: String
  let ffmpeg: FFmpegTool?
  var spool = SpoolPlace.standard

  nonisolated(nonsending) func open(_ raw: RawFormat?) async throws -> any FrameReader {
    do {
      if raw == nil, let file = try redirectedFile() {
        return try await FileOpening(file: file, ffmpeg: ffmpeg).open()
      }
      let bytes = try PipeBytes(descriptor)
      if let raw { return PCMReader(HeaderlessBytes(bytes, name: name), raw: raw, extent: .toTheEnd) }
      return try await openContainer(bytes)
    } catch let error as SystemError {
      throw AudioError.readFailed(name, error)
    }
  }

  /// The file that stands in the place of a pipe, as in `auricle transcribe - < file`, if nobody has read from it yet.
  private func redirectedFile() throws(SystemError) -> AudioFile? {
    guard case .file(let byteCount) = try descriptor.nature(), try descriptor.position() == 0 else { return nil }
    return AudioFile(descriptor: descriptor, byteCount: byteCount, name: name)
  }

  private nonisolated(nonsending) func openContainer(_ bytes: any ByteSource) async throws -> any FrameReader {
    let start = try await look(bytes)
    guard !start.isEmpty else { throw AudioError.notAudio(name, "it is empty") }
    let isTagged = Container.tagByteCount(start) > 0
    switch Container(start, isTagged: false) {
    case .wav: return try await openWAV(PeekedBytes(front: start[...], rest: bytes))
    case .unknown where !isTagged:
      throw AudioError.notAudio(
        name, "its beginning is of no known kind; if it is headerless PCM, say so with --raw")
    case .playlist: throw AudioError.notAudio(name, "it is a list of files; name the audio files themselves")
    case .mpeg, .sndFile, .ffmpeg, .unknown: return try await openSpooled(PeekedBytes(front: start[...], rest: bytes))
    }
  }

  /// Takes the first bytes: 12 tell a WAV, which must not wait for more.
  private nonisolated(nonsending) func look(_ bytes: any ByteSource) async throws -> [UInt8] {
    var start: [UInt8] = []
    while start.count < Container.lookByteCount && !(start.count >= 12 && Container(start, isTagged: false) == .wav) {
      let piece = try await bytes.read(maxBytes: Container.lookByteCount - start.count)
      if piece.isEmpty { break }
      start += piece
    }
    return start
  }

  private nonisolated(nonsending) func openWAV(_ bytes: any ByteSource) async throws -> any FrameReader {
    var parser = WAVHeaderParser()
    var taken: [UInt8] = []
    var count: Int64 = 0
    while count < Self.longestHeader {
      let piece = try await bytes.read(maxBytes: Self.pieceByteCount)
      guard !piece.isEmpty else { throw AudioError.notAudio(name, "it ends before its sound begins") }
      count += Int64(piece.count)
      let (outcome, used) = parser.consume(piece[...])
      switch outcome {
      case .more: if taken.count < SpoolPlace.longestMemory { taken += piece }
      case .header(let header):
        let rest = PeekedBytes(front: piece[used...], rest: bytes)
        return PCMReader(rest, raw: header.raw, extent: header.extentInStream())
      case .needsDecoder where taken.count + piece.count == Int(count):
        return try await openSpooled(PeekedBytes(front: (taken + piece)[...], rest: bytes))
      case .needsDecoder: throw AudioError.notAudio(name, "its format stands too far back; read it from a file")
      case .invalid(let reason): throw AudioError.notAudio(name, reason)
      }
    }
    throw AudioError.notAudio(name, "its sound begins too late")
  }

  private nonisolated(nonsending) func openSpooled(_ bytes: any ByteSource) async throws -> any FrameReader {
    let file = try await spool.collect(bytes, name: name)
    return try await FileOpening(file: file, ffmpeg: ffmpeg).open()
  }
}
