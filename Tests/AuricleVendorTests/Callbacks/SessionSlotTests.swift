import Testing

@testable import AuricleCallbacks

@Suite("The place for one session")
struct SessionSlotTests {
  /// A slot in a phase, at its second attempt.
  private func slot(in phase: SessionSlot.Phase) -> SessionSlot {
    var slot = SessionSlot()
    _ = slot.begin()
    slot.leave(1)
    guard phase != .free else { return slot }
    _ = slot.begin()
    guard phase != .asking else { return slot }
    _ = slot.open(2)
    guard phase != .starting else { return slot }
    _ = slot.run(2)
    if phase == .ending { _ = slot.stop() }
    return slot
  }

  @Test(
    "It is taken only while it is free, by an attempt with a number of its own", arguments: SessionSlot.Phase.allCases)
  func begin(phase: SessionSlot.Phase) {
    var slot = slot(in: phase)
    #expect(slot.phase == phase)
    let before = slot
    let attempt = slot.begin()
    #expect(attempt == (phase == .free ? 2 : nil))
    #expect(phase == .free ? slot.phase == .asking : slot == before)
  }

  @Test("Each step follows only on the one before", arguments: SessionSlot.Phase.allCases)
  func steps(phase: SessionSlot.Phase) {
    var opened = slot(in: phase)
    #expect(opened.open(2) == (phase == .asking))
    #expect(opened.phase == (phase == .asking ? .starting : phase))
    var run = slot(in: phase)
    #expect(run.run(2) == (phase == .starting))
    #expect(run.phase == (phase == .starting ? .running : phase))
    var ended = slot(in: phase)
    #expect(ended.endAudio(2) == (phase == .running))
    #expect(ended.phase == (phase == .running ? .ending : phase))
  }

  @Test(
    "§2: A stop is accepted while something is wanted, once, and is harmless otherwise",
    arguments: SessionSlot.Phase.allCases)
  func stop(phase: SessionSlot.Phase) {
    var slot = slot(in: phase)
    let expected: SessionSlot.Stop =
      switch phase {
      case .free, .ending: .nothing
      case .asking: .withdrawQuestion
      case .starting, .running: .stopSession
      }
    #expect(slot.stop() == expected)
    #expect(slot.phase == (phase == .free ? .free : .ending))
    #expect(slot.stop() == .nothing)
  }

  @Test("§2: What comes late from an older attempt changes nothing", arguments: SessionSlot.Phase.allCases)
  func late(phase: SessionSlot.Phase) {
    let before = slot(in: phase)
    var slot = before
    #expect(!slot.open(1) && !slot.run(1) && !slot.endAudio(1))
    slot.leave(1)
    #expect(slot == before)
  }

  @Test("It is free again when its attempt leaves it", arguments: SessionSlot.Phase.allCases)
  func leave(phase: SessionSlot.Phase) {
    var slot = slot(in: phase)
    slot.leave(slot.attempt)
    #expect(slot.phase == .free)
    #expect(slot.begin() == slot.attempt)
  }
}
