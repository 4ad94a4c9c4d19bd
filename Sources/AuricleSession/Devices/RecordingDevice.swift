import AuricleAudio

/// Something with its own microphone: earbuds, a pendant, a watch, a conference microphone.
///
/// It is told one thing at a time, and answers by returning or throwing. A command whose task is cancelled should end
/// promptly; whatever comes of it later is not looked at. To start what runs and to stop what does not run does nothing.
public protocol RecordingDevice: Sendable {
  /// What it is called by; stays the same when it comes back.
  var id: String { get }
  /// What a person calls it.
  var name: String { get }
  /// What it can do beyond recording.
  var abilities: DeviceAbilities { get }
  /// The format of its audio, also after it came back.
  var audioFormat: AudioFormat { get }

  /// After how many whole minutes a normal recording on the device ends by itself.
  func maximumMinutes() async throws(DeviceError) -> Int
  /// Changes it.
  /// - Throws: ``DeviceError`` of kind `invalidParameter` outside of `SessionConfiguration.maximumMinutes`; the old value
  ///   stays, as it does with every other error.
  func setMaximumMinutes(_ minutes: Int) async throws(DeviceError)

  /// Begins a normal recording on the device: nobody listens to it meanwhile. Its end is told as
  /// ``DeviceEvent/recordingEnded(_:)``.
  func requestStart() async throws(DeviceError)
  /// Ends it.
  func requestStop() async throws(DeviceError)

  /// Begins to send audio for a recording that is transcribed.
  func startAIAudioRecording(_ scene: SessionConfiguration.Scene) async throws(DeviceError)
  /// Stops sending it.
  func stopAIAudioRecording(_ scene: SessionConfiguration.Scene) async throws(DeviceError)
  /// Sends nothing until it is resumed; only called on a device with ``DeviceAbilities/pause``.
  func pauseAIAudioRecording() async throws(DeviceError)
  /// Sends audio again; only called on a device with ``DeviceAbilities/pause``.
  func resumeAIAudioRecording() async throws(DeviceError)

  /// Tells the device that the recording that it asked for runs.
  func reportStartSuccess(_ scene: SessionConfiguration.Scene) async throws(DeviceError)
  /// Tells the device that the recording that it asked for has stopped.
  func reportStopped() async throws(DeviceError)

  /// What the device asks and tells from now on, in order: one stream for each listener.
  ///
  /// The stream has room for at least 64 events; a listener whose task is cancelled is not listened for any more.
  func events() -> AsyncStream<DeviceEvent>

  /// Its audio from now on: one source for each connection, at ``audioFormat``, counted from frame 0.
  ///
  /// It may be asked for before the device was told to start, and gives nothing until then. While the device is away it
  /// waits for it. Ends promptly when the task is cancelled.
  /// - Returns: A source that throws `AudioError` of kind `deviceLost` when the device goes away, and that ends when the
  ///   device was told to stop and all that it heard was read.
  func openAudio() async throws -> any AudioSource
}

/// What a device can do beyond recording.
public struct DeviceAbilities: OptionSet, Sendable, Hashable {
  /// The mask.
  public let rawValue: Int
  /// Takes over a mask.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// It can pause.
  public static let pause = DeviceAbilities(rawValue: 1 << 0)
  /// It can record by itself, which nobody transcribes.
  public static let normalRecording = DeviceAbilities(rawValue: 1 << 1)
}
