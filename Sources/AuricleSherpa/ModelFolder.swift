import AuricleRecognition
import Foundation

/// A folder that holds a recogniser.
public struct ModelFolder: Sendable, Equatable {
  /// Where the folder is, absolute.
  public let path: String

  /// Names a folder; nothing is looked at.
  public init(path: String) {
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// What to do about a bad model.
  static let advice = "fetch the model again, or name another one with --model"

  /// The folder's own name.
  var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Looks at the files: which kind of model it is, without the engine.
  /// - Throws: `RecognitionError` of kind `notConfigured`, when there is no such folder, and
  ///   `invalidModel`, when it holds no whole model.
  func inspect() throws(RecognitionError) -> InspectedModel {
    guard FolderListing.isFolder(path) == true, let listing = FolderListing(path: path) else {
      throw RecognitionError(.notConfigured, "\(path) is no folder that can be read: name a model folder")
    }
    let card = try ModelCard(folder: path)
    let hint = [card.kind, card.name, name].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    let layout: ModelLayout
    do throws(RecognitionError) {
      layout = try ModelLayout.detect(listing, hint: hint) { name throws(RecognitionError) in try metadata(name) }
      try checkFiles(layout)
      try checkSizes(card.sizes ?? [:], layout)
    } catch {
      throw RecognitionError(error.kind, "\(path) holds no usable model: \(error.message); \(Self.advice)")
    }
    return InspectedModel(
      folder: self, name: card.name ?? name, layout: layout, languages: card.languages ?? layout.languages)
  }

  /// The metadata of an ONNX file; none of other files.
  private func metadata(_ name: String) throws(RecognitionError) -> [String: String] {
    guard name.lowercased().hasSuffix(".onnx") else { return [:] }
    guard let file = FileHandle(forReadingAtPath: path + "/" + name), let size = try? file.seekToEnd(), size > 0 else {
      throw RecognitionError(.invalidModel, "\(name) is empty or cannot be read")
    }
    defer { try? file.close() }
    do throws(OnnxMetadata.Failure) {
      return try OnnxMetadata(size: size) { offset, count in
        guard (try? file.seek(toOffset: offset)) != nil else { return [] }
        return [UInt8]((try? file.read(upToCount: count)) ?? Data())
      }.properties
    } catch {
      throw RecognitionError(.invalidModel, "\(name) \(error == .cutOff ? "is cut off" : "is no ONNX file")")
    }
  }

  /// Holds the files that are used against the lengths in the card.
  private func checkSizes(_ sizes: [String: UInt64], _ layout: ModelLayout) throws(RecognitionError) {
    for name in layout.files.values.sorted() {
      guard let expected = sizes[name], let file = FileHandle(forReadingAtPath: path + "/" + name) else { continue }
      defer { try? file.close() }
      guard let size = try? file.seekToEnd(), size != expected else { continue }
      throw RecognitionError(.invalidModel, "\(name) has \(size) bytes instead of \(expected)")
    }
  }

  private func checkFiles(_ layout: ModelLayout) throws(RecognitionError) {
    for name in layout.files.values.sorted() where FolderListing.isFolder(path + "/" + name) == false {
      _ = try metadata(name)
      let file = FileHandle(forReadingAtPath: path + "/" + name)
      defer { try? file?.close() }
      guard let head = try? file?.read(upToCount: TokenList.headLength), !head.isEmpty else {
        throw RecognitionError(.invalidModel, "\(name) is empty or cannot be read")
      }
      if name == layout.files[.tokens], !TokenList.isLikely(head) {
        throw RecognitionError(.invalidModel, "\(name) is no list of tokens and their numbers")
      }
    }
  }
}

/// A model folder whose files were looked at.
struct InspectedModel: Sendable, Equatable {
  /// The folder.
  let folder: ModelFolder
  /// The model's name in reports.
  let name: String
  /// What its files are.
  let layout: ModelLayout
  /// The languages that it knows; empty when nothing says.
  let languages: [String]

  /// The place of a part.
  func path(_ part: ModelPart) -> String? { layout.files[part].map { folder.path + "/" + $0 } }
}
