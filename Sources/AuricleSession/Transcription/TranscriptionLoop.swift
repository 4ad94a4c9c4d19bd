import AuricleRecognition

/// What a running transcription does about what it is told, one message after the other.
struct TranscriptionLoop {
  /// So often a provider may fail for reasons of its own without a final sentence in between.
  static let rebuildLimit = 5

  /// What became of the text; `nil` while that is open.
  private(set) var outcome: TranscriptionOutcome?
  private let transcriber: Transcriber
  private let place: TranscriptionPlace
  private var isOnline: Bool
  private var isAudioOver = false
  /// The session that counts; `nil` between two.
  private var sitting: Sitting?
  /// Sessions that may deliver something still.
  private var sittings: [Sitting] = []
  private var sittingCount = 0
  /// Owned by this loop, whose end cancels it.
  private var wait: Task<Void, Never>?
  /// The latest failure since the last final sentence.
  private var setback: Setback?
  private var rebuildCount = 0

  /// Prepares; nothing happens yet.
  init(_ transcriber: Transcriber, _ place: TranscriptionPlace) {
    self.transcriber = transcriber
    self.place = place
    isOnline = transcriber.network.isOnline
  }

  /// Asks the provider, or waits for the network.
  mutating func begin() async {
    do throws(RecognitionError) {
      try transcriber.choose()
    } catch {
      return await fail(Setback(error: error, stage: .opening))
    }
    guard isReachable else {
      place.note(.offline)
      return await act(.lost(.offline))
    }
    await act(.ready)
  }

  /// Takes in what happened.
  mutating func handle(_ message: Transcriber.Message) async {
    switch message {
    case .network(let isOnline): await changeNetwork(isOnline)
    case .switched: await switchListener()
    case .opened(let number): if number == sitting?.number { await act(.opened) }
    case .progressed(let number):
      guard number == sitting?.number else { return }
      (rebuildCount, setback) = (0, nil)
      await act(.progressed)
    case .ended(let number, let ending): if number == sitting?.number { await end(ending) }
    case .waited(let number): await act(.waited(number))
    case .audioEnded:
      isAudioOver = true
      giveInWhenBlocked()
    }
  }

  /// Ends whatever runs, and waits for it.
  mutating func end() async -> TranscriptionOutcome {
    let outcome = outcome ?? outcomeOfNow
    _ = transcriber.handle(.close)
    wait?.cancel()
    for sitting in sittings { sitting.cancel() }
    for sitting in sittings { await sitting.join() }
    sittings = []
    transcriber.mail.finish()
    return outcome
  }

  /// Whether the provider can be had, as far as the network goes.
  private var isReachable: Bool { isOnline || transcriber.listener?.needsNetwork != true }

  private mutating func changeNetwork(_ isOnline: Bool) async {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    if !isOnline { place.note(.disconnected) }
    await tell(isOnline ? .networkRestored : .networkLost)
    guard transcriber.listener?.needsNetwork == true else { return }
    await act(isOnline ? .ready : .lost(.offline))
  }

  private mutating func switchListener() async {
    let listener = transcriber.takeSwitch()
    // The one that listens already stays.
    if let sitting, sitting.listener.vendor == listener?.vendor { return }
    (rebuildCount, setback) = (0, nil)
    await act(isReachable ? .replaced : .lost(.offline))
  }

  private mutating func end(_ ending: Sitting.Ending) async {
    let wasOpen = sitting?.wasOpen ?? false
    sitting = nil
    switch ending {
    case .cancelled: break
    case .finished:
      await act(.finished)
      outcome = .complete
    case .unreadable(let failure):
      await act(.close)
      outcome = .unreadable(failure)
    case .failed(let setback):
      if setback.isOfNetwork { place.note(.disconnected) }
      await tell(setback.event, error: setback.error)
      if wasOpen { await tell(.aiServiceDisconnected, error: setback.error) }
      await fail(setback)
    }
  }

  private mutating func fail(_ setback: Setback) async {
    self.setback = setback
    let advice = setback.error.kind.advice
    rebuildCount += advice == .rebuild ? 1 : 0
    let isWornOut = advice == .rebuild && rebuildCount >= Self.rebuildLimit
    let mayPass = transcriber.isOfSession && setback.error.kind.mayPass && !isWornOut
    await act(.failed(isWornOut ? .retriesExhausted : setback.reason, mayPass: mayPass))
    guard transcriber.machineState == .blocked else { return }
    await place.show(SessionFailure(setback.error))
    giveInWhenBlocked()
  }

  /// Nobody will mend it any more once the audio is over, or where there is one recogniser only.
  private mutating func giveInWhenBlocked() {
    guard transcriber.machineState == .blocked, isAudioOver || !transcriber.isOfSession else { return }
    outcome = outcomeOfNow
  }

  /// What has become of the text if it ends now.
  private var outcomeOfNow: TranscriptionOutcome {
    let canComeLater = transcriber.isOfSession
    switch transcriber.machineState {
    case .waiting: return canComeLater && transcriber.isHeldUp ? .pending(setback?.error) : .cut
    case .backingOff: return .pending(setback?.error)
    case .starting: return canComeLater && setback != nil ? .pending(setback?.error) : .cut
    case .recognising, .closed: return .cut
    case .blocked:
      guard let setback else { return .cut }
      let isPassing = setback.error.kind.mayPass || setback.reason == .authorizationPending
      return canComeLater && isPassing ? .pending(setback.error) : .failed(setback.error)
    }
  }

  private mutating func act(_ input: TranscriptionMachine.Input) async {
    for action in transcriber.handle(input) {
      switch action {
      case .open: open()
      case .cancel: await cancel(because: input)
      case .wait(let number, let duration): wait(duration, number)
      case .tell: break
      }
    }
  }

  private mutating func open() {
    guard let listener = transcriber.listener else { return }
    sittings.removeAll(where: \.isOver)
    sittingCount += 1
    let sitting = Sitting(sittingCount, with: listener)
    let (transcriber, place, earlier) = (transcriber, place, sittings)
    sitting.begin {
      let ending = await transcriber.listen(sitting, behind: earlier, in: place)
      transcriber.mail.yield(.ended(sitting.number, ending))
    }
    self.sitting = sitting
    sittings.append(sitting)
  }

  private mutating func cancel(because input: TranscriptionMachine.Input) async {
    guard let old = sitting else { return }
    sitting = nil
    old.cancel()
    guard old.wasOpen else { return }
    if input == .lost(.offline) {
      await tell(.aiServiceDisconnected, error: RecognitionError(.offline, "the network is gone"))
    } else {
      await tell(.aiServiceDisconnected)
    }
  }

  private mutating func wait(_ duration: Duration, _ number: Int) {
    wait?.cancel()
    wait = Task { [transcriber] in
      guard (try? await transcriber.sleep(duration)) != nil else { return }
      transcriber.mail.yield(.waited(number))
    }
  }

  private func tell(_ kind: SessionEvent.Kind, error: RecognitionError? = nil) async {
    guard transcriber.isOfSession else { return }
    await place.take(.event(SessionEvent(kind, time: place.position(), details: [:], failing: error)))
  }
}
