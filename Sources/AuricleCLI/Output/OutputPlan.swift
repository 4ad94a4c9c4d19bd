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
  /// - Throws: ``UsageError``, when several files have no folder to go to.
  init(_ request: TranscribeRequest) throws(UsageError) {
    guard let output = request.output, output != "-" else {
      places = request.inputs.map { _ in .standardOutput }
      if request.inputs.count > 1, request.format.isOnePerFile {
        throw UsageError("subtitles of several files cannot share one output; add --output FOLDER")
      }
      return
    }
    let isFolder = SystemCalls.kind(output) == .folder
    guard request.inputs.count > 1 || isFolder else {
      places = [.file(output)]
      return
    }
    guard isFolder else {
      let advice = SystemCalls.kind(output) == nil ? "make it with mkdir first" : "name a folder"
      throw UsageError("--output must be a folder for several files, and \(output) is none; \(advice)")
    }
    let names = Self.uniqueNames(request.inputs, fileExtension: request.format.fileExtension)
    places = names.map { .file(URL(fileURLWithPath: output).appendingPathComponent($0).path) }
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
