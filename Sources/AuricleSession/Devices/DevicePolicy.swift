/// How patient one is with a device, and who does what it asks for.
public struct DevicePolicy: Sendable, Hashable {
  /// How long a device may be away before the recording ends.
  public var grace: Duration
  /// How long a device may take for an answer.
  public var answer: Duration
  /// How long the program may take to answer a request of the device, checks included.
  public var request: Duration
  /// Who does what it asks for, and who reports to it.
  public var handling: DeviceLifecycle.Handling

  /// Creates a policy.
  public init(
    grace: Duration = .seconds(30), answer: Duration = .seconds(10), request: Duration = .seconds(30),
    handling: DeviceLifecycle.Handling = .automatic
  ) {
    self.grace = grace
    self.answer = answer
    self.request = request
    self.handling = handling
  }
}
