import AuricleAudio
import AuricleRecognition

/// The life of a recording's text beside the recording: asks a provider to listen, and another time when that fails.
///
/// Drives ``TranscriptionMachine``. A session with a provider hears the file from the end of the last final sentence on, as
/// fast as it can, and then what is recorded; so whatever becomes of it, the next one misses no word and doubles none.
/// Nothing here holds up the recording.
///
/// Made before the recording starts, run once; everything else can be called from any thread at any time.
final class Transcriber: Sendable {
  /// What a running transcription is told.
  enum Message: Sendable {
    /// There is a network, or none.
    case network(Bool)
    /// Another provider was selected.
    case switched
    /// The provider of that session listens.
    case opened(Int)
    /// That session brought a final sentence.
    case progressed(Int)
    /// That session is over.
    case ended(Int, Sitting.Ending)
    /// The wait with that number is over.
    case waited(Int)
    /// No more audio will be recorded.
    case audioEnded
  }

  /// Where providers come from; `nil` for one that is made elsewhere.
  struct Selection: Sendable {
    /// The providers.
    let registry: ProviderRegistry
    /// The one that was asked for; `nil` for the selected one, else the first that can do it.
    let vendor: String?
    /// What it must offer.
    let features: ServiceFeatures
  }

  private struct State {
    var machine: TranscriptionMachine
    var listener: Listener?
    var isSwitching = false
  }

  let selection: Selection?
  let configuration: RecognitionConfiguration
  let speech: @Sendable (any AudioSource) -> any AudioSource
  let network: any NetworkMonitor
  let chance: @Sendable () -> Double
  let sleep: @Sendable (Duration) async throws -> Void
  let patience: Patience
  let text = Guarded(TextProgress())
  let messages: AsyncStream<Message>
  // Unbounded, and yet small: each session, wait and switch has one message at a time under way, and finals come as fast as
  // they are delivered.
  let mail: AsyncStream<Message>.Continuation
  private let state: Guarded<State>

  /// The text of a session: providers of a registry, tried again, and all of it told.
  /// - Parameters:
  ///   - selection: Where providers come from.
  ///   - configuration: What is asked of them.
  ///   - network: The network.
  ///   - backoff: How long to wait before the next attempt.
  ///   - speech: Makes 16,000 Hz mono of a source.
  ///   - chance: 0..<1, for the length of waits.
  ///   - patience: How long a provider may take for one call.
  ///   - sleep: Waits; throws when its task is cancelled.
  init(
    _ selection: Selection, configuration: RecognitionConfiguration, network: any NetworkMonitor,
    backoff: Backoff = Backoff(), speech: @escaping @Sendable (any AudioSource) -> any AudioSource,
    chance: @escaping @Sendable () -> Double, patience: Patience = Patience(),
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.selection = selection
    self.configuration = configuration
    self.speech = speech
    self.network = network
    self.chance = chance
    self.sleep = sleep
    self.patience = patience
    (messages, mail) = AsyncStream.makeStream()
    state = Guarded(State(machine: TranscriptionMachine(backoff: backoff)))
  }

  /// The simple case: one recogniser, asked once, and nothing told but what it says.
  init(_ recognition: RecordingRecognition) {
    selection = nil
    configuration = recognition.configuration
    speech = recognition.speech
    network = AlwaysOnline()
    chance = { 0.5 }
    sleep = { _ in }
    patience = Patience()
    (messages, mail) = AsyncStream.makeStream()
    state = Guarded(State(machine: TranscriptionMachine(), listener: Listener(recognition)))
  }

  /// Whether it belongs to a session: failures are tried again, and events tell of it.
  var isOfSession: Bool { selection != nil }
  /// What the transcription does.
  var machineState: TranscriptionMachine.State { state.withLock { $0.machine.state } }
  /// Why it does not recognise.
  var reason: TranscriptionMachine.Reason { state.withLock { $0.machine.reason } }
  /// Whether it waits for something else than a recogniser that loads.
  var isHeldUp: Bool {
    state.withLock { state in
      switch state.machine.state {
      case .waiting: state.machine.reason != .preparing
      case .backingOff, .blocked: true
      case .starting, .recognising, .closed: false
      }
    }
  }
  /// Who is asked to listen; `nil` before that is known.
  var listener: Listener? { state.withLock { $0.listener } }

  /// Chooses the provider, unless that was done: the one that was asked for, else the selected one, else the first that can
  /// do it.
  /// - Parameter allowsOffline: Whether it may be one that has to wait for the network.
  /// - Throws: ``RecognitionError`` of kind `notConfigured`, `serviceMissing` or `notSupported`, as the registry says, or
  ///   `offline`.
  func choose(allowsOffline: Bool = true) throws(RecognitionError) {
    guard let selection else { return }
    var chosen = listener
    if chosen == nil {
      let service = try selection.registry.provider(selection.vendor, offering: selection.features)
      chosen = state.withLock { state in
        state.listener = state.listener ?? Listener(service)
        return state.listener
      }
    }
    if !allowsOffline, chosen?.needsNetwork == true, !network.isOnline {
      throw RecognitionError(.offline, "there is no network; try again when it is back, or allow to record without")
    }
  }

  /// Gives the place to another provider, at once: it hears everything since the last final sentence. The one that listens
  /// already stays.
  /// - Throws: ``RecognitionError`` of kind `notConfigured`, `serviceMissing` or `notSupported`; everything is as before.
  func select(_ vendor: String) throws(RecognitionError) {
    guard let selection else { throw RecognitionError(.notSupported, "this recording has one provider only") }
    let service = try selection.registry.provider(vendor, offering: selection.features)
    let isFirst = state.withLock { state in
      state.listener = Listener(service)
      defer { state.isSwitching = true }
      return !state.isSwitching
    }
    if isFirst { mail.yield(.switched) }
  }

  /// A switch was seen, and may be followed by another one.
  func takeSwitch() -> Listener? {
    state.withLock { state in
      state.isSwitching = false
      return state.listener
    }
  }

  /// Steps the machine.
  func handle(_ input: TranscriptionMachine.Input) -> [TranscriptionMachine.Action] {
    let chance = chance()
    return state.withLock { $0.machine.handle(input, chance: chance) }
  }

  /// Runs until everything that is recorded has its text, until that cannot be had, or until the task is cancelled. Call
  /// it once.
  /// - Parameter closed: Thrown when no more audio will be recorded.
  func run(in place: TranscriptionPlace, closed: StopSignal) async -> TranscriptionOutcome {
    var loop = TranscriptionLoop(self, place)
    return await withTaskGroup(of: Void.self) { [mail, network] group in
      group.addTask {
        if await closed.wait() { mail.yield(.audioEnded) }
      }
      group.addTask {
        for await isOnline in network.changes() { mail.yield(.network(isOnline)) }
      }
      await loop.begin()
      if loop.outcome == nil {
        for await message in messages {
          await loop.handle(message)
          if loop.outcome != nil { break }
        }
      }
      group.cancelAll()
      return await loop.end()
    }
  }
}
