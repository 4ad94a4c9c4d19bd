import AuricleConsent
import AuricleRecognition

/// Whether a recording may be offered that a device asks for: found out before the program hears of the request.
public struct DeviceEligibility: Sendable {
  /// Looks at one condition.
  /// - Returns: What is in the way; `nil` for nothing.
  public typealias Check = @Sendable (DeviceStartRequest) async -> SessionFailure?

  private let checks: [Check]

  /// Looks at conditions one after the other, until one is not met.
  public init(_ checks: [Check]) { self.checks = checks }

  /// Looks at the conditions that every session has.
  /// - Parameters:
  ///   - registry: Has to have a provider for the scene.
  ///   - provider: The vendor of the one that has to be used; `nil` for any.
  ///   - isPermitted: Whether the system lets the program hear the device.
  ///   - consent: Who agreed to be recorded; `nil` when nobody has.
  ///   - isBusy: Whether another recording is under way elsewhere; one with the same device is none that is offered.
  ///   - isContextActive: Whether the program is in a position to record.
  public init(
    registry: ProviderRegistry, provider: String? = nil, isPermitted: @escaping @Sendable () async -> Bool = { true },
    consent: @escaping @Sendable () async -> ConsentRecord?, isBusy: @escaping @Sendable () async -> Bool = { false },
    isContextActive: @escaping @Sendable () async -> Bool = { true }
  ) {
    self.init([
      { request in
        do throws(RecognitionError) {
          _ = try registry.provider(provider, offering: request.scene.features)
          return nil
        } catch {
          return SessionFailure(error)
        }
      },
      Self.condition(isPermitted, .microphoneDenied, "the program may not hear the device; allow it in the settings"),
      Self.condition(
        { await consent() != nil }, .consentMissing, "nobody has agreed to be recorded; ask everyone who is present"),
      Self.condition({ await !isBusy() }, .busy, "another recording is under way; stop it first"),
      Self.condition(isContextActive, .contextInactive, "the program is not ready to record; open it first"),
    ])
  }

  /// What is in the way of a request; `nil` for nothing.
  public func obstacle(for request: DeviceStartRequest) async -> SessionFailure? {
    for check in checks {
      if let failure = await check(request) { return failure }
    }
    return nil
  }

  private static func condition(
    _ isMet: @escaping @Sendable () async -> Bool, _ kind: RecognitionError.Kind, _ message: String
  ) -> Check {
    { _ in await isMet() ? nil : SessionFailure(RecognitionError(kind, message)) }
  }
}
