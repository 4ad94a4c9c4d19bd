import AuricleConsent
import AuricleRecognition
import AuricleSession
import Foundation

/// What a provider's recording service promises: any recogniser of the core is one.
public typealias AIAudioRecordingServiceAPI = RecognitionProvider

// What the host sets; the names are ours.
extension AIBudsAISDK {
  /// Where microphones, files and providers come from; `nil` until the host sets it, and then every start fails.
  public static var environment: SessionEnvironment? {
    get { service.host.environment }
    set { service.host.environment = newValue }
  }

  /// Says who agreed to be recorded: asked before each recording, `nil` when somebody did not. It may ask people and take
  /// its time; when the recording is stopped meanwhile, its task is cancelled. Without one every start fails, and nothing is
  /// heard.
  public static var consentProvider: (@Sendable () async -> ConsentRecord?)? {
    get { service.host.consent }
    set { service.host.consent = newValue }
  }

  /// Where callbacks are called, one at a time whatever kind of queue it is; the main queue until the host sets another.
  public static var callbackQueue: DispatchQueue {
    get { service.host.lane.queue }
    set { service.host.lane.queue = newValue }
  }

  /// Adds a provider behind those that are registered; one of the same vendor is replaced at its place.
  /// - Throws: An error of ``AIBudsSDKErrorDomain`` when there is no environment.
  public static func registerProvider(_ provider: ServiceProvider) throws { try service.registry().register(provider) }

  /// Adds a recogniser that needs nobody to sign in.
  /// - Throws: An error of ``AIBudsSDKErrorDomain`` when there is no environment.
  public static func registerProvider(_ recogniser: any AIAudioRecordingServiceAPI, version: String) throws {
    try registerProvider(ServiceProvider(recogniser, version: version))
  }

  /// Takes a provider away.
  /// - Throws: An error of ``AIBudsSDKErrorDomain`` when there is no environment.
  public static func unregisterProvider(_ vendor: String) throws { try service.registry().unregister(vendor) }

  /// Selects a provider for the sessions to come, and for the one that runs; `nil` leaves it to the order again.
  /// - Throws: An error of ``AIBudsSDKErrorDomain`` when nobody registered it, or there is no environment.
  public static func selectProvider(_ vendor: String?) throws { try service.select(vendor) }

  /// The vendor of the provider that is selected, else of the first one; `nil` when there is none.
  public static var selectedProvider: String? { environment?.registry.active?.vendor }

  /// Somebody does not agree any more: nothing is heard from now on, and the recording ends.
  public static func withdrawConsent() { service.caller.session?.withdrawConsent() }

  /// The program is about to end: the recording ends, and is not waited for long.
  public static func applicationWillTerminate() { service.caller.session?.appWillTerminate() }
}
