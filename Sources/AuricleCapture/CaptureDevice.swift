/// Something that can be heard: a microphone, a line, or what another device plays.
public struct CaptureDevice: Sendable, Hashable, Codable {
  /// What it is called by, unique on its server.
  public let name: String
  /// What a person calls it.
  public let description: String
  /// Whether it hears what a loudspeaker plays, and not a room.
  public let isMonitor: Bool
  /// Whether it is the one that is heard when none is named.
  public let isDefault: Bool
  /// Its own rate, in frames per second.
  public let sampleRate: Int
  /// Its own channels.
  public let channelCount: Int

  /// Creates a device's description.
  public init(
    name: String, description: String, isMonitor: Bool, isDefault: Bool, sampleRate: Int, channelCount: Int
  ) {
    self.name = name
    self.description = description
    self.isMonitor = isMonitor
    self.isDefault = isDefault
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}
