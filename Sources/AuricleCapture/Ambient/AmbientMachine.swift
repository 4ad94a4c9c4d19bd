import AuricleConsent

/// The states of an ambient capture: a value that knows no source, consumer, clock or thread.
///
/// Whoever handles an event does what ``isStopDue`` says afterwards.
struct AmbientMachine: Sendable {
  /// Where the capture is.
  private enum Phase: Sendable, Hashable {
    /// Not running. Legal: start (resuming unless it is `notStarted`), everything that ends it.
    case stopped(AmbientReason)
    /// Samples of the epoch pass. The reason is what to go back to when the source does not start.
    case capturing(before: AmbientReason)
    /// Over for good. Nothing is legal any more.
    case ended(AmbientReason)
  }

  private(set) var consent: ConsentAnswers
  private(set) var permission = CapturePermission.undetermined
  /// The latest attempt; 0 before the first one.
  private(set) var epoch: UInt64 = 0
  /// Whether the source failed to stop. It stays so.
  private(set) var isCleanupFailed = false
  /// Whether the source has to be told to stop.
  private(set) var isStopDue = false
  private var phase = Phase.stopped(.notStarted)

  init(consent: ConsentAnswers) { self.consent = consent }

  /// Why it does not run; `none` while it does.
  var reason: AmbientReason {
    switch phase {
    case .stopped(let reason), .ended(let reason): reason
    case .capturing: .none
    }
  }

  var isCapturing: Bool { if case .capturing = phase { true } else { false } }
  var isEnded: Bool { if case .ended = phase { true } else { false } }

  /// What a recording under the same consent may do.
  var recordingLeave: RecordingLeave {
    if isEnded { return .ended }
    return consent.isComplete ? .granted(consent.participants) : .waits
  }

  /// Whether a sample of an epoch may pass.
  func admits(_ sampleEpoch: UInt64) -> Bool { isCapturing && sampleEpoch == epoch }

  // Consent and permission

  mutating func consent(_ participant: String) throws { try consent.consent(participant) }

  mutating func deny(_ participant: String) throws {
    try consent.deny(participant)
    stop(.denied)
  }

  mutating func changeParticipants(_ participants: [String]) throws {
    try checkNotEnded()
    try consent.changeParticipants(participants)
    stop(.participantsChanged)
  }

  mutating func permissionChanged(_ permission: CapturePermission) {
    self.permission = permission
    if permission != .granted { stop(.permissionRevoked) }
  }

  // Running

  /// - Returns: The epoch of the attempt, whose samples may pass from now on.
  mutating func start(isResuming: Bool) throws(AmbientError) -> UInt64 {
    try checkNotEnded()
    if isCleanupFailed { throw AmbientError(.cleanupFailed) }
    guard case .stopped(let before) = phase else { throw AmbientError(.alreadyCapturing) }
    if before == .notStarted, isResuming { throw AmbientError(.nothingToResume) }
    if before != .notStarted, !isResuming { throw AmbientError(.resumeRequired) }
    guard consent.isComplete else { throw AmbientError(.consentMissing) }
    guard permission == .granted else { throw AmbientError(.permissionMissing) }
    epoch += 1
    phase = .capturing(before: before)
    return epoch
  }

  /// The source did not start: everything is as it was, but for the epoch, which is never used again.
  mutating func startFailed() {
    if case .capturing(let before) = phase { phase = .stopped(before) }
    isStopDue = false
  }

  mutating func pause() throws(AmbientError) {
    try checkNotEnded()
    guard isCapturing else { throw AmbientError(.notCapturing) }
    stop(.paused)
  }

  /// Stops with a reason; harmless unless it runs.
  mutating func stop(_ reason: AmbientReason) {
    guard isCapturing else { return }
    phase = .stopped(reason)
    isStopDue = true
  }

  /// Ends for good. The first reason stays.
  mutating func end(_ reason: AmbientReason) {
    guard !isEnded else { return }
    stop(reason)
    phase = .ended(reason)
  }

  /// Somebody tells the source now.
  mutating func stopTaken() -> Bool {
    defer { isStopDue = false }
    return isStopDue
  }

  mutating func cleanupFailed() { isCleanupFailed = true }

  private func checkNotEnded() throws(AmbientError) {
    guard case .ended(let reason) = phase else { return }
    throw AmbientError(reason == .expired ? .expired : .withdrawn)
  }
}

/// What a recording may do under the consent of an ambient capture.
enum RecordingLeave: Sendable, Hashable {
  /// It may not run while somebody has not agreed; one that runs ends, since it names others as those who agreed.
  case waits
  /// Everyone agreed.
  case granted([String])
  /// The consent was taken back, or its time is over.
  case ended
}
