import AuricleRecognition
import Foundation

/// What a probe's good outcome holds for: these files, this engine, this language.
struct ModelFingerprint: Sendable, Equatable {
  /// One line for each thing; equal lines are the same model.
  let text: String

  /// Looks at names, sizes and times of the files; the contents are not read.
  init(_ model: InspectedModel, detectorPath: String?, engineVersion: String, language: LanguageTag?) {
    let files = model.layout.files.values.map { model.folder.path + "/" + $0 } + [detectorPath].compactMap { $0 }
    let lines =
      ["engine \(engineVersion)", "kind \(model.layout.kind.rawValue)", "language \(language?.description ?? "-")"]
      + files.sorted().map(Self.line)
    text = lines.joined(separator: "\n")
  }

  private static func line(_ path: String) -> String {
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = (try? FileManager.default.attributesOfItem(atPath: place)) ?? [:]
    let size = attributes[.size] as? Int ?? -1
    let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return "\(path) \(size) \(time)"
  }
}
