import AuricleRecognition
import Foundation
import Testing

@testable import AuricleSherpa

@Suite(
  "Broken models are found before they end the process", .enabled(if: Places.hasModel && Places.tool != nil),
  .serialized, .timeLimit(.minutes(5)))
struct BrokenModelTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func load(_ folder: String) async -> RecognitionError? {
    let probe = ModelProbe.childProcess(executable: Places.tool ?? "auricle")
    do throws(RecognitionError) {
      _ = try await OnDeviceProvider.load(
        explicitModel: folder, environment: ["XDG_CACHE_HOME": home.path + "/cache"], probe: probe)
      return nil
    } catch {
      #expect(!error.message.contains("\n"))
      return error
    }
  }

  /// The beginning of a file of the real model.
  private func beginning(_ name: String, _ count: Int) throws -> [UInt8] {
    let file = try #require(FileHandle(forReadingAtPath: Places.model + "/" + name))
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }

  @Test("A good model is loaded, and its probe is remembered")
  func good() async throws {
    #expect(await load(Places.model) == nil)
    #expect(Places.exists(home.path + "/cache/auricle/models.json"))
  }

  @Test("A file that is cut off is named", arguments: ["encoder_model.onnx", "decoder_model_merged.onnx"])
  func cutOff(_ name: String) async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    try home.replace("model/" + name, with: beginning(name, 1_000_000))
    let error = await load(folder)
    #expect(error?.kind == .invalidModel)
    #expect(error?.message.contains("\(name) is cut off") == true)
  }

  @Test("Tokens that are none, or not this model's")
  func badTokens() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    try home.replace("model/tokens.txt", with: Array("these are\nno tokens at all\n\u{1}\u{2}".utf8))
    #expect(await load(folder)?.message.contains("tokens.txt is no list of tokens") == true)
    try home.replace("model/tokens.txt", with: Array("a word too many 0\n".utf8))
    let error = await load(folder)
    #expect(error?.kind == .invalidModel, "the engine finds what a look does not")
    #expect(!Places.exists(home.path + "/cache/auricle/models.json"), "a bad model is not remembered as good")
  }

  @Test("A file of another model in the decoder's place")
  func otherModel() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    let other = try Data(contentsOf: URL(fileURLWithPath: Places.deps + "/models/silero_vad.onnx"))
    try home.replace("model/decoder_model_merged.onnx", with: [UInt8](other))
    #expect(await load(folder)?.kind == .invalidModel)
  }
}
