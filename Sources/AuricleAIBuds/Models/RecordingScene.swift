import AuricleSession

/// Where people speak. The raw values are AIBuds'.
public enum RecordingScene: Int, Sendable, CaseIterable {
  /// In a room.
  case onSite = 0
  /// In a call.
  case call = 1

  /// The scene as the core has it.
  var scene: SessionConfiguration.Scene {
    switch self {
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
