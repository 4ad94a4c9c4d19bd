import AuricleAudio
import AuricleRecognition

/// Where a transcription has its audio from, and where what it gives goes.
struct TranscriptionPlace: Sendable {
  /// The recording's format, in which the frames of `read` and `keep` count.
  let format: AudioFormat
  /// Reads the recording from a frame on.
  let read: @Sendable (Int64) -> any AudioSource
  /// Names the first frame that a later session may have to read.
  let keep: @Sendable (Int64) -> Void
  /// How far the recording is, in seconds: where what happens has its place.
  let position: @Sendable () -> Double
  /// Takes a result, and waits while many wait.
  let take: @Sendable (SessionResult) async -> Void
  /// Shows a failure, of which the report knows only if words are missing in the end.
  let show: @Sendable (SessionFailure) async -> Void
  /// Takes what the report shall know.
  let note: @Sendable (JournalEntry) -> Void
  /// Told that a recogniser is there.
  let loaded: @Sendable () -> Void
  /// Told how far a session was fed, in seconds.
  let heard: @Sendable (Double) -> Void

  /// A second before an anchor, and a whole second, so that what is turned into another rate sounds the same however often
  /// it is read.
  func firstFrame(for anchor: Int64) -> Int64 {
    max(0, anchor / Int64(AudioFormat.speech.sampleRate) - 1) * Int64(format.sampleRate)
  }
}

/// What became of the text of a recording.
enum TranscriptionOutcome: Sendable, Equatable {
  /// Everything that was recorded was heard.
  case complete
  /// The recogniser failed, for good.
  case failed(RecognitionError)
  /// The recording could not be read any further.
  case unreadable(SessionFailure)
  /// It was given up while the provider was away: the text can be had later.
  case pending(RecognitionError?)
  /// It was given up while the provider listened.
  case cut
}
