import AuricleRecognition
import Foundation
import Testing

@testable import AuricleSherpa

@Suite("A model folder is looked at")
struct ModelFolderTests {
  private let home: TemporaryFolder
  private var folder: ModelFolder { ModelFolder(path: home.path) }

  init() throws {
    home = try TemporaryFolder()
    for name in ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"] { try home.file(name, "a 0\n") }
  }

  private func failure() -> RecognitionError? {
    do throws(RecognitionError) {
      _ = try folder.inspect()
      return nil
    } catch {
      #expect(!error.message.contains("\n"))
      return error
    }
  }

  @Test("A pipe in the place of a file is no file, and nobody waits at it", .timeLimit(.minutes(5)))
  func pipe() throws {
    try FileManager.default.removeItem(atPath: home.path + "/tokens.txt")
    #expect(mkfifo(home.path + "/tokens.txt", 0o600) == 0)
    #expect(failure()?.message.contains("tokens.txt") == true)
  }

  @Test("Without a card the folder's name is the model's")
  func noCard() throws {
    let model = try folder.inspect()
    #expect(model.name == URL(filePath: home.path).lastPathComponent)
    #expect(model.languages == [])
    #expect(model.path(.encoder) == home.path + "/encoder_model.ort")
  }

  @Test("The card names the model and its languages; what it says beside that does not matter")
  func card() throws {
    try home.file("model.json", #"{"name": "mine", "languages": ["en", "pt-BR"], "kind": "odd", "more": [1]}"#)
    let model = try folder.inspect()
    #expect(model.name == "mine")
    #expect(model.languages == ["en", "pt-BR"])
    #expect(model.layout.kind == .moonshineMerged)
    try home.replace("model.json", with: Array("{}".utf8))
    #expect(try folder.inspect().name == URL(filePath: home.path).lastPathComponent)
  }

  @Test(
    "A card that is none is a broken model",
    arguments: ["", "not json", "[]", #"{"name": 5}"#, #"{"languages": "en"}"#, #"{"languages": ["not a tag\n"]}"#])
  func badCard(_ text: String) throws {
    try home.file("model.json", text)
    #expect(failure()?.kind == .invalidModel)
    #expect(failure()?.message.contains("model.json") == true)
  }

  @Test("A file whose length is not the card's is named; files that are not used do not matter")
  func sizes() throws {
    try home.file("model.json", #"{"sizes": {"tokens.txt": 4, "other.onnx": 9}}"#)
    _ = try folder.inspect()
    try home.replace("model.json", with: Array(#"{"sizes": {"tokens.txt": 5}}"#.utf8))
    #expect(failure()?.kind == .invalidModel)
    #expect(failure()?.message.contains("tokens.txt has 4 bytes instead of 5") == true)
  }

  @Test("A card's kind decides where the files leave a doubt")
  func kindFromCard() throws {
    for name in ["encoder_model.ort", "decoder_model_merged.ort"] { try home.replace(name, with: nil) }
    try home.file("encoder.ort", "x")
    try home.file("decoder.ort", "x")
    #expect(failure()?.kind == .invalidModel)
    try home.file("model.json", #"{"kind": "whisper"}"#)
    #expect(try folder.inspect().layout.kind == .whisper)
  }

  @Test("Missing, empty and damaged files are named")
  func badFiles() throws {
    try home.replace("tokens.txt", with: [])
    #expect(failure()?.message.contains("tokens.txt is empty") == true)
    try home.replace("tokens.txt", with: nil)
    #expect(failure()?.message.contains("lacks its tokens.txt") == true)
    try home.file("tokens.txt", "x 0")
    try home.replace("encoder_model.ort", with: nil)
    #expect(failure()?.message.contains("lacks its encoder.onnx") == true)
    try home.file("encoder_model.onnx", "<html>not found</html>")
    #expect(failure()?.message.contains("encoder_model.onnx is no ONNX file") == true)
    #expect(failure()?.kind == .invalidModel)
  }

  @Test("A list of tokens has a number in each line")
  func tokens() {
    for good in ["a 0\n", "<blk> 0\n\u{2581}the 1\nunfini", "\t 5\n 6\n", "IA== 7\r\nIQ== 8\r\n", "a 0"] {
      #expect(TokenList.isLikely(Data(good.utf8)))
    }
    for bad in ["", "\n\n", "these are\nno tokens\n", "a 0\nb\nc 2\n", "<html>"] {
      #expect(!TokenList.isLikely(Data(bad.utf8)))
    }
  }

  @Test("A folder that is none is not configured")
  func noFolder() throws {
    let file = try home.file("file", "x")
    for path in ["/no/such/folder", file] {
      let error = #expect(throws: RecognitionError.self) { try ModelFolder(path: path).inspect() }
      #expect(error?.kind == .notConfigured)
    }
  }

  @Test("The metadata of a real file is found", .enabled(if: Places.hasModel))
  func realModel() throws {
    let model = try ModelFolder(path: Places.model).inspect()
    #expect(model.layout.kind == .moonshineMerged)
    #expect(model.languages == ["en"])
    #expect(model.name == "moonshine-base-en")
  }
}
