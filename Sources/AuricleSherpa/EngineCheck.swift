import AuricleRecognition
import Foundation

/// One thing that the on-device recogniser needs, and whether it is there.
public struct EngineCheck: Sendable, Equatable {
  /// What was looked at.
  public let name: String
  /// Whether transcribing needs it.
  public let isNeeded: Bool
  /// Whether it is there and whole, as far as can be seen without running it.
  public let isOK: Bool
  /// What and where it is, or what is wrong with it; a single line.
  public let detail: String
  /// The command or the step that mends it; `nil` when there is nothing to mend.
  public let remedy: String?

  /// Looks at the engine, its header, the recogniser's model, the voice activity model and the cache.
  /// - Parameters:
  ///   - explicitModel: A model folder; `nil` looks at that of ``ModelSearch``.
  ///   - environment: The environment of the process.
  public static func all(explicitModel: String?, environment: [String: String]) -> [EngineCheck] {
    all(
      explicitModel: explicitModel, environment: environment, locations: InstallLocations(environment: environment))
  }

  static func all(
    explicitModel: String?, environment: [String: String], locations: InstallLocations
  ) -> [EngineCheck] {
    let search = ModelSearch(explicit: explicitModel, environment: environment, locations: locations)
    let model = Result { () throws(RecognitionError) in try search.find().inspect() }
    return [engine, header(locations), recogniser(model), detector(model, locations), cache(environment)]
  }

  private static let setUp = "make setup"

  private static var engine: EngineCheck {
    check("recognition engine", remedy: setUp) { () throws(RecognitionError) in
      let library = try SherpaLibrary.shared()
      return "sherpa-onnx \(library.version), \(library.path)"
    }
  }

  /// Only building needs it.
  private static func header(_ locations: InstallLocations) -> EngineCheck {
    let place = "sherpa-onnx/include/sherpa-onnx/c-api/c-api.h"
    return check("engine header", isNeeded: false, remedy: setUp) { () throws(RecognitionError) in
      if let path = locations.first(place) { return path }
      throw RecognitionError(.notConfigured, "not found; building from source needs it")
    }
  }

  private static func recogniser(_ model: Result<InspectedModel, RecognitionError>) -> EngineCheck {
    check("recogniser model", remedy: "make setup, or name a whole model folder with --model") {
      () throws(RecognitionError) in
      let model = try model.get()
      let languages = model.languages.isEmpty ? "languages unknown" : model.languages.prefix(12).joined(separator: " ")
      return "\(model.name) (\(model.layout.kind.rawValue), \(languages)), \(model.folder.path)"
    }
  }

  private static func detector(
    _ model: Result<InspectedModel, RecognitionError>, _ locations: InstallLocations
  ) -> EngineCheck {
    // Without a model's folder only the places of installation are left.
    let inspected = try? model.get()
    let folder = inspected?.folder ?? ModelFolder(path: locations.checkout + "/models")
    let isNeeded = inspected?.layout.kind.isStreaming != true
    return check("voice activity model", isNeeded: isNeeded, remedy: setUp) { () throws(RecognitionError) in
      try DetectorSearch(folder: folder, locations: locations).find()
    }
  }

  private static func cache(_ environment: [String: String]) -> EngineCheck {
    check("model cache", isNeeded: false, remedy: "export XDG_CACHE_HOME to a folder that can be written") {
      () throws(RecognitionError) in
      guard let folder = InstallLocations.cacheFolder(environment) else {
        throw RecognitionError(.notConfigured, "neither XDG_CACHE_HOME nor HOME is set; models are tried at each start")
      }
      let existing = nearestExisting(folder)
      guard FolderListing.isFolder(existing) == true, FileManager.default.isWritableFile(atPath: existing) else {
        throw RecognitionError(.notConfigured, "\(existing) cannot be written; models are tried at each start")
      }
      return folder
    }
  }

  private static func nearestExisting(_ path: String) -> String {
    var url = URL(fileURLWithPath: path)
    while FolderListing.isFolder(url.path) == nil, url.path != "/" { url.deleteLastPathComponent() }
    return url.path
  }

  private static func check(
    _ name: String, isNeeded: Bool = true, remedy: String, _ look: () throws(RecognitionError) -> String
  ) -> EngineCheck {
    do throws(RecognitionError) {
      return EngineCheck(name: name, isNeeded: isNeeded, isOK: true, detail: try look(), remedy: nil)
    } catch {
      return EngineCheck(name: name, isNeeded: isNeeded, isOK: false, detail: error.message, remedy: remedy)
    }
  }
}
