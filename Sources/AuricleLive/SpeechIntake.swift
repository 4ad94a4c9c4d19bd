import AuricleAudio
import AuricleRecognition

/// What a chunk means to a session that hears 16,000 Hz mono: where it goes on, and what it hears.
package struct SpeechIntake: Sendable, Equatable {
  /// Where the audio goes on, when frames are missing before.
  package let resumeFrame: Int64?
  /// The samples that were heard.
  package let samples: [Float]

  /// Looks at a chunk.
  /// - Parameter endFrame: Where the audio before it ended.
  /// - Throws: `RecognitionError` of kind `invalidParameter`, when it is of another format or does not follow on.
  package init(_ chunk: AudioChunk, after endFrame: Int64) throws(RecognitionError) {
    let startFrame: Int64
    switch chunk {
    case .audio(let block):
      guard block.format == .speech else { throw Self.refusal("audio of another format than 16,000 Hz mono") }
      (startFrame, samples) = (block.startFrame, block.samples)
    case .gap(let gap):
      guard gap.sampleRate == LivePolicy.sampleRate else { throw Self.refusal("a gap of another rate than 16,000 Hz") }
      (startFrame, samples) = (gap.frames.upperBound, [])
    case .notice:
      (startFrame, samples) = (endFrame, [])
    }
    guard startFrame >= endFrame else { throw Self.refusal("frame \(startFrame) again, after \(endFrame)") }
    resumeFrame = startFrame == endFrame ? nil : startFrame
  }

  private static func refusal(_ what: String) -> RecognitionError {
    RecognitionError(.invalidParameter, "a session cannot take \(what)")
  }
}
