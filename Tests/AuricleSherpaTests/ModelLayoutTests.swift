import AuricleRecognition
import Testing

@testable import AuricleSherpa

@Suite("Models are recognised by their files")
struct ModelLayoutTests {
  /// A folder, what its files say, and what it is.
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: ModelKind
    let files: [String]
    var folders: [String] = []
    var metadata: [String: String] = [:]
    var hint = "my-model"
    let taken: [ModelPart: String]
    var testDescription: String { "\(kind.rawValue): \(files.joined(separator: " "))" }
  }

  static func detect(_ item: Case) throws -> ModelLayout {
    try ModelLayout.detect(FolderListing(files: item.files, folders: item.folders), hint: item.hint) { _ in
      item.metadata
    }
  }

  @Test("Every kind is recognised, and its files are found", arguments: ModelCases.all)
  func kinds(_ item: Case) throws {
    let layout = try Self.detect(item)
    #expect(layout.kind == item.kind)
    #expect(layout.files == item.taken)
  }

  @Test("No kind is without a case")
  func allKinds() {
    #expect(Set(ModelCases.all.map(\.kind)) == Set(ModelKind.allCases))
  }

  @Test("Every missing file is named", arguments: ModelCases.all)
  func missing(_ item: Case) throws {
    for (part, name) in item.taken {
      let rest = Case(
        kind: item.kind, files: item.files.filter { $0 != name }, folders: item.folders.filter { $0 != name },
        metadata: item.metadata, hint: item.hint, taken: [:])
      do {
        let layout = try Self.detect(rest)
        // A second file of the same part may take its place.
        #expect(layout.files[part] != nil && layout.files[part] != name)
      } catch let error as RecognitionError {
        #expect(error.kind == .invalidModel)
        // Without its joiner and without metadata nothing tells a transducer from other pairs.
        let isUnclear = item.metadata.isEmpty && part == .joiner && error.message.contains("without a model_type")
        #expect(isUnclear || error.message.contains(part.rawValue) || error.message.contains("no model file"))
      }
    }
  }

  @Test(
    "Files of 8 bits are taken before others, half precision last, and files that belong together are kept together")
  func choices() {
    let listing = FolderListing(files: [
      "small-encoder.onnx", "small-encoder.int8.onnx", "small-decoder.onnx", "small-decoder.fp16.onnx",
      "medium-decoder.int8.onnx", "small-tokens.txt", "medium-tokens.txt", "README.md", "silero_vad.onnx",
    ])
    let parts = listing.parts()
    #expect(parts[.encoder] == "small-encoder.int8.onnx")
    #expect(parts[.decoder] == "small-decoder.onnx")
    #expect(parts[.tokens] == "small-tokens.txt")
    #expect(parts[.model] == nil, "a voice detector is no recogniser")
  }

  @Test("What the engine does not run is refused with its type")
  func unknown() {
    let cases: [([String], [String: String], String)] = [
      ([], [:], "no model file"), (["tokens.txt", "readme.txt"], [:], "no model file"),
      (["model.onnx", "tokens.txt"], ["model_type": "kokoro"], "of type kokoro"),
      (["model.onnx", "tokens.txt"], [:], "without a model_type"),
      (["model.onnx", "tokens.txt"], ["model_type": "wenet_ctc", "window_size": "67"], "wenet_ctc"),
    ]
    for (files, metadata, words) in cases {
      let error = #expect(throws: RecognitionError.self) {
        try ModelLayout.detect(FolderListing(files: files), hint: "x") { _ in metadata }
      }
      #expect(error?.kind == .invalidModel)
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test("Languages come from metadata and from the names of the engine's releases")
  func languages() throws {
    func languages(_ files: [String], _ metadata: [String: String] = [:], hint: String = "x") throws -> [String] {
      try ModelLayout.detect(FolderListing(files: files + ["tokens.txt"]), hint: hint) { _ in metadata }.languages
    }
    let whisper = ["base-encoder.onnx", "base-decoder.onnx"]
    let type = ["model_type": "whisper-base"]
    #expect(try languages(["tiny.en-encoder.onnx", "tiny.en-decoder.onnx"], type) == ["en"])
    #expect(try languages(whisper, type) == [])
    let codes = type.merging(["all_language_codes": "en,zh,de,!"]) { $1 }
    #expect(try languages(whisper, codes) == ["en", "zh", "de"])
    let sense = ["model_type": "sense_voice_ctc"]
    #expect(try languages(["model.onnx"], sense) == ["zh", "en", "ja", "ko", "yue"])
    let one = sense.merging(["lang_zh": "3"]) { $1 }
    #expect(try languages(["model.onnx"], one) == ["zh"])
    let ctc = ["model_type": "zipformer2_ctc"]
    #expect(try languages(["model.onnx"], ctc, hint: "sherpa-onnx-zipformer-bilingual-zh-en-2023") == ["zh", "en"])
    #expect(try languages(["model.onnx"], ctc, hint: "my-it-model") == [], "a name of no release says nothing")
  }
}
