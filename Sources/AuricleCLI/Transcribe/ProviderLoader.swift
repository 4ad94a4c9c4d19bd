import AuricleRecognition
import Synchronization

/// What the recogniser of a command is to be.
public struct ProviderRequest: Sendable, Equatable {
  /// A model folder; `nil` takes the installed one.
  public let model: String?
  /// The language to expect; `nil` leaves it to the model.
  public let language: LanguageTag?
  /// How many decodes may run at once; `nil` leaves it to the provider.
  public let threadCount: Int?
  /// The environment of the process.
  public let environment: [String: String]

  /// Creates a request.
  public init(model: String?, language: LanguageTag?, threadCount: Int?, environment: [String: String]) {
    self.model = model
    self.language = language
    self.threadCount = threadCount
    self.environment = environment
  }
}

/// Loads the recogniser once, beside other work, and only when somebody begins to need it.
final class ProviderLoader: Sendable {
  typealias Load = @Sendable (ProviderRequest) async throws(RecognitionError) -> any RecognitionProvider

  private let request: ProviderRequest
  private let load: Load
  /// Owned by this loader. Nobody waits for it when the command ends early: loading cannot be broken off.
  private let task = Mutex<Task<Result<any RecognitionProvider, RecognitionError>, Never>?>(nil)

  init(_ request: ProviderRequest, load: @escaping Load) {
    self.request = request
    self.load = load
  }

  /// Begins to load. Harmless when repeated.
  func start() { _ = started() }

  /// Waits for the recogniser.
  func provider() async throws(RecognitionError) -> any RecognitionProvider {
    try await started().value.get()
  }

  private func started() -> Task<Result<any RecognitionProvider, RecognitionError>, Never> {
    task.withLock { task in
      if let task { return task }
      let started = Task.detached { [load, request] in
        do throws(RecognitionError) {
          return Result<any RecognitionProvider, RecognitionError>.success(try await load(request))
        } catch {
          return .failure(error)
        }
      }
      task = started
      return started
    }
  }
}
