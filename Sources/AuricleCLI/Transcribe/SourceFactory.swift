import AuricleAudio
import AuricleMedia

/// What the audio of a command is to be.
public struct SourceRequest: Sendable, Equatable {
  let input: Input
  let raw: RawFormat?
  let isRealTime: Bool

  /// What the user calls the input: a path, or `-` for standard input.
  public var name: String { input.name }
}

/// Makes sources of the real world. What is known of `AuricleMedia` is known here.
enum SourceFactory {
  /// Opens an input as 16,000 Hz mono.
  static func open(_ request: SourceRequest) async throws -> any AudioSource {
    let source: any AudioSource
    switch request.input {
    case .file(let path): source = try await FileSource(path: path, raw: request.raw)
    case .standardInput: source = try await PipeSource(fileDescriptor: 0, raw: request.raw)
    }
    let speech = SpeechSource(source)
    return request.isRealTime ? PacedSource(speech) : speech
  }
}
