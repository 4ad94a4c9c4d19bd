import AuricleAudio
import Foundation
import Testing

@testable import AuricleMedia

/// The same take in many encodings sounds the same.
@Suite(.enabled(if: Recordings.areHere, "the recordings are not beside the checkout"))
struct FormatTests {
  private static let hasFFmpeg = FFmpegTool.installed() != nil

  private func speech(_ name: String, raw: RawFormat? = nil) async throws -> [Float] {
    let heard = try await hear(SpeechSource(try await FileSource(path: Recordings.path(name), raw: raw)))
    #expect(heard.notices.isEmpty)
    return heard.samples
  }

  @Test(
    "One take in every encoding gives the same frames",
    arguments: [
      "sr_mono-24-bit-44100Hz.wav", "sr_mono-8-bit-44100Hz.wav", "sr_stereo-16-bit-44100Hz.wav",
      "sr_stereo-24-bit-44100Hz.flac",
    ])
  func sameTake(_ name: String) async throws {
    let reference = try await speech("formats/sr_mono-16-bit-44100Hz.aiff")
    let other = try await speech("formats/" + name)
    #expect(other.count == reference.count)
    let errors = zip(other, reference).map { abs($0 - $1) }
    #expect(try #require(errors.max()) < (name.contains("8-bit") ? 0.02 : 0.001))
  }

  @Test("A lossy take is much like the original", arguments: ["jfk.mp3", "jfk_44k1_stereo.flac"])
  func lossyTake(_ name: String) async throws {
    let other = try await speech("formats/" + name)
    #expect(other.count == 176_000)
    #expect(try await likeness(speech("english/jfk_16k.wav"), other) > 0.98)
  }

  @Test("A film's sound is much like the original", .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func film() async throws {
    let other = try await speech("formats/jfk_44k1.m4a")
    #expect(abs(other.count - 176_000) < 3_200)
    #expect(try await likeness(speech("english/jfk_16k.wav"), other) > 0.95)
  }

  @Test("µ-law is much like the original")
  func muLaw() async throws {
    let other = try await speech("formats/weather_mulaw.wav")
    #expect(other.count == 32_480)
    #expect(try await likeness(speech("formats/weather_16k.wav"), other) > 0.99)
  }

  @Test("A headerless take is read by its description, and its bytes as PCM of another kind are another length")
  func headerless() async throws {
    let raw = "formats/goforward_16k_s16le.raw"
    #expect(try await speech(raw, raw: try RawFormat()).count == 44580)
    #expect(try await failure { _ = try await FileSource(path: Recordings.path(raw)) }?.kind == .notAudio)
  }

  @Test(
    "Our own reading of a WAV is libsndfile's, sample for sample",
    arguments: ["english", "formats", "channels", "acoustics", "broken"].flatMap(Recordings.names(in:))
      .filter { $0.hasSuffix(".wav") })
  func agreesWithLibrary(_ name: String) async throws {
    let descriptor = try FileDescriptor.open(readingAt: Recordings.path(name))
    guard case .file(let byteCount) = try descriptor.nature(),
      let library = SndFileHandle(descriptor, byteCount: byteCount)
    else { return }
    var expected: [Float] = []
    while case let piece = library.read(maxFrames: 4_096), !piece.isEmpty { expected += piece }
    let heard = try await hear(try await FileSource(path: Recordings.path(name)))
    #expect(heard.samples == expected)
  }

  @Test("A file that is cut off in the middle gives what is left, and says so", arguments: ["mp3", "flac", "opus"])
  func cutOff(_ suffix: String) async throws {
    let names = ["mp3": "jfk.mp3", "flac": "jfk_44k1_stereo.flac", "opus": "silero_test.opus"]
    let whole = try Recordings.bytes("formats/" + names[suffix]!)
    let folder = try TemporaryFolder()
    let path = try folder.file("half." + suffix, Array(whole.prefix(whole.count / 2)))
    let heard = try await hear(try await FileSource(path: path))
    #expect(heard.samples.count > 40_000)
    #expect(heard.has(.damagedAudio))
  }

  @Test("Damage in the middle of a FLAC is a gap, and what follows keeps its place")
  func damagedMiddle() async throws {
    let name = "formats/jfk_44k1_stereo.flac"
    var bytes = try Recordings.bytes(name)
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 300, with: Sounds.noise(300).map { UInt8(($0 + 0.5) * 255) })
    let folder = try TemporaryFolder()
    let whole = try await hear(try await FileSource(path: Recordings.path(name)))
    let heard = try await hear(try await FileSource(path: folder.file("a.flac", bytes)))
    let gap = try #require(heard.gaps.first)
    #expect(heard.gaps.count == 1 && gap.reason == .damaged && gap.frames.count < 44_100)
    #expect(heard.has(.damagedAudio))
    let (start, end) = (Int(gap.frames.lowerBound) * 2, Int(gap.frames.upperBound) * 2)
    #expect(heard.samples[..<start] == whole.samples[..<start])
    #expect(heard.samples[start...] == whole.samples[end...])
  }

  @Test(
    "An MP3 that was cut into, or has a damaged beginning or tag, is read from its next whole frame on",
    arguments: 0..<3)
  func beginnings(_ damage: Int) async throws {
    var bytes = try Recordings.bytes("formats/jfk.mp3")
    let first = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] & 0xE0 == 0xE0 })
    switch damage {
    case 0: bytes.removeFirst(first + 100)
    case 1: bytes[first] = 0
    default: bytes = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + bytes[first...]
    }
    let folder = try TemporaryFolder()
    let heard = try await hear(try await FileSource(path: folder.file("a.mp3", bytes)))
    #expect(heard.samples.count > 160_000)
  }

  @Test("Rubbish in the middle of an MP3 costs little, and keeps its pitch")
  func rubbish() async throws {
    var bytes = try Recordings.bytes("formats/jfk.mp3")
    bytes.replaceSubrange(20_000..<23_000, with: Sounds.noise(3_000).map { UInt8(($0 + 0.5) * 255) })
    let folder = try TemporaryFolder()
    let heard = try await hear(try await FileSource(path: folder.file("a.mp3", bytes)))
    #expect(heard.samples.count > 155_000)
  }
}
