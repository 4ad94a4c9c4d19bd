import AuricleSession

/// Where people speak. The raw values are TSAIKit's.
public enum TSAIAudioRecordScene: Int, Sendable, CaseIterable {
  /// Nobody knows; no recording starts with it.
  case unknown = -1
  /// In a room.
  case onSite = 1
  /// In a call.
  case call = 2

  /// The scene as the core has it; `nil` for an unknown one.
  var scene: SessionConfiguration.Scene? {
    switch self {
    case .unknown: nil
    case .onSite: .onSite
    case .call: .call
    }
  }

  init(_ scene: SessionConfiguration.Scene) {
    switch scene {
    case .onSite: self = .onSite
    case .call: self = .call
    }
  }
}
