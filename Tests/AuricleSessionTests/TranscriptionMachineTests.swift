import AuricleSession
import Testing

@Suite("The life of a transcription")
struct TranscriptionMachineTests {
  typealias Machine = TranscriptionMachine

  private static let inputs: [Machine.Input] =
    [
      .ready, .opened, .progressed, .failed(.transientFailure, mayPass: true), .failed(.fatal, mayPass: false),
      .lost(.offline), .replaced, .finished, .close,
    ] + (0..<4).map(Machine.Input.waited)

  private static func machine(in state: Machine.State) -> Machine {
    var machine = Machine()
    let way: [Machine.Input] =
      switch state {
      case .waiting: []
      case .starting: [.ready]
      case .recognising: [.ready, .opened]
      case .backingOff: [.ready, .failed(.busy, mayPass: true)]
      case .blocked: [.ready, .failed(.fatal, mayPass: false)]
      case .closed: [.close]
      }
    for input in way { _ = machine.handle(input) }
    return machine
  }

  private static func expected(_ state: Machine.State, _ input: Machine.Input) -> Machine.State {
    switch (state, input) {
    case (.closed, _): .closed
    case (_, .close), (_, .finished): .closed
    case (.waiting, .ready), (.backingOff, .ready), (.blocked, .ready), (_, .replaced): .starting
    case (.starting, .opened): .recognising
    case (.starting, .failed(_, mayPass: true)), (.recognising, .failed(_, mayPass: true)): .backingOff
    case (.starting, .failed), (.recognising, .failed), (.waiting, .failed): .blocked
    case (.blocked, .lost): .blocked
    case (_, .lost): .waiting
    case (.backingOff, .waited(2)): .starting
    default: state
    }
  }

  @Test("§2: Every state and every input lead where they should", arguments: Machine.State.allCases)
  func exhaustive(_ state: Machine.State) {
    for input in Self.inputs {
      var machine = Self.machine(in: state)
      #expect(machine.state == state)
      _ = machine.handle(input)
      #expect(machine.state == Self.expected(state, input), "\(state), \(input)")
    }
  }

  @Test("§9: It waits longer each time, up to a limit, and begins anew after a success")
  func waits() {
    var machine = Machine(backoff: Backoff(first: .seconds(1), longest: .seconds(5)))
    _ = machine.handle(.ready)
    func fail() -> Duration? {
      for action in machine.handle(.failed(.transientFailure, mayPass: true), chance: 1) {
        if case .wait(let number, let duration) = action {
          _ = machine.handle(.waited(number))
          return duration
        }
      }
      return nil
    }
    let waits = (0..<5).map { _ in fail() }
    #expect(waits == [1, 2, 4, 5, 5].map { .seconds($0) })
    _ = machine.handle(.opened)
    _ = machine.handle(.progressed)
    #expect(fail() == .seconds(1))
  }

  @Test("A wait is between a half and the whole of its length, and ends when there were enough")
  func chance() {
    var backoff = Backoff(first: .seconds(2), maximumAttemptCount: 2)
    #expect(backoff.next(chance: 0) == .seconds(1))
    #expect(backoff.next(chance: 1) == .seconds(4))
    #expect(backoff.next(chance: 0.5) == nil)
  }

  @Test("A wait that is no longer the latest does nothing")
  func stale() {
    var machine = Machine()
    _ = machine.handle(.ready)
    let first = machine.handle(.failed(.busy, mayPass: true))
    _ = machine.handle(.ready)
    _ = machine.handle(.failed(.busy, mayPass: true))
    guard case .wait(let number, _)? = first.last else {
      Issue.record("no wait")
      return
    }
    let actions = machine.handle(.waited(number))
    #expect(actions.isEmpty)
    #expect(machine.state == .backingOff)
  }

  @Test("A million random steps never open two sessions at once")
  func random() {
    var machine = Machine(backoff: Backoff(first: .milliseconds(1), maximumAttemptCount: 5))
    var state: UInt64 = 3
    var isOpen = false
    var faults = 0
    for _ in 0..<1_000_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let input = Self.inputs[Int(state >> 33) % Self.inputs.count]
      if case .failed = input { isOpen = false }
      if case .finished = input, machine.state == .recognising { isOpen = false }
      for action in machine.handle(input, chance: Double(state >> 40) / Double(1 << 24)) {
        switch action {
        case .open:
          if isOpen { faults += 1 }
          isOpen = true
        case .cancel: isOpen = false
        case .wait, .tell: break
        }
      }
      if machine.state == .closed {
        machine = Machine(backoff: Backoff(first: .milliseconds(1), maximumAttemptCount: 5))
        isOpen = false
      }
    }
    #expect(faults == 0)
  }
}
