import Testing

@testable import AuricleSession

@Suite("The life of a recording with a device")
struct DeviceLifecycleTests {
  typealias Machine = DeviceLifecycle

  static let request = DeviceStartRequest(id: "1", scene: .onSite)
  static let failure = SessionFailure(DeviceError(.failed, "made up"))

  /// Everything that can happen; a wait's number is put in for the machine at hand.
  static func inputs(_ machine: Machine) -> [Machine.Input] {
    [
      .start(.onSite, requestID: nil), .start(.onSite, requestID: "1"), .start(.onSite, requestID: "?"), .stop, .pause,
      .resume, .reportStarted(.onSite), .reportStarted(.call), .reportStopped, .close,
      .device(.startRequested(DeviceStartRequest(id: "2", scene: .call))), .device(.startRequested(request)),
      .device(.stopRequested), .device(.pauseRequested), .device(.resumeRequested), .device(.interrupted(.lowBattery)),
      .device(.storageFull), .device(.disconnected), .device(.reconnected), .device(.failed(.isBusy)),
      .device(.recordingEnded(.userInitiated)), .checked(requestID: "1", isEligible: true),
      .checked(requestID: "1", isEligible: false), .checked(requestID: "?", isEligible: true), .sessionStarted,
      .sessionStartFailed(failure), .sessionEnded(.maxDurationReached), .sessionFinished, .deviceStarted,
      .deviceStartFailed(.isBusy), .deviceStartFailed(.isGone), .deviceStopped, .waited(machine.waitNumber),
      .waited(machine.waitNumber - 1),
    ]
  }

  /// A machine in a state, by the shortest way that the device began.
  static func machine(in state: Machine.State, handling: Machine.Handling = .automatic) -> Machine {
    var machine = Machine(canPause: true, handling: handling)
    for input in way(to: state) { _ = machine.handle(input) }
    return machine
  }

  private static func way(to state: Machine.State) -> [Machine.Input] {
    let checking: [Machine.Input] = [.device(.startRequested(request))]
    let offered = checking + [.checked(requestID: "1", isEligible: true)]
    let running = offered + [.start(.onSite, requestID: "1"), .sessionStarted, .deviceStarted]
    switch state {
    case .idle: return []
    case .checking: return checking
    case .offered: return offered
    case .startingSession: return Array(running.prefix(3))
    case .startingDevice: return Array(running.prefix(4))
    case .running: return running
    case .paused: return running + [.pause]
    case .away: return running + [.device(.disconnected)]
    case .stoppingDevice: return running + [.stop]
    case .stoppingSession: return running + [.stop, .deviceStopped]
    case .closed: return [.close]
    }
  }

  /// The state that an input leads to, as session.md §8 has it.
  private static func expected(_ machine: Machine, _ input: Machine.Input) -> Machine.State {
    let state = machine.state
    let isDue = input == .waited(machine.waitNumber)
    switch (state, input) {
    case (.idle, .start(_, nil)), (.checking, .start(_, nil)), (.offered, .start(_, nil)), (.offered, .start(_, "1")):
      return .startingSession
    case (.idle, .device(.startRequested)): return .checking
    case (.idle, .close), (.checking, .close), (.offered, .close): return .closed
    case (.checking, .checked("1", true)): return .offered
    case (.checking, .checked("1", false)), (.offered, .stop): return .idle
    case (.checking, .device(let event)), (.offered, .device(let event)):
      switch event {
      case .stopRequested, .interrupted, .storageFull, .disconnected, .failed: return .idle
      case .startRequested, .pauseRequested, .resumeRequested, .reconnected, .recordingEnded: return state
      }
    case (.checking, _) where isDue, (.offered, _) where isDue: return .idle
    case (.startingSession, .sessionStarted): return .startingDevice
    case (.startingSession, .sessionStartFailed): return .idle
    case (.startingSession, .stop), (.startingSession, .close), (.startingSession, .device(.stopRequested)),
      (.startingSession, .device(.interrupted)), (.startingSession, .device(.storageFull)),
      (.startingSession, .device(.failed)):
      return .stoppingSession
    case (.startingDevice, .deviceStarted): return .running
    case (.startingDevice, .deviceStartFailed), (.startingDevice, .device(.interrupted)),
      (.startingDevice, .device(.storageFull)), (.startingDevice, .device(.failed)),
      (.startingDevice, .device(.disconnected)), (.startingDevice, .sessionEnded), (.startingDevice, .sessionFinished):
      return .stoppingSession
    case (.startingDevice, .stop), (.startingDevice, .close), (.startingDevice, .device(.stopRequested)),
      (.running, .stop), (.running, .close), (.running, .device(.stopRequested)), (.paused, .stop), (.paused, .close),
      (.paused, .device(.stopRequested)):
      return .stoppingDevice
    case (.running, .pause), (.running, .device(.pauseRequested)): return .paused
    case (.paused, .resume), (.paused, .device(.resumeRequested)), (.away, .device(.reconnected)): return .running
    case (.running, .device(.disconnected)), (.paused, .device(.disconnected)): return .away
    case (.away, .sessionFinished), (.stoppingSession, .sessionFinished): return .idle
    case (.running, .device(.interrupted)), (.running, .device(.storageFull)), (.running, .device(.failed)),
      (.running, .sessionEnded), (.running, .sessionFinished), (.paused, .device(.interrupted)),
      (.paused, .device(.storageFull)), (.paused, .device(.failed)), (.paused, .sessionEnded),
      (.paused, .sessionFinished), (.away, .device(.interrupted)), (.away, .device(.storageFull)),
      (.away, .device(.failed)), (.away, .sessionEnded), (.away, .stop), (.away, .close),
      (.away, .device(.stopRequested)), (.stoppingDevice, .deviceStopped), (.stoppingDevice, .device(.disconnected)),
      (.stoppingDevice, .sessionEnded), (.stoppingDevice, .sessionFinished):
      return .stoppingSession
    case (.away, _) where isDue: return .stoppingSession
    default: return state
    }
  }

  /// What may be done although the state stays.
  private static func isQuiet(_ action: Machine.Action, _ machine: Machine, _ input: Machine.Input) -> Bool {
    switch (machine.state, input, action) {
    case (_, .start, .refuse), (_, .reportStarted, .refuse), (_, .reportStopped, .refuse): true
    case (.away, .pause, .pauseSession), (.stoppingSession, .sessionEnded, .reportStopped): true
    default: false
    }
  }

  @Test("§8: Every state and every input lead where they should", arguments: Machine.State.allCases)
  func exhaustive(_ state: Machine.State) {
    let before = Self.machine(in: state)
    #expect(before.state == state)
    for input in Self.inputs(before) {
      var machine = before
      let actions = machine.handle(input)
      #expect(machine.state == Self.expected(before, input), "\(state), \(input)")
      guard machine.state == state else { continue }
      for action in actions { #expect(Self.isQuiet(action, before, input), "\(state), \(input), \(action)") }
    }
  }

  @Test("§8: What the device wants is done by the program where that was agreed", arguments: Machine.State.allCases)
  func byProgram(_ state: Machine.State) {
    let wishes: [DeviceEvent] = [.stopRequested, .pauseRequested, .resumeRequested]
    for wish in wishes {
      var machine = Self.machine(in: state, handling: .byProgram)
      let actions = machine.handle(.device(wish))
      let isDropped = wish == .stopRequested && (state == .checking || state == .offered)
      #expect(machine.state == (isDropped ? .idle : state), "\(state), \(wish)")
      let isTold: Bool =
        switch (state, wish) {
        case (.startingSession, .stopRequested), (.startingDevice, .stopRequested), (.running, .stopRequested),
          (.paused, .stopRequested), (.away, .stopRequested), (.running, .pauseRequested), (.paused, .resumeRequested):
          true
        default: false
        }
      #expect(actions.contains { [.tellStopRequest, .tellPauseRequest, .tellResumeRequest].contains($0) } == isTold)
      #expect(actions.count <= 1)
    }
  }

  @Test("§2: What comes late from an older attempt changes nothing", arguments: Machine.State.allCases)
  func generations(_ state: Machine.State) {
    let before = Self.machine(in: state)
    for input in Self.inputs(before) {
      var machine = before
      let actions = machine.handle(input, generation: before.generation - 1)
      #expect(actions.isEmpty)
      #expect(machine == before)
    }
  }

  /// What brings a recording on.
  private static func onward(_ state: Machine.State) -> Machine.Input? {
    switch state {
    case .checking: .checked(requestID: "1", isEligible: true)
    case .offered: .start(.onSite, requestID: "1")
    case .startingSession: .sessionStarted
    case .startingDevice: .deviceStarted
    case .away: .device(.reconnected)
    case .stoppingDevice: .deviceStopped
    // The program reports, as soon as it may.
    case .running: .reportStarted(.onSite)
    case .idle: .reportStopped
    case .paused, .stoppingSession, .closed: nil
    }
  }

  @Test("§8: A million random steps report nothing twice and nothing that has not happened", arguments: [1, 2])
  func random(_ seed: UInt64) {
    let handling: Machine.Handling = seed == 1 ? .automatic : .byProgram
    var random = SeededRandom(seed: seed)
    var machine = Machine(canPause: true, handling: handling)
    var ghost = DeviceGhost()
    var nextID = 0
    for _ in 0..<500_000 {
      if machine.state == .closed { (machine, ghost.isClosed) = (Machine(canPause: true, handling: handling), false) }
      let inputs = Self.inputs(machine)
      var input = inputs[Int(random.next() % UInt64(inputs.count))]
      // Every other step goes on, so that not nearly everything ends before it has begun.
      if random.next() % 2 == 0 { input = Self.onward(machine.state) ?? input }
      // An end for good is rare, and requests are new ones most of the time.
      if input == .close, random.next() % 64 != 0 { continue }
      if case .device(.startRequested) = input, random.next() % 4 != 0 {
        nextID += 1
        input = .device(.startRequested(DeviceStartRequest(id: "r\(nextID)", scene: .onSite)))
      }
      if case .checked = input, let id = machine.request?.id {
        input = .checked(requestID: id, isEligible: random.next() % 2 == 0)
      }
      if case .start(_, "1") = input, let id = machine.request?.id { input = .start(.onSite, requestID: id) }
      let generation = random.next() % 16 == 0 ? machine.generation - 1 : machine.generation
      let isCurrent = generation == machine.generation
      if isCurrent { ghost.hear(input, machine) }
      let actions = machine.handle(input, generation: generation)
      for action in actions { ghost.see(action, machine) }
      ghost.look(machine)
      guard ghost.faults.isEmpty else { break }
    }
    #expect(ghost.faults == [])
    #expect(ghost.finishCount > 1_000)
    #expect(ghost.startReports > 200 && ghost.stopReports > 200)
  }
}
