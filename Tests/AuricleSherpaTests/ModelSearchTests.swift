import AuricleRecognition
import Foundation
import Testing

@testable import AuricleSherpa

@Suite("Where models are looked for")
struct ModelSearchTests {
  private let home: TemporaryFolder
  private let checkout: String

  init() throws {
    home = try TemporaryFolder()
    checkout = try home.folder("checkout/.deps")
  }

  private func find(explicit: String? = nil, _ environment: [String: String] = [:]) throws -> String {
    let whole = ["XDG_DATA_HOME": home.path + "/data"].merging(environment) { $1 }
    let locations = InstallLocations(environment: whole, checkout: checkout)
    return try ModelSearch(explicit: explicit, environment: whole, locations: locations).find().path
  }

  @Test("An explicit folder, the environment, the checkout, the data folder: in this order")
  func order() throws {
    let installed = try home.folder("data/auricle/models/only")
    #expect(try find() == installed)
    let prepared = try home.folder("checkout/.deps/models/moonshine-base-en")
    #expect(try find() == prepared)
    let named = try home.folder("named")
    #expect(try find(["AURICLE_MODEL": named]) == named)
    #expect(try find(["AURICLE_MODEL": ""]) == prepared)
    let explicit = try home.folder("explicit")
    #expect(try find(explicit: explicit, ["AURICLE_MODEL": named]) == explicit)
  }

  @Test("Of several models in the data folder the one called default is taken, a link as well")
  func defaultModel() throws {
    try home.folder("data/auricle/models/one")
    let two = try home.folder("data/auricle/models/two")
    let error = #expect(throws: RecognitionError.self) { try find() }
    #expect(error?.kind == .notConfigured)
    #expect(error?.message.contains("models/default") == true)
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/data/auricle/models/default", withDestinationPath: two)
    #expect(URL(filePath: try find()).lastPathComponent == "two")
  }

  @Test("What is named must be there, and be a folder; the message says what to do")
  func named() throws {
    try home.folder("checkout/.deps/models/moonshine-base-en")
    let file = try home.file("file", "x")
    for (explicit, variable, words) in [
      ("/no/such", nil, "--model"), (file, nil, "is a file"), (nil, "/no/such", "AURICLE_MODEL"),
      ("/no/such\u{1B}[31m", nil, "no folder /no/such [31m"), ("", nil, "--model"),
    ] as [(String?, String?, String)] {
      let environment = variable.map { ["AURICLE_MODEL": $0] } ?? [:]
      let error = #expect(throws: RecognitionError.self) { try find(explicit: explicit, environment) }
      #expect(error?.kind == .notConfigured)
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test("Without any model the message names the command")
  func nothing() {
    let error = #expect(throws: RecognitionError.self) { try find() }
    #expect(error?.kind == .notConfigured)
    #expect(error?.message.contains("make setup") == true)
    let bare = InstallLocations(environment: [:], checkout: checkout)
    #expect(bare.dataFolder == nil)
    #expect(throws: RecognitionError.self) {
      try ModelSearch(explicit: nil, environment: [:], locations: bare).find()
    }
  }

  @Test("The voice activity model is taken from the model's folder, else from where things are installed")
  func detector() throws {
    let model = try home.folder("model")
    let locations = InstallLocations(environment: ["XDG_DATA_HOME": home.path + "/data"], checkout: checkout)
    let search = DetectorSearch(folder: ModelFolder(path: model), locations: locations)
    #expect(throws: RecognitionError.self) { try search.find() }
    try home.folder("data/auricle/models")
    let installed = try home.file("data/auricle/models/silero_vad.onnx", "x")
    #expect(try search.find() == installed)
    let own = try home.file("model/silero_vad.onnx", "x")
    #expect(try search.find() == own)
  }
}
