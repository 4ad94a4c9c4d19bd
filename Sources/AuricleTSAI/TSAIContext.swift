import AuricleCallbacks
import Foundation

/// What is recorded with: the environment that the host set, and its providers.
public final class TSAIContext: NSObject, Sendable {
  private let host: CallbackHost
  let recorder: AudioRecorder

  init(host: CallbackHost) {
    self.host = host
    recorder = AudioRecorder(host: host)
  }

  /// Recording with and without AI.
  public var audioRecord: any TSAudioRecordInterface { recorder }

  /// Whether every feature of a mask can be had right now. An empty mask cannot, and without an environment nothing can.
  /// The name is ours: the page lists the features and not the query.
  public func isFeatureSupported(_ feature: TSAIFeature) -> Bool {
    host.environment?.registry.isSupported(feature.features) ?? false
  }
}
