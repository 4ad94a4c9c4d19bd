import AuricleAudio
import AuricleRecording
import Foundation
import Testing

// The example of the target's page, word for word.
func record(_ source: any AudioSource, into root: String, named name: String) async throws -> RecordingFolder {
  let folder = try RecordingFolder.create(in: root, named: name)
  let recorder = try Recorder(folder: folder, format: .wav, audio: source.format)
  do {
    while let chunk = try await source.next(maxFrames: 4_096) {
      switch chunk {
      case .audio(let block): try recorder.append(block)
      case .gap(let gap): try recorder.append(gap)
      case .notice: break
      }
    }
  } catch {
    // Whatever went wrong, the file is whole up to there.
    try recorder.finish()
    throw error
  }
  try recorder.finish()
  return folder
}

/// A second of nothing, and then an end that was not hoped for.
private actor FailingSource: AudioSource {
  nonisolated let format = AudioFormat.speech
  nonisolated let expectedFrameCount: Int64? = nil
  private var frame: Int64 = 0

  func next(maxFrames: Int) throws -> AudioChunk? {
    guard frame < 16_000 else { throw AudioError(.readFailed, "the device is gone") }
    defer { frame += 1_000 }
    return .audio(format.block(at: frame, [Int16](repeating: 7, count: 1_000)))
  }
}

@Test("The page's example leaves a whole file, whatever its source does")
func documentationExample() async throws {
  let temporary = try TemporaryFolder()
  await #expect(throws: AudioError.self) { try await record(FailingSource(), into: temporary.path, named: "a") }
  #expect(try #require(Decoded(temporary.path + "/a/audio.wav")).samples == [Int16](repeating: 7, count: 16_000))
}
