import AuricleRecognition
import Foundation

/// What a folder's `model.json` says about the model. All of it may be missing.
struct ModelCard: Sendable, Equatable, Decodable {
  /// The model's name in reports.
  var name: String?
  /// A kind, asked where the files leave a doubt.
  var kind: String?
  /// The languages that it knows, BCP 47.
  var languages: [String]?
  /// How long its files are, in bytes: a list of tokens that was cut off is still a list, and words would go missing.
  var sizes: [String: UInt64]?

  /// The file's name.
  static let fileName = "model.json"
  private static let maximumSize = 1 << 20

  /// Reads a folder's card; an empty one where there is none.
  /// - Throws: `RecognitionError` of kind `invalidModel`, when the file is no card.
  init(folder: String) throws(RecognitionError) {
    let path = folder + "/" + Self.fileName
    guard FileManager.default.fileExists(atPath: path) else { return }
    self = try Self.decode(Self.bytes(path), path: path)
  }

  /// Reads a card.
  static func decode(_ bytes: Data?, path: String) throws(RecognitionError) -> ModelCard {
    guard let bytes, let card = try? JSONDecoder().decode(ModelCard.self, from: bytes) else {
      throw RecognitionError(.invalidModel, "\(path) is no description of a model: mend or remove it")
    }
    if let wrong = card.languages?.first(where: { LanguageTag($0) == nil }) {
      let shown = RecognizedText.clean(String(wrong.prefix(40)))
      throw RecognitionError(.invalidModel, "\(path) names a language that is no language tag: \(shown)")
    }
    return card
  }

  private static func bytes(_ path: String) -> Data? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: maximumSize + 1), bytes.count <= maximumSize else { return nil }
    return bytes
  }
}
