import AuricleRecognition
import Foundation
import Testing

@testable import AuricleSherpa

@Suite("New models are tried in a child process", .timeLimit(.minutes(2)))
struct ProbeTests {
  private let home: TemporaryFolder
  private let request = ModelProbe.Request(folder: ModelFolder(path: "/models/new"), language: nil)

  init() throws { home = try TemporaryFolder() }

  private func probe(_ script: String, timeout: Duration = .seconds(30)) async throws -> RecognitionError? {
    // Given to the shell as words: a file that was just written cannot be run while another test's child still has it open.
    await failure(ModelProbe.childProcess(executable: "/bin/sh", arguments: ["-c", script, "probe"], timeout: timeout))
  }

  private func failure(_ probe: ModelProbe) async -> RecognitionError? {
    do throws(RecognitionError) {
      try await probe(request)
      return nil
    } catch {
      #expect(!error.message.contains("\n"))
      return error
    }
  }

  @Test("A child that ends well means a good model, whatever it says")
  func good() async throws {
    #expect(try await probe("echo noise >&2; echo more; exit 0") == nil)
  }

  @Test("The child is told the folder, and the language where there is one")
  func arguments() async throws {
    let check = #"[ "$*" = "probe-model --language de /models/new" ]"#
    let told = ModelProbe.Request(folder: ModelFolder(path: "/models/new"), language: LanguageTag("de"))
    try await ModelProbe.childProcess(executable: "/bin/sh", arguments: ["-c", check, "sh", "probe-model"])(told)
  }

  @Test("A child that fails tells why: its last line that says something")
  func broken() async throws {
    let place = "/build/csrc/offline-model.cc:Init:12"
    let error = try await probe("printf 'first\\n\(place) no vocab_size in the metadata\\n\\n---\\n' >&2; exit 255")
    #expect(error?.kind == .invalidModel)
    #expect(error?.message.contains("/models/new: no vocab_size in the metadata; ") == true)
    let silent = try await probe("exit 3")
    #expect(silent?.message.contains("ended with status 3; ") == true)
    let own = try await probe("echo 'auricle: no such thing' >&2; exit 69")
    #expect(own?.message.contains(": no such thing; ") == true)
  }

  @Test("An exception inside the engine means a bad model, although the child ends well")
  func exception() async throws {
    let error = try await probe("echo 'Caught exception: Unexpected input data type' >&2; exit 0")
    #expect(error?.kind == .invalidModel)
    #expect(error?.message.contains("Unexpected input data type") == true)
  }

  @Test("A child that crashes means a bad model")
  func crash() async throws {
    let error = try await probe("kill -SEGV $$")
    #expect(error?.kind == .invalidModel)
    #expect(error?.message.contains("signal 11") == true)
  }

  @Test("A child that hangs is killed, with its own children and with its standard error closed")
  func hang() async throws {
    for script in ["sleep 600", "exec sleep 600", "exec 2>&-; sleep 600"] {
      let error = try await probe(script, timeout: .milliseconds(300))
      #expect(error?.kind == .invalidModel)
      #expect(error?.message.contains("took longer than") == true)
    }
  }

  @Test("Much output does not hold the child up, and its end is kept")
  func flood() async throws {
    let error = try await probe(
      "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 4000000 >&2; echo >&2; echo the end >&2; exit 1")
    #expect(error?.message.contains(": the end; ") == true)
  }

  @Test("A cancelled task kills the child at once")
  func cancel() async throws {
    let path = try home.script("probe", "sleep 600")
    let probe = ModelProbe.childProcess(executable: path, timeout: .seconds(600))
    let task = Task { await failure(probe) }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
  }

  @Test("A program that cannot be started is not the model's fault")
  func notStarted() async {
    let error = await failure(ModelProbe.childProcess(executable: "/no/such/program"))
    #expect(error?.kind == .failed)
  }

  // MARK: - What is remembered

  /// Counts the tries.
  private final class Counter: Sendable {
    let count = Guarded(0)
    var probe: ModelProbe { ModelProbe { _ in self.count.withLock { $0 += 1 } } }
    var value: Int { count.withLock { $0 } }
  }

  private func tryOnce(_ counter: Counter, cache: ProbeCache, folder: String) async throws {
    try await OnDeviceProvider.tryOnce(
      ModelFolder(path: folder).inspect(), language: nil,
      locations: InstallLocations(environment: [:], checkout: Places.deps), cache: cache, probe: counter.probe)
  }

  private func toyFolder() throws -> String {
    let folder = try home.folder("toy")
    for name in ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"] { try home.file("toy/" + name, "a 0") }
    return folder
  }

  @Test("A good model is tried once, and again when a file changes", .enabled(if: Places.hasModel))
  func remembered() async throws {
    let folder = try toyFolder()
    let cache = ProbeCache(path: home.path + "/deep/down/models.json")
    let counter = Counter()
    for _ in 0..<3 { try await tryOnce(counter, cache: cache, folder: folder) }
    #expect(counter.value == 1)
    try home.file("toy/tokens.txt", "other 0")
    for _ in 0..<2 { try await tryOnce(counter, cache: cache, folder: folder) }
    #expect(counter.value == 2)
  }

  @Test(
    "A damaged cache counts as empty and is mended; one that cannot be written does no harm",
    .enabled(if: Places.hasModel))
  func damagedCache() async throws {
    let folder = try toyFolder()
    let path = try home.file("models.json", "{ no json")
    let counter = Counter()
    for _ in 0..<2 { try await tryOnce(counter, cache: ProbeCache(path: path), folder: folder) }
    #expect(counter.value == 1)
    for unwritable in ["/proc/no/models.json", home.path, nil] {
      try await tryOnce(counter, cache: ProbeCache(path: unwritable), folder: folder)
    }
    #expect(counter.value == 4)
  }

  @Test("A bad model is not remembered", .enabled(if: Places.hasModel))
  func badIsTriedAgain() async throws {
    let model = try ModelFolder(path: toyFolder()).inspect()
    let cache = ProbeCache(path: home.path + "/models.json")
    let locations = InstallLocations(environment: [:], checkout: Places.deps)
    for _ in 0..<2 {
      await #expect(throws: RecognitionError.self) {
        try await OnDeviceProvider.tryOnce(
          model, language: nil, locations: locations, cache: cache,
          probe: ModelProbe { _ throws(RecognitionError) in throw RecognitionError(.invalidModel, "bad") })
      }
    }
    #expect(!Places.exists(home.path + "/models.json"))
  }
}
