import AuricleAudio
import AuricleRecognition
import AuricleSession

/// A device in this process that does what a test tells it: its buttons, its battery, its way out of reach.
///
/// Sound is what ``hear(_:)`` lets happen, and nothing else: the sample of a moment is always the same, see
/// ``sample(at:)``. What happens while nobody listens is gone.
public final class ScriptedDevice: RecordingDevice {
  /// What the device was told.
  public enum Command: Sendable, Hashable {
    case maximumMinutes
    case setMaximumMinutes(Int)
    case requestStart
    case requestStop
    case start(SessionConfiguration.Scene)
    case stop(SessionConfiguration.Scene)
    case pause
    case resume
    case reportStarted(SessionConfiguration.Scene)
    case reportStopped
  }

  /// Comes before a command is carried out: waits as long as it likes, and throws what the device answers.
  public typealias Answer = @Sendable (Command) async throws(DeviceError) -> Void

  private struct State {
    var calls: [Command] = []
    var answer: Answer?
    var minutes = 60
    var isConnected = true
    var isSending = false
    var isPaused = false
    var isRecording = false
    var frame: Int64 = 0
    var link: ScriptedDeviceAudio?
    var way = ScriptGate()
    var openCount = 0
    var openWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var nextID = 0
    var listeners: [Int: AsyncStream<DeviceEvent>.Continuation] = [:]

    mutating func open(
      _ next: ScriptedDeviceAudio
    ) -> (earlier: ScriptedDeviceAudio?, waiters: [CheckedContinuation<Void, Never>]) {
      openCount += 1
      let waiters = openWaiters.filter { $0.count <= openCount }.map(\.continuation)
      openWaiters.removeAll { $0.count <= openCount }
      defer { link = next }
      return (link, waiters)
    }
  }

  /// What it is called by.
  public let id: String
  /// What a person calls it.
  public let name: String
  /// What it can do.
  public let abilities: DeviceAbilities
  /// The format of its audio; mono.
  public let audioFormat = AudioFormat.speech
  private let state: Guarded<State>

  /// Creates a device that is there and does nothing.
  public init(
    id: String = "scripted", name: String = "Scripted device", abilities: DeviceAbilities = [.pause, .normalRecording]
  ) {
    self.id = id
    self.name = name
    self.abilities = abilities
    state = Guarded(State())
    state.withLock { $0.way.open() }
  }

  // MARK: What a test sees

  /// What it was told so far, in order.
  public var calls: [Command] { state.withLock { $0.calls.map(\.self) } }
  /// Whether it sends audio.
  public var isSending: Bool { state.withLock { $0.isSending } }
  /// Whether it was told to pause.
  public var isPaused: Bool { state.withLock { $0.isPaused } }
  /// Whether it records by itself.
  public var isRecording: Bool { state.withLock { $0.isRecording } }
  /// How many listen to it.
  public var listenerCount: Int { state.withLock { $0.listeners.count } }
  /// Waits until its audio was opened so often.
  public func waitForOpening(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.openCount < count else { return true }
        state.openWaiters.append((count, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// The frame that happens next.
  public var frame: Int64 { state.withLock { $0.frame } }

  /// The sound of a moment, counted from the device's first frame.
  public static func sample(at frame: Int64) -> Float { Float(frame % 997 - 498) / 1024 }

  // MARK: What a test does

  /// Sets what comes before each command from now on; `nil` carries them out at once.
  public func set(answer: Answer?) { state.withLock { $0.answer = answer } }

  /// Somebody presses the button that begins a recording.
  public func press(_ request: DeviceStartRequest) { say(.startRequested(request)) }

  /// Tells something, whether it is so or not.
  public func say(_ event: DeviceEvent) {
    let listeners = state.withLock { $0.listeners.values.map(\.self) }
    for listener in listeners { listener.yield(event) }
  }

  /// Cut off: sends no more, and says so.
  public func interrupt(_ reason: InterruptionReason) { stopSending(.interrupted(reason)) }
  /// Its memory is full: sends no more, and says so.
  public func fillStorage() { stopSending(.storageFull) }
  /// Fails: sends no more, and says so.
  public func fail() { stopSending(.failed(DeviceError(.failed, "the script says so; try again"))) }

  private func stopSending(_ event: DeviceEvent) {
    let link = state.withLock { state in
      (state.isSending, state.isPaused) = (false, false)
      return state.link
    }
    link?.end()
    say(event)
  }

  /// Goes out of reach. What it hears there is gone.
  /// - Parameter isTold: Whether the device's loss is told; the audio breaks off all the same.
  public func goAway(isTold: Bool = true) {
    let link = state.withLock { state in
      defer { state.link = nil }
      if state.isConnected { (state.isConnected, state.way) = (false, ScriptGate()) }
      return state.link
    }
    link?.end(throwing: AudioError(.deviceLost, "the scripted device went away"))
    if isTold { say(.disconnected) }
  }

  /// Comes back, and goes on with what it did.
  public func comeBack() {
    let way = state.withLock { state in
      state.isConnected = true
      return state.way
    }
    way.open()
    say(.reconnected)
  }

  /// Lets sound happen: it is sent if somebody listens and the device is to send.
  /// - Parameter frameCount: For how many frames.
  public func hear(_ frameCount: Int) {
    state.withLock { state in
      let frames = state.frame..<state.frame + Int64(frameCount)
      state.frame = frames.upperBound
      guard state.isConnected, state.isSending, !state.isPaused else { return }
      state.link?.send(frames)
    }
  }

  /// Ends a normal recording by itself.
  public func endRecording(_ reason: StopReason) {
    let wasRecording = state.withLock { state in
      defer { state.isRecording = false }
      return state.isRecording
    }
    if wasRecording { say(.recordingEnded(reason)) }
  }

  // MARK: What it is told

  /// Tells its greatest length.
  public func maximumMinutes() async throws(DeviceError) -> Int {
    try await carryOut(.maximumMinutes) { _ in }
    return state.withLock { $0.minutes }
  }

  /// Changes it, within what is allowed.
  public func setMaximumMinutes(_ minutes: Int) async throws(DeviceError) {
    guard SessionConfiguration.maximumMinutes.contains(minutes) else {
      throw DeviceError(.invalidParameter, "a recording may have 1 to 240 minutes; choose a number between them")
    }
    try await carryOut(.setMaximumMinutes(minutes)) { $0.minutes = minutes }
  }

  /// Begins to record by itself.
  public func requestStart() async throws(DeviceError) { try await carryOut(.requestStart) { $0.isRecording = true } }

  /// Ends that.
  public func requestStop() async throws(DeviceError) {
    try await carryOut(.requestStop) { _ in }
    endRecording(.userInitiated)
  }

  /// Begins to send.
  public func startAIAudioRecording(_ scene: SessionConfiguration.Scene) async throws(DeviceError) {
    try await carryOut(.start(scene)) { ($0.isSending, $0.isPaused) = (true, false) }
  }

  /// Sends no more.
  public func stopAIAudioRecording(_ scene: SessionConfiguration.Scene) async throws(DeviceError) {
    try await carryOut(.stop(scene)) { state in
      guard state.isSending else { return }
      (state.isSending, state.isPaused) = (false, false)
      state.link?.end()
    }
  }

  /// Sends nothing for a while.
  public func pauseAIAudioRecording() async throws(DeviceError) { try await carryOut(.pause) { $0.isPaused = true } }
  /// Sends again.
  public func resumeAIAudioRecording() async throws(DeviceError) { try await carryOut(.resume) { $0.isPaused = false } }
  /// Hears that its recording runs.
  public func reportStartSuccess(_ scene: SessionConfiguration.Scene) async throws(DeviceError) {
    try await carryOut(.reportStarted(scene)) { _ in }
  }
  /// Hears that its recording has stopped.
  public func reportStopped() async throws(DeviceError) { try await carryOut(.reportStopped) { _ in } }

  private func carryOut(_ command: Command, _ body: (inout State) -> Void) async throws(DeviceError) {
    let answer = state.withLock { state in
      state.calls.append(command)
      return state.answer
    }
    try await answer?(command)
    let isDone = state.withLock { state in
      guard state.isConnected, !Task.isCancelled else { return false }
      body(&state)
      return true
    }
    if isDone { return }
    guard !Task.isCancelled else { throw DeviceError(.cancelled, "nobody waits for the scripted device any more") }
    throw DeviceError(.disconnected, "the scripted device is away; have it come back")
  }

  /// Listens from now on.
  public func events() -> AsyncStream<DeviceEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DeviceEvent.self, bufferingPolicy: .bufferingOldest(1024))
    let id = state.withLock { state in
      state.nextID += 1
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  /// Opens its audio; an earlier one ends.
  public func openAudio() async throws -> any AudioSource {
    while true {
      try Task.checkCancellation()
      await state.withLock { $0.way }.pass()
      try Task.checkCancellation()
      let link = ScriptedDeviceAudio(format: audioFormat)
      let opening = state.withLock { $0.isConnected ? $0.open(link) : nil }
      guard let opening else { continue }
      opening.earlier?.end()
      for waiter in opening.waiters { waiter.resume() }
      return link
    }
  }
}
