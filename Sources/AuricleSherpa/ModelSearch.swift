import AuricleRecognition
import Foundation

/// Where a model is looked for, in this order: the explicit folder, `AURICLE_MODEL`, `models/moonshine-base-en` in the
/// checkout's `.deps`, and the user's data folder.
///
/// In the user's data folder (`$XDG_DATA_HOME/auricle`, by default `~/.local/share/auricle`) that is `models/default`, a
/// folder or a link to one, or else the only folder in `models`.
public struct ModelSearch: Sendable {
  /// The environment variable that names a model folder.
  public static let variable = "AURICLE_MODEL"
  /// The model that setting up prepares.
  static let prepared = "models/moonshine-base-en"

  private let explicit: String?
  private let environment: [String: String]
  private let locations: InstallLocations

  /// Where to look: an explicit folder wins over the environment.
  public init(explicit: String?, environment: [String: String]) {
    self.init(explicit: explicit, environment: environment, locations: InstallLocations(environment: environment))
  }

  init(explicit: String?, environment: [String: String], locations: InstallLocations) {
    self.explicit = explicit
    self.environment = environment
    self.locations = locations
  }

  /// The first folder of the order that exists; an explicit one or one from the environment must exist.
  /// - Throws: `RecognitionError` of kind `notConfigured`, with what to do about it.
  public func find() throws(RecognitionError) -> ModelFolder {
    if let explicit { return try named(explicit, by: "--model") }
    if let path = environment[Self.variable], !path.isEmpty { return try named(path, by: Self.variable) }
    let checkout = locations.checkout + "/" + Self.prepared
    if FolderListing.isFolder(checkout) == true { return ModelFolder(path: checkout) }
    if let folder = locations.dataFolder, let found = try installed(in: folder + "/models") { return found }
    throw RecognitionError(
      .notConfigured, "no model is installed: run make setup, or name a model folder with --model")
  }

  private func named(_ path: String, by name: String) throws(RecognitionError) -> ModelFolder {
    let shown = RecognizedText.clean(path)
    switch FolderListing.isFolder(path) {
    case true?: return ModelFolder(path: path)
    case false?:
      throw RecognitionError(.notConfigured, "\(shown) is a file: let \(name) name the folder that the model is in")
    case nil:
      throw RecognitionError(.notConfigured, "there is no folder \(shown): let \(name) name a model folder")
    }
  }

  private func installed(in models: String) throws(RecognitionError) -> ModelFolder? {
    let chosen = models + "/default"
    if FolderListing.isFolder(chosen) == true {
      return ModelFolder(path: URL(fileURLWithPath: chosen).resolvingSymlinksInPath().path)
    }
    let folders = FolderListing(path: models)?.folders ?? []
    guard folders.count > 1 else { return folders.first.map { ModelFolder(path: models + "/" + $0) } }
    throw RecognitionError(
      .notConfigured, "several models are in \(models): name one with --model, or link it as \(chosen)")
  }
}
