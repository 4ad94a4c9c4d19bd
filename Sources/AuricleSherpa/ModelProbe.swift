import AuricleRecognition

/// Tries a model folder where a failure does no harm. The engine ends its process when a model's files are bad.
public struct ModelProbe: Sendable {
  /// What is to be tried.
  public struct Request: Sendable, Equatable {
    /// The model folder.
    public let folder: ModelFolder
    /// The language that the model is loaded for, if it must be told.
    public let language: LanguageTag?

    /// Creates a request.
    public init(folder: ModelFolder, language: LanguageTag?) {
      self.folder = folder
      self.language = language
    }
  }

  /// Whether a model that passes is known to be good from then on.
  let isProof: Bool
  private let body: @Sendable (Request) async throws(RecognitionError) -> Void

  /// Creates a probe from its action.
  /// - Parameter body: Throws `RecognitionError` of kind `invalidModel`, when the model is bad.
  public init(_ body: @escaping @Sendable (Request) async throws(RecognitionError) -> Void) {
    self.body = body
    isProof = true
  }

  private init() {
    body = { _ in }
    isProof = false
  }

  /// Tries nothing, and so proves nothing: for models that are known to be good.
  public static let none = ModelProbe()

  /// Starts a program that calls ``OnDeviceProvider/probe(folder:language:)`` on its last argument and ends well when
  /// that went well.
  /// - Parameters:
  ///   - executable: The program's path; a program that starts itself must not come here again when it is given these
  ///     arguments.
  ///   - arguments: Its arguments; the model folder follows them, and `--language TAG` before it where one is asked for.
  ///   - timeout: After this time the program is killed and the model is bad.
  public static func childProcess(
    executable: String, arguments: [String] = ["probe-model"], timeout: Duration = .seconds(60)
  ) -> ModelProbe {
    ModelProbe { request throws(RecognitionError) in
      let language = request.language.map { ["--language", $0.description] } ?? []
      let child = ProbeProcess(
        executable: executable, arguments: arguments + language + [request.folder.path])
      let outcome = await child.run(timeout: timeout)
      if let error = outcome.error(folder: request.folder.path) { throw error }
    }
  }

  /// Tries a folder.
  func callAsFunction(_ request: Request) async throws(RecognitionError) { try await body(request) }
}
