import AuricleAudio
import Synchronization
import Testing

@testable import AuricleConsent

private func record(_ policy: String = "1") throws -> ConsentRecord {
  try ConsentRecord(participants: ["a"], grantedAtMilliseconds: 1, policyRevision: policy)
}

/// Counts from any thread.
private final class ToldCount: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func add(_ number: Int) { count.add(number, ordering: .sequentiallyConsistent) }
}

@Suite struct ConsentGateTests {
  /// Where each event leads, written down once more.
  static let table: [(ConsentGate.State, [ConsentGate.Event: ConsentGate.State])] = [
    (.closed, [.grant: .open, .pause: .closed, .resume: .closed, .withdraw: .withdrawn]),
    (.open, [.grant: .open, .pause: .paused, .resume: .open, .withdraw: .withdrawn]),
    (.paused, [.grant: .paused, .pause: .paused, .resume: .open, .withdraw: .withdrawn]),
    (.withdrawn, [.grant: .withdrawn, .pause: .withdrawn, .resume: .withdrawn, .withdraw: .withdrawn]),
  ]

  @Test("Every event in every state leads where it should")
  func everyStep() {
    #expect(Self.table.map(\.0) == ConsentGate.State.allCases)
    for (state, row) in Self.table {
      for event in ConsentGate.Event.allCases { #expect(state.after(event) == row[event]) }
    }
  }

  /// All sequences of six events.
  static let sequences: [[ConsentGate.Event]] = (0..<6).reduce([[]]) { sequences, _ in
    sequences.flatMap { sequence in ConsentGate.Event.allCases.map { sequence + [$0] } }
  }

  @Test("A gate follows the table through every sequence of six events, and keeps the first record")
  func everySequence() throws {
    for sequence in Self.sequences {
      let gate = ConsentGate()
      var state = ConsentGate.State.closed
      var kept: ConsentRecord?
      for (index, event) in sequence.enumerated() {
        let given = try record("\(index)")
        let error = perform(event, given, on: gate)
        if event == .grant {
          let wanted: ConsentError.Kind? = state == .withdrawn ? .withdrawn : kept == nil ? nil : .alreadyGranted
          #expect(error?.kind == wanted)
          if wanted == nil { kept = given }
        }
        state = state.after(event)
        #expect(gate.state == state)
        #expect(gate.record == kept)
      }
    }
  }

  private func perform(_ event: ConsentGate.Event, _ record: ConsentRecord, on gate: ConsentGate) -> ConsentError? {
    switch event {
    case .grant:
      do throws(ConsentError) { try gate.grant(record) } catch { return error }
    case .pause: gate.pause()
    case .resume: gate.resume()
    case .withdraw: gate.withdraw()
    }
    return nil
  }

  @Test("Only the open gate gives no reason for a gap")
  func reasons() {
    let reasons = ConsentGate.State.allCases.map(\.gapReason)
    #expect(reasons == [.noConsent, nil, .paused, .consentWithdrawn])
  }

  @Test("Of many grants at once one wins, and a withdrawal wins over all of them", .timeLimit(.minutes(2)))
  func manyAtOnce() async throws {
    for round in 0..<500 {
      let gate = ConsentGate()
      let won = await withTaskGroup(of: Int.self) { group in
        for index in 0..<4 {
          group.addTask {
            guard let record = try? record("\(index)") else { return 0 }
            return (try? gate.grant(record)) == nil ? 0 : 1
          }
          group.addTask {
            gate.pause()
            gate.resume()
            return 0
          }
        }
        if round.isMultiple(of: 2) {
          group.addTask {
            gate.withdraw()
            return 0
          }
        }
        return await group.reduce(0, +)
      }
      #expect(won <= 1)
      #expect((gate.record != nil) == (won == 1))
      #expect(gate.state == (round.isMultiple(of: 2) ? .withdrawn : .open))
    }
  }

  @Test("Who watches is told of a withdrawal once, when nothing passes any more, and not after the watch was let go of")
  func watches() throws {
    let gate = ConsentGate()
    let told = ToldCount()
    let first = gate.whenWithdrawn { told.add(gate.state == .withdrawn ? 1 : 1_000) }
    do { _ = gate.whenWithdrawn { told.add(1_000) } }
    try gate.grant(record())
    #expect(told.value == 0)
    gate.withdraw()
    gate.withdraw()
    #expect(told.value == 1)
    let late = gate.whenWithdrawn { told.add(10) }
    #expect(told.value == 11)
    withExtendedLifetime((first, late)) {}
  }

  @Test("Watches that come while consent is withdrawn are each told once", .timeLimit(.minutes(5)))
  func racingWatches() async {
    for _ in 0..<200 {
      let gate = ConsentGate()
      let told = ToldCount()
      await withTaskGroup(of: WithdrawalWatch?.self) { group in
        for _ in 0..<8 { group.addTask { gate.whenWithdrawn { told.add(1) } } }
        group.addTask {
          gate.withdraw()
          return nil
        }
        var kept: [WithdrawalWatch?] = []
        for await watch in group { kept.append(watch) }
        #expect(told.value == 8 && kept.count == 9)
      }
    }
  }

  @Test("The page's example does what it says")
  func documentationExample() throws {
    let gate = ConsentGate()
    try gate.grant(
      ConsentRecord(participants: ["anna", "ben"], grantedAtMilliseconds: 1_767_225_600_000, policyRevision: "2"))
    gate.pause()
    #expect(gate.state == .paused)
  }
}
