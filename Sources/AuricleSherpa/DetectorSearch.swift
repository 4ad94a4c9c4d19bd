import AuricleRecognition
import Foundation

/// Where the voice activity model is looked for: in the model's folder, then in `models` of the places of installation.
struct DetectorSearch: Sendable {
  static let fileName = "silero_vad.onnx"

  /// The model folder.
  let folder: ModelFolder
  /// The places of installation.
  let locations: InstallLocations

  /// The file's path.
  /// - Throws: `RecognitionError` of kind `notConfigured`.
  func find() throws(RecognitionError) -> String {
    let own = folder.path + "/" + Self.fileName
    if FolderListing.isFolder(own) == false { return own }
    if let installed = locations.first("models/" + Self.fileName) { return installed }
    throw RecognitionError(
      .notConfigured,
      "the voice activity model \(Self.fileName) is not installed: run make setup, or put it into "
        + folder.path)
  }
}
