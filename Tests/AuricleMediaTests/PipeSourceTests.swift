import AuricleAudio
import Foundation
import Synchronization
import Testing

@testable import AuricleMedia

@Suite(.timeLimit(.minutes(5))) struct PipeSourceTests {
  private let sweep = Sounds.sweep(4_000)
  private var floats: [Float] { sweep.map { Float($0) / 32_768 } }
  private let reading: FileDescriptor
  private let writer: Writer

  init() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    self.reading = reading
    writer = Writer(writing)
  }

  private func open(raw: RawFormat? = nil, spool: SpoolPlace = .standard) async throws -> PipeSource {
    try await PipeSource(fileDescriptor: reading.number, raw: raw, ffmpeg: .installed(), spool: spool)
  }

  /// Feeds the pipe from another task, as a pipe holds less than the whole.
  private func feed(_ bytes: [UInt8], pieces: Int = 4_096) -> Task<Void, any Error> {
    Task { [writer] in
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        try writer.write(Array(bytes[start..<min(start + pieces, bytes.count)]))
      }
      writer.close()
    }
  }

  @Test("Headerless PCM is delivered as it trickles in, without waiting for more")
  func trickles() async throws {
    let source = try await open(raw: RawFormat())
    for index in 0..<20 {
      try writer.write(Containers.s16le([sweep[index]]))
      guard case .audio(let block) = try await source.next(maxFrames: 1_000) else { return }
      #expect(block.samples == [floats[index]])
      #expect(block.startFrame == Int64(index))
    }
    try writer.write([1])
    writer.close()
    guard case .notice(let notice) = try await source.next(maxFrames: 1) else { return }
    #expect(notice.kind == .damagedAudio)
    #expect(try await source.next(maxFrames: 1) == nil)
  }

  @Test(
    "What has a header is refused as headerless PCM, however it arrives",
    arguments: ["RIFF", "fLaC", "OggS", "ID3\u{4}"])
  func notHeaderless(beginning: String) async throws {
    let source = try await open(raw: RawFormat())
    let bytes = Array(beginning.utf8) + [UInt8](repeating: 1, count: 40)
    let feeding = feed(bytes, pieces: 22)
    await #expect(throws: AudioError.self) { try await source.next(maxFrames: 100) }
    _ = try await feeding.value
  }

  @Test("What begins as a header does and goes on otherwise is PCM, and nothing of it is lost")
  func nearlyAHeader() async throws {
    let source = try await open(raw: RawFormat())
    let bytes = Array("RIFX".utf8) + Array("fLa".utf8) + [7]
    let feeding = feed(bytes, pieces: 8)
    let heard = try await hear(source).samples
    _ = try await feeding.value
    #expect(heard.map { Int16($0 * 32_768) } == [0x4952, 0x5846, 0x4C66, 0x0761])
  }

  @Test("A WAV is delivered as it trickles in, from its header's last byte on")
  func liveWAV() async throws {
    let wav = Containers.wav(Containers.s16le(sweep), riffSize: .max, dataSize: .max)
    try writer.write(Array(wav.prefix(46)))
    let source = try await open()
    #expect(source.format == .speech)
    #expect(source.expectedFrameCount == nil)
    guard case .audio(let block) = try await source.next(maxFrames: 1_000) else { return }
    #expect(block.frameCount == 1)
    let feeding = feed(Array(wav.dropFirst(46)), pieces: 7)
    #expect(try await hear(source).samples == Array(floats.dropFirst()))
    try await feeding.value
  }

  @Test("A WAV in a pipe that promises more than comes gives what came, and says so")
  func promisesTooMuch() async throws {
    let feeding = feed(Containers.wav(Containers.s16le(sweep), riffSize: 900_036, dataSize: 900_000))
    let source = try await open()
    #expect(source.expectedFrameCount == 450_000)
    let heard = try await hear(source)
    #expect(heard.samples == floats)
    #expect(heard.has(.damagedAudio))
    try await feeding.value
  }

  @Test("What must come in whole is decoded once it is in, without a trace on disk")
  func spools() async throws {
    let folder = try TemporaryFolder()
    let feeding = feed(Containers.aiff(sweep), pieces: 100)
    let source = try await open(spool: SpoolPlace(folder: folder.path, limit: 1 << 20))
    #expect(try await hear(source).samples == floats)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try await feeding.value
  }

  @Test(
    "What is no audio is refused by its first bytes",
    arguments: ["", "#EXTM3U\nfile:///etc/passwd", "hello there"])
  func refuses(_ text: String) async throws {
    let feeding = feed(Array(text.utf8))
    #expect(try await failure { _ = try await open() }?.kind == .notAudio)
    try await feeding.value
  }

  @Test("More than may wait is a failure to read, and so is a folder that is not there")
  func spoolLimits() async throws {
    try writer.write(Containers.aiff(sweep))
    let small = SpoolPlace(folder: NSTemporaryDirectory(), limit: 5_000)
    #expect(try await failure { _ = try await open(spool: small) }?.kind == .readFailed)
    try writer.write(Containers.aiff(sweep))
    writer.close()
    let nowhere = SpoolPlace(folder: "/nowhere", limit: 5_000)
    let error = try await failure { _ = try await open(spool: nowhere) }
    #expect(error?.kind == .readFailed)
    #expect(error?.message.contains("TMPDIR") == true)
  }

  @Test("A full disk is a failure to read that names the folder", .enabled(if: SmallDisk.isPossible, "needs root"))
  func fullDisk() async throws {
    let disk = try SmallDisk(byteCount: 65_536)
    let feeding = feed(Containers.aiff(Sounds.sweep(50_000)))
    let error = try await failure { _ = try await open(spool: SpoolPlace(folder: disk.path, limit: 1 << 30)) }
    #expect(error?.kind == .readFailed)
    #expect(error?.message.contains(disk.path) == true)
    try await feeding.value
  }

  @Test("A wait for bytes ends with the task, and nothing is lost by it")
  func cancellation() async throws {
    let source = try await open(raw: RawFormat())
    for index in 0..<12 {
      let task = Task { try await source.next(maxFrames: 10) }
      for _ in 0..<index { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    try writer.write(Containers.s16le([sweep[7]]))
    guard case .audio(let block) = try await source.next(maxFrames: 10) else { return }
    #expect(block.samples == [floats[7]])
  }

  @Test("A wait for a header ends with the task")
  func cancellationWhileOpening() async throws {
    try writer.write(Array("RIFF".utf8))
    let task = Task { try await open() }
    for _ in 0..<20 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test("Many sources that wait take no thread from the tasks that work")
  func poolIsFree() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var writers: [Writer] = []
      for _ in 0..<32 {
        let (reading, writing) = try FileDescriptor.pipe()
        writers.append(Writer(writing))
        group.addTask {
          let source = try await PipeSource(fileDescriptor: reading.number, raw: RawFormat())
          #expect(try await hear(source).samples == [0.5])
          withExtendedLifetime(reading) {}
        }
      }
      try? await Task.sleep(for: .milliseconds(50))
      for writer in writers {
        try writer.write(Containers.s16le([16_384]))
        writer.close()
      }
      try await group.waitForAll()
    }
  }

  @Test("A file in the place of a pipe is read as a file, from where it stands")
  func redirectedFile() async throws {
    let folder = try TemporaryFolder()
    let nowhere = SpoolPlace(folder: "/nowhere", limit: 0)
    for whole in [Containers.aiff(sweep), Containers.wav(Containers.s16le(sweep), dataSize: 900_000)] {
      let file = try #require(FileHandle(forReadingAtPath: try folder.file("file", whole)))
      let source = try await PipeSource(fileDescriptor: file.fileDescriptor, ffmpeg: nil, spool: nowhere)
      #expect(source.expectedFrameCount == 4_000)
      #expect(try await hear(source).samples == floats)
    }
    let file = try #require(FileHandle(forReadingAtPath: try folder.file("raw", Containers.s16le(sweep))))
    try file.seek(toOffset: 2_000)
    let source = try await PipeSource(fileDescriptor: file.fileDescriptor, raw: RawFormat())
    #expect(try await hear(source).samples == Array(floats.dropFirst(1_000)))
  }

  @Test("A named pipe is read as a stream, also before its writer comes")
  func namedPipe() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let wav = Containers.wav(Containers.s16le(sweep))
    async let source = FileSource(path: path)
    let feeding = Task.detached {
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.write(contentsOf: Data(wav))
      try handle.close()
    }
    #expect(try await hear(source).samples == floats)
    try await feeding.value
  }
}

/// The writing end of a pipe, which can be closed early.
final class Writer: Sendable {
  private let end: Mutex<FileDescriptor?>

  init(_ descriptor: FileDescriptor) { end = Mutex(descriptor) }

  func write(_ bytes: [UInt8]) throws { try end.withLock { $0 }?.write(bytes) }
  func close() { end.withLock { $0 = nil } }
}
