import AuricleSession
import Foundation

/// Where recordings are kept.
enum RecordingPlace {
  /// The absolute path of the folder of all recordings: the one that was asked for, else the user's data folder (XDG Base Directory).
  /// - Returns: `nil` when nothing says where the user's data are.
  static func root(_ asked: String?, environment: [String: String]) -> String? {
    if let asked { return URL(fileURLWithPath: asked).path }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/auricle/recordings" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/share/auricle/recordings"
  }

  /// The name of a recording that begins then, without what file systems dislike: `2026-01-31T09-30-00Z`.
  static func name(_ time: Timestamp) -> String {
    time.description.prefix(19).replacing(":", with: "-") + "Z"
  }

  /// When a recording of that name began; `nil` for a name that is none.
  static func time(_ name: String) -> Timestamp? {
    guard let match = name.wholeMatch(of: #/(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z(-\d+)?/#) else { return nil }
    return Timestamp("\(match.1):\(match.2):\(match.3).000Z")
  }
}
