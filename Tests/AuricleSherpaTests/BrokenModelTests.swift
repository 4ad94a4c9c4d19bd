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
    let probe = ModelProbe.childProcess(executable: Places.tool)
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

  @Test("A decoder that is cut off")
  func cutOffDecoder() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    try home.replace("model/decoder_model_merged.onnx", with: beginning("decoder_model_merged.onnx", 1_000_000))
    let error = await load(folder)
    #expect(error?.kind == .invalidModel)
    #expect(!Places.exists(home.path + "/cache/auricle/models.json"), "a bad model is not remembered as good")
  }

  @Test("Tokens that are none")
  func badTokens() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    try home.replace("model/tokens.txt", with: Array("these are\nno tokens at all\n\u{1}\u{2}".utf8))
    #expect(await load(folder)?.kind == .invalidModel)
  }

  @Test("An encoder that is cut off is found without a child")
  func cutOffEncoder() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    try home.replace("model/encoder_model.onnx", with: beginning("encoder_model.onnx", 1_000_000))
    let error = await load(folder)
    #expect(error?.kind == .invalidModel)
    #expect(error?.message.contains("cut off") == true)
  }

  @Test("A file of another model in the decoder's place")
  func otherModel() async throws {
    let folder = try home.imitation(of: Places.model, as: "model")
    let other = try Data(contentsOf: URL(fileURLWithPath: Places.deps + "/models/silero_vad.onnx"))
    try home.replace("model/decoder_model_merged.onnx", with: [UInt8](other))
    #expect(await load(folder)?.kind == .invalidModel)
  }
}
