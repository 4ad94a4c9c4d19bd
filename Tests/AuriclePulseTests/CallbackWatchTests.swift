import AuricleAudio
import AuricleCapture
import AuricleConsent
import Foundation
import Testing

@testable import AuriclePulse

/// Counts allocations, locks and system calls of this thread, where `scripts/test-callback.sh` preloaded what counts.
private enum CallbackWatch {
  private typealias Begin = @convention(c) () -> Void
  private typealias End = @convention(c) () -> Int

  static var isLoaded: Bool { symbol("auricle_watch_begin") != nil }

  /// - Returns: How much was done that a callback must not do.
  static func faults(of body: () -> Void) throws -> Int {
    let begin = unsafeBitCast(try #require(symbol("auricle_watch_begin")), to: Begin.self)
    let end = unsafeBitCast(try #require(symbol("auricle_watch_end")), to: End.self)
    begin()
    body()
    return end()
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
}

@Suite(.enabled("scripts/test-callback.sh runs these") { CallbackWatch.isLoaded })
struct CallbackWatchTests {
  /// Every state of a gate, from open to withdrawn.
  private func everyState(of gate: ConsentGate, _ body: () throws -> Void) rethrows {
    try body()
    gate.pause()
    try body()
    gate.resume()
    try body()
    gate.withdraw()
    try body()
  }

  @Test("The watch notices an allocation, a lock and a system call")
  func notices() throws {
    #expect(
      try CallbackWatch.faults { _ = [Int](repeating: 1, count: 1_000).withUnsafeBufferPointer { $0.baseAddress } } > 0)
    let lock = NSLock()
    #expect(try CallbackWatch.faults { lock.withLock {} } > 0)
    #expect(try CallbackWatch.faults { usleep(1) } > 0)
  }

  @Test("Offering and missing do nothing that a callback must not, whether frames pass, fit, or are refused")
  func ring() throws {
    let gate = ConsentGate()
    let ring = CaptureRing(format: .speech, gate: gate, capacitySeconds: 0.1)
    let packet = [Float](repeating: 0.5, count: 320)
    func feed() throws {
      let faults = try packet.withUnsafeBufferPointer { packet in
        // Twice as much as fits, and changes all the time.
        try CallbackWatch.faults {
          for _ in 0..<10 {
            ring.offer(packet)
            ring.miss(5, .sourceLost)
            ring.miss(5, .overrun)
          }
        }
      }
      #expect(faults == 0)
      while ring.next(maxFrames: 1_000) != nil {}
    }
    try feed()
    try gate.grant(ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1"))
    try everyState(of: gate, feed)
    #expect(ring.counts.offered == 5 * 10 * 330)
    #expect(ring.counts.accepted > 0)
    #expect(ring.counts.overrun > 0)
  }

  @Test("The callback that a sound server's library calls does nothing that a callback must not")
  func callback() throws {
    let gate = try ConsentGate.opened()
    let ring = CaptureRing(format: .speech, gate: gate)
    let stream = try #require(OpaquePointer(bitPattern: 16))
    let userdata = Unmanaged.passUnretained(ring).toOpaque()
    // Unoptimised code looks its types up at its first run, and never again.
    _ = try CallbackWatch.faults { pulseStreamHasRead(stream, 0, userdata) }
    while ring.next(maxFrames: 10_000) != nil {}
    try everyState(of: gate) {
      let faults = try CallbackWatch.faults { for _ in 0..<100 { pulseStreamHasRead(stream, 0, userdata) } }
      #expect(faults == 0)
      while ring.next(maxFrames: 10_000) != nil {}
    }
    #expect(ring.counts == CaptureCounts(accepted: 192_960, refused: 240_000, overrun: 0, deviceLost: 48_240))
  }
}
