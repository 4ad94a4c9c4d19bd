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
    let packet = [Float](repeating: 0.5, count: 320)
    let ring = try watch { ring in
      // Twice as much as fits, and changes all the time.
      for _ in 0..<10 {
        packet.withUnsafeBufferPointer { ring.offer($0) }
        ring.miss(5, .sourceLost)
        ring.miss(5, .overrun)
      }
    }
    #expect(ring.counts.offered == 5 * 10 * 330)
    #expect(ring.counts.accepted > 0)
    #expect(ring.counts.overrun > 0)
  }

  @Test("The callback that a sound server's library calls does nothing that a callback must not")
  func callback() throws {
    let stream = try #require(OpaquePointer(bitPattern: 16))
    let ring = try watch { ring in pulseStreamHasRead(stream, 0, Unmanaged.passUnretained(ring).toOpaque()) }
    #expect(ring.counts == CaptureCounts(accepted: 2 * 960, refused: 3 * 1_200, overrun: 0, deviceLost: 2 * 240))
  }

  @Test("Nor does the one that counts the frames of a device of which nobody knows yet, and none of them is heard")
  func unknownDevice() throws {
    let stream = try #require(OpaquePointer(bitPattern: 16))
    let ring = try watch { ring in pulseStreamHasReadUnknown(stream, 0, Unmanaged.passUnretained(ring).toOpaque()) }
    #expect(ring.counts == CaptureCounts(accepted: 0, refused: 3 * 1_200, overrun: 0, deviceLost: 2 * 1_200))
  }

  /// Feeds a ring in every state of its gate.
  ///
  /// What a first ring sees does not count: unoptimised code looks its types up at its first run, and never again.
  private func watch(_ feed: (CaptureRing) -> Void) throws -> CaptureRing {
    try everyState { ring in _ = try CallbackWatch.faults { feed(ring) } }
    return try everyState { ring in
      let faults = try CallbackWatch.faults { feed(ring) }
      #expect(faults == 0)
    }
  }

  /// Runs the body in each state of a gate, closed, open, paused, open, withdrawn, with an empty ring.
  @discardableResult
  private func everyState(_ body: (CaptureRing) throws -> Void) throws -> CaptureRing {
    let gate = ConsentGate()
    let ring = CaptureRing(format: .speech, gate: gate, capacitySeconds: 0.1)
    let record = try ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1")
    for step in [{ _ in }, { try $0.grant(record) }, { $0.pause() }, { $0.resume() }, { $0.withdraw() }]
      as [(ConsentGate) throws -> Void]
    {
      try step(gate)
      try body(ring)
      while ring.next(maxFrames: 1_000) != nil {}
    }
    return ring
  }
}
