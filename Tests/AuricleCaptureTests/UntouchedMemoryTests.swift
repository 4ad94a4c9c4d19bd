import AuricleAudio
import AuricleConsent
import Foundation
import Testing

@testable import AuricleCapture

/// Memory that kills whoever reads it.
private final class ForbiddenMemory {
  let samples: UnsafeBufferPointer<Float>
  private let start: UnsafeMutableRawPointer
  private static let byteCount = 1 << 16

  init() throws {
    let pages = mmap(nil, Self.byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let pages, pages != MAP_FAILED else { throw CocoaError(.fileReadUnknown) }
    start = pages
    let count = Self.byteCount / MemoryLayout<Float>.stride
    samples = UnsafeBufferPointer(start: pages.bindMemory(to: Float.self, capacity: count), count: count)
  }

  deinit { munmap(start, Self.byteCount) }
}

@Suite struct UntouchedMemoryTests {
  @Test("What the gate refuses is neither copied nor looked at")
  func refused() throws {
    let memory = try ForbiddenMemory()
    let gate = ConsentGate()
    let ring = CaptureRing(format: .speech, gate: gate)
    ring.offer(memory.samples)
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    gate.pause()
    ring.offer(memory.samples)
    gate.withdraw()
    ring.offer(memory.samples)
    #expect(ring.counts.refused == 3 * Int64(memory.samples.count))
    #expect(ring.counts.accepted == 0)
  }

  @Test("Reading that memory is deadly, so the test above would notice")
  func deadly() async {
    await #expect(processExitsWith: .failure) {
      let memory = try ForbiddenMemory()
      let ring = CaptureRing(format: .speech, gate: try .opened())
      ring.offer(memory.samples)
      exit(0)
    }
  }
}
