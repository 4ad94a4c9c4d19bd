import Testing

@testable import AuricleSession

@Suite("The orders of a recording with a device")
struct DeviceOrderTests {
  typealias Machine = DeviceLifecycle
  private static let request = DeviceStartRequest(id: "7", scene: .call, channel: "right")

  private static func handle(_ machine: inout Machine, _ inputs: [Machine.Input]) -> [Machine.Action] {
    inputs.flatMap { machine.handle($0) }
  }

  @Test("§8: The program begins: session, success, kept, device; it stops: device, let go, session, finish")
  func programBegins() {
    var machine = Machine()
    #expect(
      Self.handle(&machine, [.start(.onSite, requestID: nil), .sessionStarted, .deviceStarted])
        == [.startSession, .keepSession, .startDevice(.onSite), .tellStarted])
    #expect(
      Self.handle(&machine, [.stop, .deviceStopped, .sessionEnded(.userInitiated), .sessionFinished])
        == [.stopDevice(.onSite), .letSessionGo, .endSession(.userInitiated, nil), .finish(.userInitiated)])
  }

  @Test("§8: The device begins: a check, then the question, then both sides, then one report")
  func deviceBegins() {
    var machine = Machine()
    #expect(machine.handle(.device(.startRequested(Self.request))) == [.check(Self.request), .wait(1, .request)])
    #expect(machine.handle(.checked(requestID: "7", isEligible: true)) == [.offer(Self.request)])
    #expect(
      Self.handle(&machine, [.start(.call, requestID: "7"), .sessionStarted, .deviceStarted])
        == [.startSession, .keepSession, .startDevice(.call), .tellStarted, .reportStarted(.call)])
    #expect(
      Self.handle(
        &machine, [.device(.stopRequested), .deviceStopped, .sessionEnded(.userInitiated), .sessionFinished])
        == [
          .tellStopRequest, .stopDevice(.call), .letSessionGo, .endSession(.userInitiated, nil), .reportStopped,
          .finish(.userInitiated),
        ])
  }

  @Test("§8: Where the device fails to start, the session ends")
  func deviceFails() {
    var machine = Machine()
    _ = Self.handle(&machine, [.start(.onSite, requestID: nil), .sessionStarted])
    let failure = SessionFailure(.isBusy)
    #expect(
      machine.handle(.deviceStartFailed(.isBusy))
        == [.tellStartFailed(failure), .letSessionGo, .endSession(.deviceError, failure)])
    #expect(Self.handle(&machine, [.sessionEnded(.deviceError), .sessionFinished]) == [.finish(nil)])
  }

  @Test("§8: A device that did not answer may run all the same, and is stopped")
  func deviceSilent() {
    var machine = Machine()
    _ = Self.handle(&machine, [.start(.onSite, requestID: nil), .sessionStarted])
    let error = DeviceError(.timedOut, "no answer")
    #expect(machine.handle(.deviceStartFailed(error)).last == .stopDevice(.onSite))
  }

  @Test("§8: Nobody is asked about a request that is not eligible")
  func notEligible() {
    var machine = Machine()
    _ = machine.handle(.device(.startRequested(Self.request)))
    #expect(machine.handle(.checked(requestID: "7", isEligible: false)) == [])
    #expect(machine.pendingRequest == nil)
    #expect(machine.handle(.start(.call, requestID: "7")).isRefusal(.requestExpired))
  }

  @Test("§8: A start that names an unknown or expired request fails")
  func unknownRequests() {
    var machine = Machine()
    #expect(machine.handle(.start(.onSite, requestID: "7")).isRefusal(.requestUnknown))
    _ = Self.handle(&machine, [.device(.startRequested(Self.request)), .checked(requestID: "7", isEligible: true)])
    #expect(machine.handle(.start(.onSite, requestID: "8")).isRefusal(.requestUnknown))
    #expect(machine.handle(.waited(machine.waitNumber)) == [.withdraw(Self.request)])
    #expect(machine.handle(.start(.call, requestID: "7")).isRefusal(.requestExpired))
    #expect(machine.state == .idle)
  }

  @Test("§8: A second request while one is active is ignored, and a repeated one for good")
  func secondRequest() {
    let second = DeviceStartRequest(id: "8", scene: .onSite)
    for state in Machine.State.allCases where state != .idle {
      var machine = DeviceLifecycleTests.machine(in: state)
      #expect(machine.handle(.device(.startRequested(second))) == [], "\(state)")
    }
    var machine = DeviceLifecycleTests.machine(in: .stoppingSession)
    _ = machine.handle(.sessionFinished)
    #expect(machine.handle(.device(.startRequested(DeviceLifecycleTests.request))) == [])
    #expect(machine.handle(.device(.startRequested(second))).first == .check(second))
  }

  @Test("§8: The program's own start wins over a request that waits; then nothing is reported")
  func simultaneous() {
    for state in [Machine.State.checking, .offered] {
      var machine = DeviceLifecycleTests.machine(in: state, handling: .byProgram)
      let actions = Self.handle(&machine, [.start(.call, requestID: nil), .sessionStarted, .deviceStarted])
      #expect(actions.count { $0 == .startSession } == 1)
      #expect(actions.contains(.withdraw(DeviceLifecycleTests.request)) == (state == .offered))
      #expect(machine.handle(.checked(requestID: "1", isEligible: true)) == [])
      #expect(machine.handle(.reportStarted(.call)).isRefusal(.notAsked))
    }
  }

  @Test("§8: A second start is refused while one is under way, and leaves it alone")
  func busy() {
    for state in [
      Machine.State.startingSession, .startingDevice, .running, .paused, .away, .stoppingDevice, .stoppingSession,
    ] {
      var machine = DeviceLifecycleTests.machine(in: state)
      let before = machine
      #expect(machine.handle(.start(.onSite, requestID: nil)).isRefusal(.busy), "\(state)")
      #expect(machine == before)
    }
  }

  @Test("§8: Reports only of what has happened, once, and only in a session that the device asked for")
  func reports() {
    var machine = DeviceLifecycleTests.machine(in: .startingDevice, handling: .byProgram)
    #expect(machine.handle(.reportStarted(.onSite)).isRefusal(.notHappened))
    #expect(machine.handle(.deviceStarted) == [.tellStarted])
    #expect(machine.handle(.reportStarted(.call)).isRefusal(.notHappened))
    #expect(machine.handle(.reportStopped).isRefusal(.notHappened))
    #expect(machine.handle(.reportStarted(.onSite)) == [.reportStarted(.onSite)])
    #expect(machine.handle(.reportStarted(.onSite)).isRefusal(.alreadyReported))
    _ = Self.handle(&machine, [.stop])
    #expect(machine.handle(.reportStopped).isRefusal(.notHappened))
    _ = Self.handle(&machine, [.deviceStopped, .sessionEnded(.userInitiated)])
    #expect(machine.handle(.reportStopped) == [.reportStopped])
    _ = Self.handle(&machine, [.sessionFinished])
    #expect(machine.handle(.reportStopped).isRefusal(.alreadyReported))
    #expect(machine.handle(.reportStarted(.onSite)).isRefusal(.notHappened))
  }

  @Test("§8: A device that goes away and comes back before the finish hears no report twice")
  func reportAcrossLoss() {
    var machine = DeviceLifecycleTests.machine(in: .stoppingSession)
    #expect(machine.handle(.sessionEnded(.userInitiated)) == [.reportStopped])
    _ = Self.handle(&machine, [.device(.disconnected), .device(.reconnected)])
    #expect(machine.handle(.sessionFinished) == [.finish(.userInitiated)])
    #expect(machine.handle(.reportStopped).isRefusal(.alreadyReported))
  }

  @Test("§8: A stop may be reported until the next session, or until the device is gone")
  func lateReport() {
    var machine = DeviceLifecycleTests.machine(in: .stoppingSession, handling: .byProgram)
    _ = machine.handle(.sessionFinished)
    var gone = machine
    _ = gone.handle(.device(.disconnected))
    #expect(gone.handle(.reportStopped).isRefusal(.disconnected))
    _ = gone.handle(.device(.reconnected))
    #expect(gone.handle(.reportStopped).isRefusal(.notHappened))
    var next = machine
    _ = next.handle(.start(.onSite, requestID: nil))
    #expect(next.handle(.reportStopped).isRefusal(.notAsked))
    #expect(machine.handle(.reportStopped) == [.reportStopped])
  }

  @Test(
    "§8: Trouble with the device ends the session with its reason, and the device is stopped if it can be",
    arguments: [DeviceEvent.interrupted(.incomingCall), .storageFull, .failed(.isBusy)])
  func trouble(_ event: DeviceEvent) {
    var machine = DeviceLifecycleTests.machine(in: .running)
    let actions = machine.handle(.device(event))
    let reasons: [StopReason] = actions.compactMap(\.reason)
    let expected: StopReason =
      switch event {
      case .interrupted: .interrupted
      case .storageFull: .storageFull
      default: .deviceError
      }
    #expect(reasons == [expected])
    #expect(actions.contains(.stopDevice(.onSite)))
    #expect(actions.contains(.tellInterrupted(.incomingCall)) == (expected == .interrupted))
    // It is over when both are.
    #expect(Self.handle(&machine, [.sessionEnded(expected), .sessionFinished]) == [])
    #expect(machine.handle(.deviceStopped) == [.reportStopped, .finish(expected)])
  }

  @Test("§8: A device that comes back within the grace goes on in the same session; one that does not ends it")
  func grace() {
    var machine = DeviceLifecycleTests.machine(in: .running)
    let generation = machine.generation
    let leaving = machine.handle(.device(.disconnected))
    #expect(leaving == [.noteLoss, .wait(machine.waitNumber, .reconnection)])
    let firstWait = machine.waitNumber
    #expect(machine.handle(.device(.reconnected)) == [])
    #expect(machine.state == .running && machine.generation == generation)
    _ = machine.handle(.device(.disconnected))
    #expect(machine.handle(.waited(firstWait)) == [])
    let gone = SessionFailure(.isGone)
    #expect(machine.handle(.waited(machine.waitNumber)) == [.letSessionGo, .endSession(.disconnected, gone)])
    // Nothing can be reported to a device that is not there.
    #expect(Self.handle(&machine, [.sessionEnded(.disconnected), .sessionFinished]) == [.finish(.disconnected)])
  }

  @Test("§8: A pause while the device is away is told to it when it is back")
  func pauseAway() {
    var machine = DeviceLifecycleTests.machine(in: .away)
    #expect(machine.handle(.pause) == [.pauseSession])
    #expect(machine.handle(.device(.reconnected)) == [.pauseDevice])
    #expect(machine.state == .paused)
    #expect(machine.handle(.resume) == [.resumeDevice, .resumeSession])
  }

  @Test("§8: A device that cannot pause is not told to")
  func cannotPause() {
    var machine = Machine()
    _ = Self.handle(&machine, [.start(.onSite, requestID: nil), .sessionStarted, .deviceStarted])
    #expect(machine.handle(.pause) == [.pauseSession])
    #expect(machine.handle(.resume) == [.resumeSession])
  }

  @Test("§8: With a device that is not there nothing begins")
  func absent() {
    var machine = Machine()
    _ = machine.handle(.device(.disconnected))
    #expect(machine.handle(.start(.onSite, requestID: nil)).isRefusal(.disconnected))
    #expect(machine.handle(.device(.startRequested(Self.request))) == [])
    _ = machine.handle(.device(.reconnected))
    #expect(machine.handle(.start(.onSite, requestID: nil)) == [.startSession])
  }

  @Test("§8: A device that went away while the session started has it end, unless it is back by then")
  func lostEarly() {
    var machine = Machine()
    _ = Self.handle(&machine, [.start(.onSite, requestID: nil), .device(.disconnected)])
    var back = machine
    _ = back.handle(.device(.reconnected))
    #expect(back.handle(.sessionStarted) == [.keepSession, .startDevice(.onSite)])
    let gone = SessionFailure(.isGone)
    #expect(
      machine.handle(.sessionStarted)
        == [.keepSession, .tellStartFailed(gone), .letSessionGo, .endSession(.disconnected, gone)])
  }

  @Test("§8: A device that was left on while it was away is stopped when it is back")
  func leftOn() {
    var machine = DeviceLifecycleTests.machine(in: .away)
    #expect(machine.handle(.stop) == [.letSessionGo, .endSession(.userInitiated, nil)])
    #expect(machine.handle(.device(.reconnected)) == [.stopDevice(.onSite)])
    #expect(Self.handle(&machine, [.sessionEnded(.userInitiated), .sessionFinished]) == [])
    #expect(machine.handle(.deviceStopped) == [.reportStopped, .finish(.userInitiated)])
    // Also when the session was over long before.
    machine = DeviceLifecycleTests.machine(in: .away)
    _ = Self.handle(&machine, [.stop, .sessionEnded(.userInitiated), .sessionFinished])
    #expect(machine.handle(.device(.reconnected)) == [.stopDevice(.onSite)])
    #expect(machine.handle(.deviceStopped) == [])
    #expect(machine.state == .idle)
  }

  @Test("§8: Closing stops what runs, and is over when that is")
  func close() {
    var machine = DeviceLifecycleTests.machine(in: .running)
    #expect(machine.handle(.close) == [.stopDevice(.onSite)])
    let end = Self.handle(&machine, [.deviceStopped, .sessionEnded(.userInitiated), .sessionFinished])
    #expect(end.suffix(2) == [.finish(.userInitiated), .close])
    #expect(machine.handle(.start(.onSite, requestID: nil)).isRefusal(.closed))
  }
}

extension [DeviceLifecycle.Action] {
  /// Whether it is a refusal of that kind and nothing else.
  func isRefusal(_ kind: DeviceError.Kind) -> Bool {
    guard count == 1, case .refuse(let error) = self[0] else { return false }
    return error.kind == kind
  }
}
