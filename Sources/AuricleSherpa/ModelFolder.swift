import Foundation

/// A folder that holds a recogniser.
public struct ModelFolder: Sendable, Equatable {
  /// Where the folder is, absolute.
  public let path: String

  /// Names a folder; nothing is looked at.
  public init(path: String) {
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
