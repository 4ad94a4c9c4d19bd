import AuricleAudio

/// Chooses the reader of an ordinary file by the file's first bytes.
struct FileOpening {
  /// Where a WAV's first sample must be, at the latest.
  private static let longestHeader: Int64 = 1 << 28
  private static let pieceByteCount = 65_536
  /// How many frames must be readable for a file to count as audio.
  private static let firstReadFrameCount = 4_096

  let file: AudioFile
  let ffmpeg: FFmpegTool?

  nonisolated(nonsending) func open() async throws -> any FrameReader {
    guard file.byteCount > 0 else { throw file.notAudio("it is empty") }
    let start = try file.bytes(Container.lookByteCount, at: 0)
    let tag = Container.tagByteCount(start)
    let look = tag == 0 ? start : try file.bytes(Container.lookByteCount, at: tag)
    if look.isEmpty, let row = MPEGFrameHeader.rowStart(within: start) {
      // A tag that claims to be longer than the file.
      return try await openMPEG(from: Int64(row))
    }
    switch Container(look, isTagged: tag > 0) {
    case .wav: return try await openWAV()
    case .mpeg: return try await orFFmpeg { try await openMPEG() }
    case .sndFile: return try await orFFmpeg { try await openSndFile() }
    case .ffmpeg: return try await openFFmpeg()
    case .playlist: throw file.notAudio("it is a list of files; name the audio files themselves")
    case .unknown:
      throw file.notAudio("its beginning is of no known kind; if it is headerless PCM, say so with --raw")
    }
  }

  private nonisolated(nonsending) func openWAV() async throws -> any FrameReader {
    var parser = WAVHeaderParser()
    var offset: Int64 = 0
    while offset < min(file.byteCount, Self.longestHeader) {
      try Task.checkCancellation()
      let piece = try file.bytes(Self.pieceByteCount, at: offset)
      if piece.isEmpty { break }
      switch parser.consume(piece[...]).outcome {
      case .more: offset += Int64(piece.count)
      case .header(let header): return try pcm(header)
      case .needsDecoder: return try await orFFmpeg { try await openSndFile() }
      case .invalid(let reason): throw file.notAudio(reason)
      }
    }
    throw file.notAudio("it ends before its sound begins")
  }

  private func pcm(_ header: WAVHeader) throws -> any FrameReader {
    let claimedEnd = header.dataOffset + (header.dataByteCount ?? 0)
    let tail = claimedEnd < file.byteCount ? try file.bytes(8, at: claimedEnd + claimedEnd % 2) : []
    return PCMReader(
      FileBytes(file.descriptor, from: header.dataOffset), raw: header.raw,
      extent: header.extent(fileByteCount: file.byteCount, tail: tail))
  }

  private nonisolated(nonsending) func openMPEG(from offset: Int64 = 0) async throws -> any FrameReader {
    try await proven(try await MPEGReader.open(FileBytes(file.descriptor, from: offset), name: file.name))
  }

  private nonisolated(nonsending) func openSndFile() async throws -> any FrameReader {
    try await proven(try SndFileReader(file, isCutOff: try file.isCutOff()))
  }

  /// Reads the first frames: a file of which not even they can be read is no audio.
  private nonisolated(nonsending) func proven(_ reader: any FrameReader) async throws -> any FrameReader {
    guard let first = try await reader.read(maxFrames: Self.firstReadFrameCount) else { return reader }
    if case .notice = first { throw file.notAudio("it is damaged beyond reading") }
    return PeekedReader(front: first, rest: reader)
  }

  private nonisolated(nonsending) func openFFmpeg() async throws -> any FrameReader {
    guard let ffmpeg else { throw FFmpegTool.missing(file.name) }
    return try await FFmpegReader.open(file, tool: ffmpeg)
  }

  /// Lets the `ffmpeg` program try what the libraries cannot read; its failure is not told, theirs is.
  private nonisolated(nonsending) func orFFmpeg(
    _ open: nonisolated(nonsending) () async throws -> any FrameReader
  ) async throws -> any FrameReader {
    do {
      return try await open()
    } catch let error as AudioError where ffmpeg != nil && error.kind == .notAudio {
      do { return try await openFFmpeg() } catch is AudioError { throw error }
    }
  }
}
