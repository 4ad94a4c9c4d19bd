#if canImport(AVFAudio)
  import AVFAudio
  import AuricleCapture
  import Foundation

  #if canImport(UIKit) && !os(watchOS)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// The system's notifications at which a capture stops. The end of an interruption is none: nothing resumes by itself.
  final class AppleBoundaries: @unchecked Sendable {
    // The rule that makes it safe: `tokens` is written before the object is shared, and read by the deinitialiser.
    private let center: NotificationCenter
    private var tokens: [any NSObjectProtocol] = []

    init(center: NotificationCenter) { self.center = center }

    deinit { for token in tokens { center.removeObserver(token) } }

    /// Begins to observe. Call it once, before the object is shared.
    func watch(_ body: @escaping @Sendable (AmbientInterruption) -> Void) {
      for (name, interruption) in Self.names {
        tokens.append(
          center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if Self.isBoundary(notification) { body(interruption) }
          })
      }
    }

    private static var names: [(Notification.Name, AmbientInterruption)] {
      var names: [(Notification.Name, AmbientInterruption)] = [(.AVAudioEngineConfigurationChange, .reconfiguration)]
      #if os(iOS) || os(watchOS) || os(visionOS) || os(tvOS) || AURICLE_APPLE_STUBS
        names.append((AVAudioSession.interruptionNotification, .audioInterruption))
        names.append((AVAudioSession.routeChangeNotification, .routeChange))
      #endif
      #if canImport(UIKit) && !os(watchOS)
        names.append((UIApplication.willResignActiveNotification, .background))
        names.append((UIApplication.didEnterBackgroundNotification, .background))
      #elseif canImport(AppKit)
        names.append((NSApplication.willResignActiveNotification, .background))
      #endif
      return names
    }

    private static func isBoundary(_ notification: Notification) -> Bool {
      #if os(iOS) || os(watchOS) || os(visionOS) || os(tvOS) || AURICLE_APPLE_STUBS
        guard notification.name == AVAudioSession.interruptionNotification else { return true }
        let type = (notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(
          AVAudioSession.InterruptionType.init(rawValue:))
        return type != .ended
      #else
        return true
      #endif
    }
  }
#endif
