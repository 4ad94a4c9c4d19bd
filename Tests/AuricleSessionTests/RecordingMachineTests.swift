import AuricleSession
import Testing

@Suite("The states of a recording")
struct RecordingMachineTests {
  typealias Machine = RecordingMachine

  private static let inputs: [Machine.Input] = [
    .start, .started, .startFailed, .pause, .resume, .stop(.userInitiated), .interrupt, .fail(.deviceError),
    .end(.maxDurationReached), .closed,
  ]

  /// A machine in a state, by the shortest way.
  private static func machine(in state: Machine.State) -> Machine {
    var machine = Machine(state: state == .unknown ? .unknown : .idle)
    let way: [Machine.Input] =
      switch state {
      case .unknown, .idle: []
      case .starting: [.start]
      case .recording: [.start, .started]
      case .paused: [.start, .started, .pause]
      case .stopping: [.start, .started, .stop(.userInitiated)]
      case .interrupted: [.start, .started, .interrupt]
      }
    for input in way { _ = machine.handle(input) }
    return machine
  }

  /// The state that an input leads to, as session.md §2 has it.
  private static func expected(_ state: Machine.State, _ input: Machine.Input) -> Machine.State {
    switch (state, input) {
    case (.unknown, .start), (.idle, .start): .starting
    case (.starting, .started): .recording
    case (.starting, .startFailed): .idle
    case (.recording, .pause): .paused
    case (.paused, .resume): .recording
    case (.starting, .interrupt), (.recording, .interrupt), (.paused, .interrupt): .interrupted
    case (.starting, .stop), (.recording, .stop), (.paused, .stop), (.starting, .fail), (.recording, .fail),
      (.paused, .fail), (.starting, .end), (.recording, .end), (.paused, .end):
      .stopping
    case (.stopping, .closed), (.interrupted, .closed): .idle
    default: state
    }
  }

  @Test("§2: Every state and every input lead where they should", arguments: Machine.State.allCases)
  func exhaustive(_ state: Machine.State) {
    for input in Self.inputs {
      var machine = Self.machine(in: state)
      #expect(machine.state == state)
      let actions = machine.handle(input)
      #expect(machine.state == Self.expected(state, input), "\(state), \(input)")
      if machine.state == state { #expect(actions.isEmpty, "\(state), \(input)") }
    }
  }

  @Test("§2: An input of an older attempt changes nothing", arguments: Machine.State.allCases)
  func generations(_ state: Machine.State) {
    for input in Self.inputs where input != .start {
      var machine = Self.machine(in: state)
      let before = machine
      let actions = machine.handle(input, generation: machine.generation - 1)
      #expect(actions.isEmpty)
      #expect(machine == before)
    }
  }

  @Test("§1: An attempt that ends before it started did not start, and has no end to tell")
  func cancelledStart() {
    var machine = Self.machine(in: .starting)
    #expect(machine.handle(.stop(.userInitiated)) == [.tellStartFailed, .close(generation: 1)])
    #expect(machine.handle(.started).isEmpty)
    #expect(machine.handle(.closed).isEmpty)
    #expect(machine.handle(.start) == [.open(generation: 2)])
  }

  @Test("§1: The first reason for an end stays", arguments: [Machine.Input.stop(.userInitiated), .interrupt])
  func reasons(_ first: Machine.Input) {
    var machine = Self.machine(in: .recording)
    _ = machine.handle(first)
    for later in Self.inputs where later != .closed { #expect(machine.handle(later).isEmpty) }
    let reason: StopReason = first == .interrupt ? .interrupted : .userInitiated
    #expect(machine.handle(.closed) == [.tellEnded(reason)])
  }

  @Test("§1, §2: A million random steps keep one start result and one end for each attempt")
  func random() {
    var machine = Machine()
    var told = Told()
    var state: UInt64 = 7
    for _ in 0..<1_000_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let input = Self.inputs[Int(state >> 33) % Self.inputs.count]
      let generation = state >> 60 == 0 ? machine.generation - 1 : machine.generation
      for action in machine.handle(input, generation: generation) { told.take(action, machine) }
    }
    #expect(told.faults.isEmpty)
    #expect(machine.generation > 10_000)
  }

  /// What an attempt was told.
  private struct Told {
    var faults: Set<String> = []
    private var starts = 0
    private var isStarted = false
    private var ends = 0
    private var closes = 0
    private var isOpen = false
    private var generation = 0

    mutating func take(_ action: Machine.Action, _ machine: Machine) {
      switch action {
      case .open:
        if isOpen, starts != 1 { faults.insert("no start result") }
        if isOpen, isStarted, closes != 1 || ends != 1 { faults.insert("a start without a close and an end") }
        if machine.generation <= generation { faults.insert("a generation that does not grow") }
        (starts, isStarted, ends, closes) = (0, false, 0, 0)
        (isOpen, generation) = (true, machine.generation)
      case .tellStarted: (starts, isStarted) = (starts + 1, true)
      case .tellStartFailed: starts += 1
      case .tellEnded: ends += 1
      case .close: closes += 1
      case .hold, .release: break
      }
      if starts > 1 { faults.insert("two start results") }
      if ends > 1 { faults.insert("two ends") }
      if ends == 1, !isStarted { faults.insert("an end without a start") }
    }
  }
}
