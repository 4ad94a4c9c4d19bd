import AuricleAudio
import AuricleMedia
import Testing

// The example of the target's page, word for word.
func secondsOfSound(at path: String) async throws -> Double {
  let source = SpeechSource(try await FileSource(path: path))
  var frameCount: Int64 = 0
  while let chunk = try await source.next(maxFrames: 4_096) {
    if case .audio(let block) = chunk { frameCount += Int64(block.frameCount) }
  }
  return source.format.seconds(frameCount)
}

@Test("The page's example does what it says")
func documentationExample() async throws {
  let folder = try TemporaryFolder()
  let path = try folder.file("a.wav", Containers.wav(Containers.s16le(Sounds.sweep(11_025)), rate: 22_050))
  #expect(try await secondsOfSound(at: path) == 0.5)
}
