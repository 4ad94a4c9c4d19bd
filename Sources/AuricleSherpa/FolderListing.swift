import Foundation

/// What a folder holds, by name.
struct FolderListing: Sendable, Equatable {
  /// The names of its files.
  let files: [String]
  /// The names of the folders in it.
  let folders: [String]

  /// More names than this and the folder is no model.
  static let limit = 10_000

  /// Lists names; their order does not matter.
  init(files: [String], folders: [String] = []) {
    self.files = files.sorted()
    self.folders = folders.sorted()
  }

  /// Looks into a folder.
  /// - Returns: `nil` when it cannot be read.
  init?(path: String) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path), names.count <= Self.limit else {
      return nil
    }
    let kinds = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.kind(path + "/" + $0)) })
    self.init(
      files: names.filter { kinds[$0] == .typeRegular }, folders: names.filter { kinds[$0] == .typeDirectory })
  }

  /// Whether there is a folder at a path; `nil` when there is nothing.
  static func isFolder(_ path: String) -> Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
  }

  /// What a name stands for, behind links. A pipe or a device is no file: reading it might never end.
  private static func kind(_ path: String) -> FileAttributeType? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
  }

  /// The file for each part that the folder has. Of several, those of 8 bits and those that belong together are taken.
  func parts() -> [ModelPart: String] {
    let weights = Dictionary(grouping: files.compactMap(ModelFileName.init), by: \.part)
    let leader = [ModelPart.encoder, .encoderAdaptor, .model, .mergedDecoder, .decoder, .joiner].lazy
      .compactMap { weights[$0].flatMap { Self.best($0, family: nil) } }.first
    var parts: [ModelPart: String] = [:]
    for (part, candidates) in weights {
      parts[part] = Self.best(candidates, family: leader?.family)?.name
    }
    parts[.tokens] = tokens(family: leader?.family ?? "")
    parts[.tokenizer] = folders.first { $0.lowercased().hasPrefix("tokenizer") || $0.lowercased().hasPrefix("qwen") }
    return parts
  }

  private static func best(_ candidates: [ModelFileName], family: String?) -> ModelFileName? {
    candidates.min { one, other in
      let ranks = [one, other].map { file in
        [
          family.map { $0 == file.family ? 0 : 1 } ?? 0, file.isMarkedStreaming ? 1 : 0, file.precision,
          file.name.count,
        ]
      }
      return ranks[0] == ranks[1] ? one.name < other.name : ranks[0].lexicographicallyPrecedes(ranks[1])
    }
  }

  /// `tokens.txt`; Whisper's has the model's name in front.
  private func tokens(family: String) -> String? {
    let candidates = files.filter { $0.lowercased().hasSuffix("tokens.txt") }
    let own = candidates.first { name in
      let words = name.lowercased().dropLast("tokens.txt".count).split { "-_. ".contains($0) }
      return !words.isEmpty && words.joined(separator: " ") == family
    }
    return own ?? candidates.first { $0.lowercased() == "tokens.txt" } ?? candidates.first
  }
}
