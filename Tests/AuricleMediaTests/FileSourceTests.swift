import AuricleAudio
import AuricleMedia
import Foundation
import Testing

@Suite struct FileSourceTests {
  private let folder: TemporaryFolder
  private let sweep = Sounds.sweep(4_000)

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8], raw: RawFormat? = nil, name: String = "a.wav") async throws -> FileSource {
    try await FileSource(path: folder.file(name, bytes), raw: raw, ffmpeg: nil)
  }

  private var floats: [Float] { sweep.map { Float($0) / 32_768 } }

  @Test("A WAV gives its samples, whatever the blocks", arguments: [1, 7, 160, 480, 4_096, .max])
  func blocksDoNotMatter(_ size: Int) async throws {
    let source = try await open(Containers.wav(Containers.s16le(sweep)))
    #expect(source.expectedFrameCount == 4_000)
    let heard = try await hear(source, maxFrames: size)
    #expect(heard.samples == floats)
    #expect(heard.notices.isEmpty)
  }

  @Test("Headerless PCM is read as it is described")
  func raw() async throws {
    let raw = try RawFormat(encoding: .s16le, sampleRate: 8_000, channelCount: 2)
    let source = try await open(Containers.s16le(sweep), raw: raw)
    #expect(source.format == raw.format)
    #expect(source.expectedFrameCount == 2_000)
    #expect(try await hear(source).samples == floats)
  }

  @Test("Half a frame at the end of headerless PCM is left out, and said")
  func halfAFrame() async throws {
    let heard = try await hear(try await open(Containers.s16le(sweep) + [7], raw: RawFormat()))
    #expect(heard.samples == floats)
    #expect(heard.has(.damagedAudio))
  }

  @Test("A WAV that promises more than it holds gives what it holds, and says so")
  func promisesTooMuch() async throws {
    let bytes = Containers.wav(Containers.s16le(sweep), riffSize: 900_036, dataSize: 900_000)
    let source = try await open(bytes)
    #expect(source.expectedFrameCount == 4_000)
    let heard = try await hear(source)
    #expect(heard.samples == floats)
    #expect(heard.has(.damagedAudio))
  }

  @Test(
    "A WAV whose sizes are stand-ins gives all that it holds, in silence",
    arguments: [(0, 0), (36, 0), (8, 0), (.max, .max), (0x7FFF_F024, 0x7FFF_F000)] as [(UInt32, UInt32)])
  func standIns(_ riff: UInt32, _ data: UInt32) async throws {
    let heard = try await hear(
      try await open(Containers.wav(Containers.s16le(sweep), riffSize: riff, dataSize: data)))
    #expect(heard.samples == floats)
    #expect(heard.notices.isEmpty)
  }

  @Test("A WAV that grew behind its header's back gives everything, and says so")
  func oldSize() async throws {
    let bytes = Containers.wav(Containers.s16le(sweep), riffSize: 236, dataSize: 200)
    let heard = try await hear(try await open(bytes))
    #expect(heard.samples == floats)
    #expect(heard.has(.damagedAudio))
  }

  @Test("Samples that are no numbers are silence, and said once")
  func notNumbers() async throws {
    let samples: [Float] = [0.5, .nan, .infinity, -0.25] + Array(repeating: .nan, count: 9_000)
    let heard = try await hear(try await open(Containers.wav(Containers.f32le(samples), tag: 3, bits: 32)))
    #expect(heard.samples.prefix(4) == [0.5, 0, 0, -0.25])
    #expect(heard.notices.map(\.kind) == [.nonFiniteSamples])
  }

  @Test("An AIFF that was cut off gives what is left, and says so")
  func cutOff() async throws {
    let whole = Containers.aiff(sweep)
    #expect(try await hear(try await open(whole, name: "a.aiff")).samples == floats)
    let heard = try await hear(try await open(Array(whole.dropLast(3_000)), name: "b.aiff"))
    #expect(heard.samples == Array(floats.dropLast(1_500)))
    #expect(heard.has(.damagedAudio))
  }

  @Test("AU and SPHERE are read, and told when they are cut off")
  func otherContainers() async throws {
    for whole in [Containers.au(sweep), Containers.sphere(sweep)] {
      let heard = try await hear(try await open(whole))
      #expect(heard.samples == floats)
      #expect(heard.notices.isEmpty)
      let part = try await hear(try await open(Array(whole.dropLast(2_000))))
      #expect(part.samples == Array(floats.dropLast(1_000)))
      #expect(part.has(.damagedAudio))
    }
  }

  @Test("What is inside decides, not the name")
  func namesDoNotMatter() async throws {
    #expect(try await hear(try await open(Containers.aiff(sweep), name: "a.mp3")).samples == floats)
    #expect(try await hear(try await open(Containers.wav(Containers.s16le(sweep)), name: "a.gsm")).samples == floats)
  }

  @Test("What is no file, or none that may be read, is told apart")
  func cannotBeOpened() async throws {
    func kind(_ path: String) async throws -> AudioError.Kind? {
      try await failure { _ = try await FileSource(path: path) }?.kind
    }
    #expect(try await kind(folder.path + "/nowhere.wav") == .notFound)
    #expect(try await kind(folder.path) == .notFound)
    #expect(try await kind("") == .notFound)
    let file = try folder.file("here.wav", [1, 2, 3])
    #expect(try await kind(file + "/inside.wav") == .notFound)
    #expect(try await kind(folder.file("empty.wav", [])) == .notAudio)
    #expect(try await kind(folder.file("text.wav", Array("Dear diary, today nothing happened".utf8))) == .notAudio)
  }

  @Test(
    "A file that may not be read is told apart",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func notPermitted() async throws {
    let path = try folder.file("secret.wav", Containers.wav([]))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(try await failure { _ = try await FileSource(path: path) }?.kind == .notPermitted)
  }

  @Test("A message stays on one line whatever the file is called")
  func oddNames() async throws {
    let path = try folder.file("a\nb\u{1B}[31m.wav", [])
    let error = try await failure { _ = try await FileSource(path: path) }
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
  }

  @Test("A cancelled task reads no further")
  func cancellation() async throws {
    let source = try await open(Containers.wav(Containers.s16le(sweep)))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await source.next(maxFrames: 10)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
