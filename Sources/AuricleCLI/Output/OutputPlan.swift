import Foundation

/// Where the text of each input goes.
struct OutputPlan: Equatable {
  /// The place of one text.
  enum Place: Equatable {
    case standardOutput
    case file(String)
  }

  /// One place an input, in the same order.
  let places: [Place]

  /// Finds the places.
  /// - Throws: ``UsageError``, when several files have no folder to go to, or a text would replace its recording.
  init(_ request: TranscribeRequest) throws(UsageError) {
    places = try Self.places(request)
    let recordings = Set(request.inputs.compactMap { SystemCalls.identity($0.name) })
    for case .file(let path) in places {
      guard SystemCalls.kind(path) != .other, let identity = SystemCalls.identity(path) else { continue }
      if recordings.contains(identity) {
        throw UsageError("\(path) is one of the recordings and would be overwritten; name another --output")
      }
    }
  }

  private static func places(_ request: TranscribeRequest) throws(UsageError) -> [Place] {
    guard let output = request.output, output != "-" else {
      if request.inputs.count > 1, request.format.isOnePerFile {
        throw UsageError("subtitles of several files cannot share one output; add --output FOLDER")
      }
      return request.inputs.map { _ in .standardOutput }
    }
    let isFolder = SystemCalls.kind(output) == .folder
    guard request.inputs.count > 1 || isFolder || output.hasSuffix("/") else { return [.file(output)] }
    guard isFolder else {
      let advice = SystemCalls.kind(output) == nil ? "make it with mkdir first" : "name a folder"
      let reason = request.inputs.count > 1 ? "must be a folder for several files" : "names a folder"
      throw UsageError("--output \(reason), and \(output) is none; \(advice)")
    }
    let names = uniqueNames(request.inputs, fileExtension: request.format.fileExtension)
    return names.map { .file(URL(fileURLWithPath: output).appendingPathComponent($0).path) }
  }

  /// The inputs' names with the format's extension; names that would meet get a number.
  static func uniqueNames(_ inputs: [Input], fileExtension: String) -> [String] {
    var taken: Set<String> = []
    return inputs.map { input in
      let stem = stem(of: input)
      var name = "\(stem).\(fileExtension)"
      var number = 2
      // Some file systems take names that differ only in case for the same.
      while !taken.insert(name.lowercased()).inserted {
        name = "\(stem)-\(number).\(fileExtension)"
        number += 1
      }
      return name
    }
  }

  private static func stem(of input: Input) -> String {
    guard case .file(let path) = input else { return "stdin" }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return name.isEmpty || name == "/" ? "audio" : name
  }
}
