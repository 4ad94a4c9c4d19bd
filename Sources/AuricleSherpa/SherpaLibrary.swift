import AuricleRecognition
import CSherpaOnnx
import Foundation

/// The engine's functions, loaded at run time.
///
/// Loaded once for the process and never unloaded.
struct SherpaLibrary: Sendable {
  /// The functions. They are pointers that never change once resolved.
  let functions: AuricleSherpaFunctions
  /// Where the library was found.
  let path: String

  private static let fileName: String = {
    #if os(Linux)
      "libsherpa-onnx-c-api.so"
    #else
      "libsherpa-onnx-c-api.dylib"
    #endif
  }()

  /// What was loaded; a failure is not kept, since the engine may be installed meanwhile.
  private static let loaded = Guarded<SherpaLibrary?>(nil)

  /// The library.
  /// - Throws: `RecognitionError` of kind `notConfigured`, when it is not installed.
  static func shared() throws(RecognitionError) -> SherpaLibrary {
    try loaded.withLock { loaded throws(RecognitionError) in
      if let loaded { return loaded }
      let library = try load()
      loaded = library
      return library
    }
  }

  /// The engine's own version.
  var version: String { functions.SherpaOnnxGetVersionStr().map { String(cString: $0) } ?? "unknown" }

  private static func load() throws(RecognitionError) -> SherpaLibrary {
    let locations = InstallLocations(environment: ProcessInfo.processInfo.environment)
    let installed = locations.first("sherpa-onnx/lib/\(fileName)")
    // Where nothing is installed, the loader's own search path has the last word.
    let path = installed ?? fileName
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let reason = installed == nil ? "" : " (\(String(cString: dlerror())))"
      throw RecognitionError(.notConfigured, "the recognition engine is not installed\(reason): run make setup")
    }
    var functions = AuricleSherpaFunctions()
    if let missing = auricle_sherpa_resolve(handle, &functions) {
      throw RecognitionError(
        .notConfigured, "\(path) is too old, it has no \(String(cString: missing)): run make setup")
    }
    return SherpaLibrary(functions: functions, path: path)
  }
}
