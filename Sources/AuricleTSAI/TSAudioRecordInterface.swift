import Foundation

/// Tells whether something was done, and if not, why.
public typealias TSAICompletionBlock = (_ success: Bool, _ error: (any Error)?) -> Void
/// Tells the greatest length of a normal recording, in minutes.
public typealias TSAudioRecordMaximumDurationResultBlock = (_ maximumDuration: UInt, _ error: (any Error)?) -> Void
/// Tells that the audio of a recording has ended.
public typealias TSAudioRecordFinishHandler = (_ reason: TSAudioRecordStopReason, _ error: (any Error)?) -> Void
/// Takes audio: 16 kHz mono, 16 bit, little endian.
public typealias TSAudioRecordDataReceivedBlock = (_ audioData: Data) -> Void
/// Takes audio, whoever started the recording.
public typealias TSAudioRecordVoiceDataReceivedBlock = (_ audioData: Data) -> Void
/// Takes what a session delivers.
public typealias TSAIAudioRecordSessionResultHandler = (_ result: TSAIAudioRecordSessionResult) -> Void
/// Told that a device wants a recording.
public typealias TSAIAudioRecordRequestStartBlock = (_ scene: TSAIAudioRecordScene) -> Void
/// Told that a device interrupts.
public typealias TSAIAudioRecordInterruptBlock = (_ reason: TSAIAudioRecordInterruptReason) -> Void
/// Told what a recording does.
public typealias TSAIAudioRecordStateBlock = (_ state: TSAIAudioRecordState) -> Void

/// Recording with and without AI, as TSAIKit offers it: the page's methods, by the names under which Clang imports them.
///
/// Every method can be called from any thread, also from a callback, and waits for nothing. Callbacks come on
/// ``TSAIKit/callbackQueue``, one at a time, in order.
public protocol TSAudioRecordInterface: AnyObject {
  /// Changes the greatest length of a normal recording.
  /// - Parameters:
  ///   - maximumDuration: Whole minutes, 1 through 240; anything else is refused and changes nothing.
  ///   - completion: Called once.
  func setNormalAudioRecordingMaximumDuration(_ maximumDuration: UInt, completion: @escaping TSAICompletionBlock)
  /// Asks for the greatest length of a normal recording; 240 minutes until somebody changes it.
  /// - Parameter completion: Called once.
  func getNormalAudioRecordingMaximumDuration(_ completion: TSAudioRecordMaximumDurationResultBlock?)
  /// Starts a recording that nobody transcribes.
  /// - Parameters:
  ///   - startCompletion: Called once.
  ///   - finishHandler: Called once after a start that succeeded: with the reason for the end.
  func startNormalAudioRecording(
    _ startCompletion: @escaping TSAICompletionBlock, finishHandler: TSAudioRecordFinishHandler?)
  /// Stops it; harmless when there is none.
  /// - Parameter completion: Called once, when the audio has ended.
  func stopNormalAudioRecording(_ completion: @escaping TSAICompletionBlock)

  /// Starts a recording that is transcribed.
  /// - Parameters:
  ///   - config: What is recorded and how; `nil` for ``TSAIAudioRecordConfig/default()``.
  ///   - startCompletion: Called once.
  ///   - didReceiveAudioData: Takes the audio in order; a slow one falls behind and loses nothing.
  ///   - didReceiveSessionResult: Takes the results in order. The finish comes once, and is the last call of all. When the
  ///     start fails, the events that say so come before the completion, and no finish.
  ///   - finishHandler: Called once after a start that succeeded, when the audio has ended and all of it was delivered. The
  ///     session is over only with the finish.
  func startAIAudioRecording(
    with config: TSAIAudioRecordConfig?, startCompletion: @escaping TSAICompletionBlock,
    didReceiveAudioData: TSAudioRecordDataReceivedBlock?,
    didReceiveSessionResult: TSAIAudioRecordSessionResultHandler?, finishHandler: TSAudioRecordFinishHandler?)
  /// Stops it; harmless when there is none.
  /// - Parameter completion: Called once, when the audio has ended; the finish follows on its own.
  func stopAIAudioRecording(_ completion: @escaping TSAICompletionBlock)

  /// Listens for a device that wants a recording; called only when one may start. `nil` ends it.
  func registerOnRequestStartAIAudioRecording(_ block: TSAIAudioRecordRequestStartBlock?)
  /// Listens for a device that wants the recording to end. `nil` ends it.
  func registerOnRequestStopAIAudioRecording(_ block: (() -> Void)?)
  /// Listens for interruptions by a device. `nil` ends it.
  func registerAIAudioRecordingDidInterrupt(_ block: TSAIAudioRecordInterruptBlock?)
  /// Listens to the audio of recordings that are transcribed and start from now on. `nil` ends it.
  func registerOnAIAudioRecordingVoiceDataReceived(_ block: TSAudioRecordVoiceDataReceivedBlock?)
  /// Listens for what recordings that are transcribed do. `nil` ends it.
  func registerAIAudioRecordingStateDidChanged(_ block: TSAIAudioRecordStateBlock?)

  /// Tells the device that the recording that it asked for runs. Fails when none runs, when it did not ask, and the second
  /// time.
  func reportAIAudioRecordingStartSuccess(with scene: TSAIAudioRecordScene, completion: TSAICompletionBlock?)
  /// Tells the device that the recording that it asked for has stopped. Fails when it has not, when it did not ask, and the
  /// second time.
  func reportAIAudioRecordingStopped(completion: TSAICompletionBlock?)
}
