import AuricleRecognition
import AuricleSession
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

  private struct State {
    /// Owned by this loader. Nobody waits for it: a model that is being read into memory cannot be broken off.
    var task: Task<Void, Never>?
    var result: Result<any RecognitionProvider, RecognitionError>?
  }

  private let request: ProviderRequest
  private let load: Load
  private let state = Mutex(State())
  private let isLoaded = StopSignal()

  init(_ request: ProviderRequest, load: @escaping Load) {
    self.request = request
    self.load = load
  }

  /// Begins to load. Harmless when repeated.
  func start() {
    state.withLock { state in
      guard state.task == nil else { return }
      state.task = Task.detached { await self.run() }
    }
  }

  /// Waits for the recogniser.
  /// - Throws: `RecognitionError`; `CancellationError`, when the task is cancelled before it is there.
  func provider() async throws -> any RecognitionProvider {
    start()
    _ = await isLoaded.wait()
    guard let result = state.withLock(\.result) else { throw CancellationError() }
    return try result.get()
  }

  /// Asks the loading to end, since nobody needs it any more. The child process that tries a model is gone after that.
  func cancel() { state.withLock(\.task)?.cancel() }

  private func run() async {
    let result: Result<any RecognitionProvider, RecognitionError>
    do throws(RecognitionError) { result = .success(try await load(request)) } catch { result = .failure(error) }
    state.withLock { $0.result = result }
    isLoaded.stop()
  }
}
