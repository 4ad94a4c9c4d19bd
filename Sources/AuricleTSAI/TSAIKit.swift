import AuricleCallbacks
import AuricleConsent
import AuricleSession
import Foundation

/// The way in, as TSAIKit has it.
///
/// Before the first recording the host sets ``environment`` and ``consentProvider``. Everything here can be used from any
/// thread.
public final class TSAIKit: NSObject, Sendable {
  private static let shared = TSAIKit()
  private let host = CallbackHost()
  private let context: TSAIContext

  private override init() {
    context = TSAIContext(host: host)
    super.init()
  }

  /// The only one.
  public static func sharedInstance() -> TSAIKit { shared }

  /// What is recorded with now.
  public var activeContext: TSAIContext { context }
}

// What the host sets; none of it is TSAIKit's.
extension TSAIKit {
  /// Where microphones, files and providers come from; `nil` until the host sets it, and then a start fails with
  /// ``TSAIErrorCode/contextInactive``.
  public static var environment: SessionEnvironment? {
    get { shared.host.environment }
    set { shared.host.environment = newValue }
  }

  /// Says who agreed to be recorded: asked before each recording, `nil` when somebody did not. It may ask people and take
  /// its time; when the recording is stopped meanwhile, its task is cancelled. Without one a start fails with
  /// ``TSAIErrorCode/authorizationRequired``, and nothing is heard.
  public static var consentProvider: (@Sendable () async -> ConsentRecord?)? {
    get { shared.host.consent }
    set { shared.host.consent = newValue }
  }

  /// Where callbacks are called, one at a time whatever kind of queue it is; the main queue until the host sets another.
  public static var callbackQueue: DispatchQueue {
    get { shared.host.lane.queue }
    set { shared.host.lane.queue = newValue }
  }

  /// The device that is recorded with; `nil`, as it is until the host sets one, for the microphone of the environment. What it
  /// asks for is told to who registered for it. To set another one stops what goes on with the one before.
  public static var device: (any RecordingDevice)? {
    get { shared.context.recorder.device?.coordinator.device }
    set { shared.context.recorder.attach(newValue) }
  }

  /// Somebody does not agree any more: nothing is heard from now on, and the recording ends.
  public static func withdrawConsent() { shared.context.recorder.withdrawConsent() }

  /// The program is about to end: the recording ends, and is not waited for long.
  public static func applicationWillTerminate() { shared.context.recorder.applicationWillTerminate() }
}
