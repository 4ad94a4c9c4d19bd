import AuricleAudio
import AuricleMedia
import Testing

/// Truncated, mislabelled and hostile files: a clear error, or the audio that is really there.
@Suite(.enabled(if: Recordings.areHere, "the recordings are not beside the checkout"))
struct BrokenFileTests {
  /// What is really in a file.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Int
    let channels: Int
    let frames: Int
    var testDescription: String { name }

    init(_ name: String, _ rate: Int, _ channels: Int, _ frames: Int) {
      self.name = "broken/" + name
      (self.rate, self.channels, self.frames) = (rate, channels, frames)
    }
  }

  static let readable = [
    Case("hound_extra_chunk.wav", 44_100, 1, 4),
    Case("ps_null.wav", 16_000, 1, 0),
    Case("sp_44100Hz-2ch-32bit-float-le.wav", 44_100, 2, 441),
    Case("sp_48000Hz-2ch-64bit-float-le-wavex.wav", 48_000, 2, 480),
    Case("sp_8000Hz-le-3ch-5S-24bit-inconsistent.wav", 8_000, 3, 5),
    Case("tt_24bit_pcm_extended.wav", 8_000, 2, 1_024),
    Case("tt_8khz_5s.opus", 8_000, 1, 40_000),
    Case("tt_adpcm_no_byterate.wav", 8_000, 2, 1_012),
    Case("tt_corrupt_metadata.ogg", 44_100, 1, 94_037),
    Case("tt_id3_broken_frame_size.mp3", 44_100, 1, 4_410),
  ]

  static let unreadable = [
    "azure_missing_wav_header.wav", "hound_crash-24728523.wav", "hound_oom-48ae4cd061.wav", "ps_bad.wav",
    "sp_44100Hz-le-1ch-4bytes-early-eof-no-data.wav", "sp_44100Hz-le-1ch-4bytes-incomplete-chunk.wav",
    "tt_empty_file.wav",
  ].map { "broken/" + $0 }

  @Test("A damaged file gives the audio that is in it, at its true rate", arguments: readable)
  func givesWhatIsThere(_ file: Case) async throws {
    let source = try await FileSource(path: Recordings.path(file.name))
    let heard = try await hear(source)
    #expect(source.format.sampleRate == file.rate)
    #expect(source.format.channelCount == file.channels)
    #expect(heard.samples.count == file.frames * file.channels)
  }

  @Test("A file without audio is refused, and the message says which and why", arguments: unreadable)
  func refuses(_ name: String) async throws {
    let error = try await failure { _ = try await FileSource(path: Recordings.path(name)) }
    #expect(error?.kind == .notAudio)
    #expect(error?.message.contains(name) == true)
  }

  @Test("Headerless PCM under the name of a WAV is refused with a hint, and readable once it is described")
  func headerlessWAV() async throws {
    let path = Recordings.path("broken/azure_missing_wav_header.wav")
    let error = try await failure { _ = try await FileSource(path: path) }
    #expect(error?.message.contains("--raw") == true)
    let heard = try await hear(try await FileSource(path: path, raw: RawFormat()))
    #expect(heard.samples.count == 20_160)
  }

  @Test("Every file gives audio or a clear error", .timeLimit(.minutes(5)), arguments: Recordings.names(in: "broken"))
  func noneIsFatal(_ name: String) async throws {
    let error = try await failure {
      _ = try await hear(try await SpeechSource(FileSource(path: Recordings.path(name))))
    }
    #expect(error.map { $0.message.contains(name) } ?? true)
  }
}
