import AuricleAudio
import Foundation

/// Looks at an input before anything is loaded or opened.
enum InputCheck {
  /// Finds what can be told without opening the file.
  /// - Throws: `AudioError` of kind `notFound` or `notPermitted`.
  static func check(_ input: Input) throws(AudioError) {
    guard case .file(let path) = input else { return }
    switch SystemCalls.kind(path) {
    case nil where !path.isEmpty && errnoOfAccess(path) == EACCES:
      throw AudioError(.notPermitted, "\(input.shownName): it may not be read; check the permissions of its folders")
    case nil: throw AudioError(.notFound, "\(input.shownName): no such file; check the name")
    case .folder: throw AudioError(.notFound, "\(input.shownName): it is a folder; name the files in it")
    case .file, .other:
      guard SystemCalls.isAllowed(path, R_OK) else {
        throw AudioError(.notPermitted, "\(input.shownName): it may not be read; check its permissions")
      }
    }
  }

  private static func errnoOfAccess(_ path: String) -> Int32 {
    SystemCalls.isAllowed(path, F_OK) ? 0 : errno
  }
}
