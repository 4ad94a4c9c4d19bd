import AuricleConsent
import Foundation

/// Capture that is bound to the consent of everyone present.
///
/// Nothing reaches the consumer before every participant agreed and the system gave its permission, and nothing after a
/// pause, an interruption, a withdrawal or the deadline. Raw sound is kept for one callback only.
///
/// Threading: every method may be called from any thread. Lifecycle calls and the consumer's callbacks never overlap: a
/// lifecycle call waits for a callback that is under way. From inside the callback, those that can throw are refused with
/// `calledFromConsumer`; the others shut the gate at once, and the source is stopped when the callback returns.
public final class AmbientAudioCapture: @unchecked Sendable {
  // The rule that makes it safe: everything that changes is touched only while `state` is held. `lifecycle` is held by
  // whoever talks to the source; `state` is never held while the source or the consumer is called.
  // AmbientAudioCaptureTests runs all of it from many threads under ThreadSanitizer.

  /// The most transitions that are kept; older ones go first.
  public static let maximumTransitionCount = 1_000

  let source: any AmbientAudioSource
  let consumer: any AmbientPCMConsumer
  let policy: AmbientSessionPolicy
  private let deadline: AmbientDeadline
  private let gate: ConsentGate?
  private let wallClock: @Sendable () -> Date
  private var withdrawal: WithdrawalWatch?
  private let lifecycle = NSLock()
  let state = NSCondition()
  var machine: AmbientMachine
  var counts = AmbientCounts()
  /// The thread on which the consumer is called.
  var consumerThread: Thread?
  /// Where the latest buffer of the epoch ended.
  var endOffset: Int64 = 0
  private var history: [AmbientTransition] = []

  /// Prepares a capture. Its time begins to run; nothing is heard.
  /// - Parameters:
  ///   - sessionRef: An opaque reference of the session, not empty.
  ///   - participants: Opaque references of everyone who is present, each once.
  ///   - policy: The session's rules.
  ///   - source: The microphone.
  ///   - consumer: Who hears.
  ///   - gate: The gate of a recording under the same consent, closed as yet. It opens when everyone agreed, pauses while
  ///     the capture does not run, and a withdrawal on either side ends both. `nil` when nothing is recorded.
  ///   - clock: Measures the session's time.
  ///   - wallClock: Tells when everyone had agreed.
  /// - Throws: `ConsentError` about the participants; ``AmbientError`` of kind `invalidPolicy`.
  public init(
    sessionRef: String, participants: [String], policy: AmbientSessionPolicy, source: any AmbientAudioSource,
    consumer: any AmbientPCMConsumer, gate: ConsentGate? = nil, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    guard !sessionRef.isEmpty, !policy.revision.isEmpty, policy.maximumDuration > .zero,
      policy.maximumBufferBytes > 0
    else { throw AmbientError(.invalidPolicy) }
    machine = AmbientMachine(consent: try ConsentAnswers(participants: participants))
    self.policy = policy
    self.source = source
    self.consumer = consumer
    self.gate = gate
    self.wallClock = wallClock
    deadline = AmbientDeadline(after: policy.maximumDuration, clock: clock)
    if policy.expiresAutomatically { deadline.watch { [weak self] in self?.expire() } }
    withdrawal = gate?.whenWithdrawn { [weak self] in self?.withdrawnElsewhere() }
  }

  deinit {
    deadline.cancel()
    machine.end(.withdrawn)
    gate?.withdraw()
    if machine.stopTaken() { try? source.stop() }
  }

  /// Asks the system whether this program may listen. It starts nothing, and is nobody's consent.
  /// - Parameter completion: Called on any thread.
  public func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void) {
    source.requestPermission { [weak self] permission in
      self?.note("requestPermission") { $0.permissionChanged(permission) }
      self?.settle()
      completion(permission)
    }
  }

  /// A participant agrees. It starts nothing.
  /// - Throws: `ConsentError` of kind `unknownParticipant`; ``AmbientError`` of kind `calledFromConsumer`.
  public func consent(_ participant: String) throws { try steer("consent") { try $0.consent(participant) } }

  /// A participant says no: the capture stops, and does not start before they agree.
  /// - Throws: `ConsentError` of kind `unknownParticipant`; ``AmbientError`` of kind `calledFromConsumer`.
  public func deny(_ participant: String) throws { try steer("deny") { try $0.deny(participant) } }

  /// Others are present: the capture stops, and goes on by `start(resuming: true)` once all of them have agreed.
  /// - Throws: `ConsentError`; ``AmbientError``, when it is over for good.
  public func changeParticipants(_ participants: [String]) throws {
    try steer("changeParticipants") { try $0.changeParticipants(participants) }
  }

  /// Begins to listen, with a new epoch.
  /// - Parameter resuming: `true` after a pause or an interruption, `false` for the first start.
  /// - Throws: ``AmbientError``; nothing has changed then.
  public func start(resuming: Bool = false) throws {
    try refuseConsumer("start")
    lifecycle.lock()
    defer {
      lifecycle.unlock()
      settle()
    }
    let epoch = try begin(isResuming: resuming)
    do {
      try source.start(sink(epoch))
    } catch {
      note("startFailed") { $0.startFailed() }
      throw AmbientError(.sourceFailed)
    }
  }

  /// Stops until `start(resuming: true)`.
  /// - Throws: ``AmbientError`` of kind `notCapturing`, or what ended it.
  public func pause() throws { try steer("pause") { try $0.pause() } }

  /// Stops at a boundary that the host knows of. Harmless unless it runs; only `start(resuming: true)` goes on.
  public func interrupt(_ interruption: AmbientInterruption) {
    shut("interrupt.\(interruption.rawValue)") { $0.stop(interruption.reason) }
  }

  /// Takes the consent back, for good: what is being consumed is finished and wiped, and nothing follows.
  public func withdraw() { shut("withdraw") { $0.end(.withdrawn) } }

  /// Ends the session if its time is over; harmless before that.
  public func expire() {
    guard isExpired else { return }
    shut("expire") { $0.end(.expired) }
  }

  /// The state in numbers.
  public func snapshot() -> AmbientSnapshot {
    state.withLock {
      let owned = counts.received - counts.cleared
      return AmbientSnapshot(
        reason: machine.reason, isCapturing: machine.isCapturing, epoch: machine.epoch, received: counts.received,
        cleared: counts.cleared, admitted: counts.admitted, owned: owned, dropped: counts.dropped,
        isSourceCleanedUp: !machine.isCleanupFailed, permission: machine.permission,
        consent: AmbientConsentCounts(machine.consent),
        cleanupComplete: !machine.isCapturing && !machine.isStopDue && !isStopping && owned == 0
          && !machine.isCleanupFailed)
    }
  }

  /// The steps so far, the latest ``maximumTransitionCount`` of them.
  public func transitions() -> [AmbientTransition] { state.withLock { history } }

  // Steering

  var isExpired: Bool { deadline.hasPassed }
  private var isStopping = false

  private func begin(isResuming: Bool) throws -> UInt64 {
    let permission = source.permission
    if isExpired { note("expire") { $0.end(.expired) } }
    return try note("start") { machine in
      machine.permissionChanged(permission)
      endOffset = 0
      return try machine.start(isResuming: isResuming)
    }
  }

  /// A lifecycle call that can be refused.
  private func steer(_ event: String, _ body: (inout AmbientMachine) throws -> Void) throws {
    try refuseConsumer(event)
    defer { settle(isWaiting: true) }
    try note(event, body)
  }

  /// A lifecycle call that always works: shuts at once, then waits for the consumer unless it comes from there.
  private func shut(_ event: String, _ body: (inout AmbientMachine) -> Void) {
    note(event, body)
    guard !isInsideConsumer else { return }
    settle(isWaiting: true)
  }

  private var isInsideConsumer: Bool { state.withLock { consumerThread === Thread.current } }

  private func refuseConsumer(_ event: String) throws {
    if isInsideConsumer {
      note(event, isAccepted: false) { _ in }
      throw AmbientError(.calledFromConsumer)
    }
  }

  /// Handles an event of the machine and keeps it in the history.
  @discardableResult
  func note<Result>(
    _ event: String, isAccepted: Bool = true, _ body: (inout AmbientMachine) throws -> Result
  ) rethrows -> Result {
    var leave = RecordingLeave.waits
    defer { follow(leave) }
    state.lock()
    defer {
      leave = machine.recordingLeave
      state.unlock()
    }
    do {
      let result = try body(&machine)
      remember(event, isAccepted)
      return result
    } catch {
      remember(event, false)
      throw error
    }
  }

  /// Opens or ends the recording under the same consent, outside of every lock.
  private func follow(_ leave: RecordingLeave) {
    guard let gate else { return }
    switch leave {
    case .waits: if gate.record != nil { gate.withdraw() }
    case .ended: gate.withdraw()
    case .granted(let participants):
      guard gate.record == nil else { return }
      let milliseconds = Int64((wallClock().timeIntervalSince1970 * 1000).rounded())
      let record = try? ConsentRecord(
        participants: participants, grantedAtMilliseconds: milliseconds, policyRevision: policy.revision)
      // Somebody else may have opened or ended it at this moment.
      if let record { try? gate.grant(record) }
    }
  }

  /// The recording's side took the consent back.
  private func withdrawnElsewhere() {
    guard !state.withLock({ machine.isEnded }) else { return }
    note("withdraw") { $0.end(.withdrawn) }
    settle()
  }

  private func remember(_ event: String, _ isAccepted: Bool) {
    if history.count == Self.maximumTransitionCount { history.removeFirst() }
    history.append(
      AmbientTransition(event: event, isAccepted: isAccepted, reason: machine.reason, epoch: machine.epoch))
  }

  /// Stops the source if that is due.
  /// - Parameter isWaiting: Whether to wait for whoever talks to the source just now, and for the consumer. A source's own
  ///   thread never waits: whoever holds the lock then sees to it.
  func settle(isWaiting: Bool = false) {
    if isWaiting {
      waitForConsumer()
      lifecycle.lock()
    } else if !lifecycle.try() {
      return
    }
    stopSourceIfDue()
    lifecycle.unlock()
    // Something may have become due between the last look and the unlock, while others found the lock taken.
    if state.withLock({ machine.isStopDue }) { settle() }
  }

  private func waitForConsumer() {
    state.lock()
    defer { state.unlock() }
    while consumerThread != nil { state.wait() }
  }

  private func stopSourceIfDue() {
    let isDue = state.withLock {
      isStopping = machine.stopTaken()
      return isStopping
    }
    guard isDue else { return }
    let isClean = (try? source.stop()) != nil
    state.withLock {
      isStopping = false
      if !isClean { machine.cleanupFailed() }
    }
  }
}
