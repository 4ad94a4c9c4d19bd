import AuricleAudio
import Foundation
import Synchronization
import Testing

@testable import AuricleMedia

@Suite(.timeLimit(.minutes(5))) struct FFmpegTests {
  private static let isInstalled = FFmpegTool.installed() != nil
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A program that takes the place of `ffmpeg`: a shell script.
  private func tool(_ script: String) throws -> FFmpegTool {
    let path = try folder.file("ffmpeg", Array("#!/bin/sh\n\(script)\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return FFmpegTool(path: path)
  }

  /// A file that only the program reads.
  private func movie() throws -> String {
    try folder.file("a.m4a", Containers.big(20) + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 100))
  }

  private func audioFile(_ path: String) throws -> AudioFile {
    let descriptor = try FileDescriptor.open(readingAt: path)
    return AudioFile(descriptor: descriptor, byteCount: 1, name: path)
  }

  @Test("Without the program the message says how to install it")
  func missing() async throws {
    let path = try movie()
    for tool in [nil, FFmpegTool(path: "/nowhere/ffmpeg")] {
      let error = try await failure { _ = try await FileSource(path: path, ffmpeg: tool) }
      #expect(error?.kind == .missingTool)
      #expect(error?.message.contains("apt-get install ffmpeg") == true)
    }
  }

  @Test("A program that the system does not start is no missing program")
  func notStarted() async throws {
    let tool = FFmpegTool(path: try folder.file("ffmpeg", [0x7F, 0x45, 0x4C, 0x46]))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool.path)
    let path = try movie()
    let error = try await failure { _ = try await FileSource(path: path, ffmpeg: tool) }
    #expect(error?.kind == .readFailed && error?.platformCode == Int(ENOEXEC))
    #expect(error?.message.hasPrefix("\(path): the ffmpeg program does not start: ") == true)
  }

  @Test(
    "A playlist is refused, whatever it is called", .enabled(if: isInstalled, "ffmpeg is not installed"),
    arguments: [
      "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nVICTIM\n#EXT-X-ENDLIST\n",
      "ffconcat version 1.0\nfile 'VICTIM'\n",
      "file 'VICTIM'\n",
      "[playlist]\nFile1=VICTIM\n",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
      "<?xml version=\"1.0\"?><MPD><Period><AdaptationSet><Representation><BaseURL>VICTIM</BaseURL>"
        + "</Representation></AdaptationSet></Period></MPD>",
    ])
  func playlists(_ text: String) async throws {
    let victim = try folder.file("victim.wav", Containers.wav(Containers.s16le(Sounds.sweep(16_000))))
    let bytes = Array(text.replacing("VICTIM", with: victim).utf8)
    for name in ["list.m4a", "list.m3u8", "list.wav"] {
      let path = try folder.file(name, bytes)
      #expect(try await failure { _ = try await FileSource(path: path) }?.kind == .notAudio)
      // And the program itself follows no list, even if one got past the look at the first bytes.
      let file = try audioFile(path)
      let tool = try #require(FFmpegTool.installed())
      #expect(try await failure { _ = try await FFmpegReader.open(file, tool: tool) }?.kind == .notAudio)
    }
  }

  @Test(
    "The name of a file is never taken for an option or an address",
    .enabled(if: isInstalled && Recordings.areHere, "ffmpeg or the recordings are missing"),
    arguments: ["-i.m4a", "a b;touch c'\"$(d).m4a", "http:||x.m4a", "concat:a|b.m4a", "%d.m4a"])
  func oddNames(_ name: String) async throws {
    let path = try folder.file(name, Recordings.bytes("formats/jfk_44k1.m4a"))
    let heard = try await hear(try await FileSource(path: path))
    #expect(heard.samples.count > 44_100 * 10)
    #expect(heard.notices.isEmpty)
  }

  @Test(
    "A film's sound that was cut off gives what is left, or a clear error",
    .enabled(if: isInstalled && Recordings.areHere, "ffmpeg or the recordings are missing"))
  func cutOff() async throws {
    let whole = try Recordings.bytes("formats/jfk_44k1.m4a")
    for part in [10, 100, 1_000, whole.count / 2, whole.count - 100] {
      let path = try folder.file("part.m4a", Array(whole.prefix(part)))
      let error = try await failure {
        let heard = try await hear(try await FileSource(path: path))
        #expect(heard.has(.damagedAudio))
      }
      #expect(error.map { $0.kind == .notAudio } ?? true)
    }
  }

  @Test("The program is killed when the task is cancelled")
  func cancellation() async throws {
    let wav = Containers.wav([], tag: 3, bits: 32, riffSize: .max, dataSize: .max)
    let header = try folder.file("header", wav)
    let script = "echo $$ > '\(folder.path)/pid'; cat '\(header)'; exec sleep 1000"
    let source = try await FileSource(path: movie(), ffmpeg: tool(script))
    #expect(source.format == .speech)
    let text = try String(contentsOfFile: folder.path + "/pid", encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(process, 0) == 0)
    let task = Task { try await source.next(maxFrames: 10) }
    for _ in 0..<20 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(kill(process, 0) == -1)
  }

  @Test("A program that says much and fails holds nobody up, and the message is short")
  func chatter() async throws {
    let path = try movie()
    let error = try await failure {
      _ = try await FileSource(path: path, ffmpeg: try tool("head -c 1000000 /dev/zero >&2; exit 1"))
    }
    #expect(error?.kind == .notAudio)
    #expect(try #require(error).message.count < 1_000)
  }

  @Test("A program that says nothing is given up")
  func stalls() async throws {
    let file = try audioFile(try movie())
    let error = try await failure {
      _ = try await FFmpegReader.open(file, tool: try tool("exec sleep 1000"), stallSeconds: 1)
    }
    #expect(error?.kind == .notAudio)
  }

  @Test("The program inherits one file and a bare environment")
  func inheritance() async throws {
    let script = "ls /dev/fd > '\(folder.path)/files'; env > '\(folder.path)/environment'; exit 1"
    let kept = try FileDescriptor.pipe()
    _ = try await failure { _ = try await FileSource(path: try movie(), ffmpeg: try tool(script)) }
    withExtendedLifetime(kept) {}
    let files = try String(contentsOfFile: folder.path + "/files", encoding: .utf8).split(separator: "\n")
    #expect(files.count <= 5, "0 to 3, and the folder that ls reads: \(files)")
    let environment = try String(contentsOfFile: folder.path + "/environment", encoding: .utf8)
    #expect(!environment.contains("AURICLE") && !environment.contains("FFREPORT"))
  }
}
