import Foundation

/// Tells whether a device did something, and if not, why.
public typealias DeviceAudioRecordingCompletion = (_ success: Bool, _ error: (any Error)?) -> Void

/// What a device with a microphone of its own offers to the program that records with it.
///
/// The page shows starting and stopping; the rest is the contract of session.md, section 8.
public protocol DeviceAudioRecordingAPI {
  /// Asks for the greatest length of a normal recording on the device, in whole minutes.
  func getNormalAudioRecordingMaximumDuration(
    _ completion: @escaping (_ minutes: Int, _ error: (any Error)?) -> Void)
  /// Changes it: 1 through 240; anything else is refused and changes nothing.
  func setNormalAudioRecordingMaximumDuration(_ minutes: Int, completion: @escaping DeviceAudioRecordingCompletion)
  /// Asks the device to begin a recording that nobody transcribes.
  func requestStartNormalAudioRecording(_ completion: @escaping DeviceAudioRecordingCompletion)
  /// Asks it to end that.
  func requestStopNormalAudioRecording(_ completion: @escaping DeviceAudioRecordingCompletion)
  /// Asks the device to send audio for a session that runs.
  func startAIAudioRecording(_ scene: RecordingScene, completion: @escaping DeviceAudioRecordingCompletion)
  /// Asks it to send no more.
  func stopAIAudioRecording(_ scene: RecordingScene, completion: @escaping DeviceAudioRecordingCompletion)
}
