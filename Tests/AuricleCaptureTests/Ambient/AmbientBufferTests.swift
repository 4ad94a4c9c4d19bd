import AuricleCapture
import AuricleTestKit
import Foundation
import Testing

@Suite("Ambient capture: buffers")
struct AmbientBufferTests {
  @Test("B20: The bounds of a buffer are inclusive, and everything outside is rejected")
  func bounds() throws {
    for count in [1, 16_384] {
      _ = try CapturePCMBuffer(sampleRate: 16_000, sampleOffset: 0, samples: Self.zeros(count))
    }
    for rate in [8_000.0, 192_000] { _ = try CapturePCMBuffer(sampleRate: rate, sampleOffset: 0, samples: [0]) }
    for count in [0, 16_385] {
      expectError(.invalidBuffer) {
        _ = try CapturePCMBuffer(sampleRate: 16_000, sampleOffset: 0, samples: Self.zeros(count))
      }
    }
    for rate in [7_999.9, 192_000.1, .nan, .infinity, -16_000, 0] {
      expectError(.invalidBuffer) { _ = try CapturePCMBuffer(sampleRate: rate, sampleOffset: 0, samples: [0]) }
    }
    for offset in [-1, .max, .min] as [Int64] {
      expectError(.invalidBuffer) { _ = try CapturePCMBuffer(sampleRate: 16_000, sampleOffset: offset, samples: [0]) }
    }
  }

  @Test("B21: Samples that are not finite stop admission", arguments: [Float.nan, .infinity, -.infinity])
  func nonFinite(_ value: Float) throws {
    expectError(.nonFiniteSamples) {
      _ = try CapturePCMBuffer(sampleRate: 16_000, sampleOffset: 0, samples: [0, value])
    }
    let rig = try Rig.started()
    Self.deliver([[0, value]], to: rig.source.sink(0))
    #expect(rig.snapshot.reason == .nonFiniteSamples)
    #expect(rig.consumer.heard.isEmpty)
    #expect(!rig.source.isRunning)
  }

  @Test("B21: A format that cannot be taken stops admission")
  func format() throws {
    for (channels, isInterleaved, isFloat32) in [
      (9, false, true), (0, false, true), (1, true, true), (1, false, false),
    ] {
      let rig = try Rig.started()
      let samples = [[Float]](repeating: [0, 0], count: channels)
      Self.deliver(samples, to: rig.source.sink(0), isInterleaved: isInterleaved, isFloat32: isFloat32)
      #expect(rig.snapshot.reason == .unsupportedFormat)
      #expect(rig.snapshot.received == 0)
    }
  }

  @Test("B21: Frames that go backwards stop admission")
  func timing() throws {
    let rig = try Rig.started()
    try rig.source.deliver([1, 2, 3], at: 10)
    try rig.source.deliver([4], at: 12)
    #expect(rig.consumer.heardCount == 1)
    #expect(rig.snapshot.reason == .invalidTiming)
    try rig.capture.start(resuming: true)
    try rig.source.deliver([5], at: 0)
    #expect(rig.consumer.heardCount == 2)
  }

  @Test("B21: Up to eight channels are averaged to mono", arguments: 1...8)
  func mono(_ count: Int) throws {
    let rig = try Rig.started()
    Self.deliver((0..<count).map { [Float($0), 1] }, to: rig.source.sink(0))
    let expected = Float(count - 1) / 2
    let heard = try #require(rig.consumer.heard.first?.samples)
    #expect(heard.count == 2)
    #expect(abs(heard[0] - expected) < 1e-6)
    #expect(abs(heard[1] - 1) < 1e-6)
  }

  @Test("B22: The policy's byte limit is applied before the consumer sees a buffer")
  func limit() throws {
    let rig = try Rig.started(policy: AmbientSessionPolicy(revision: "r", maximumBufferBytes: 8))
    try rig.source.deliver([1, 2])
    let large = try rig.source.deliver([1, 2, 3], at: 2)
    #expect(rig.consumer.heard.map(\.samples) == [[1, 2]])
    #expect(large.isCleared)
    #expect(rig.snapshot.reason == .bufferTooLarge)
  }

  @Test("B23: Memory is overwritten after success, throw, rejection, staleness and shutdown")
  func wiped() throws {
    let rig = try Rig.started()
    var buffers = [try rig.source.deliver([1])]
    rig.consumer.whenConsuming { throw RecordingConsumer.Failure() }
    buffers.append(try rig.source.deliver([2], at: 1))
    rig.consumer.whenConsuming(nil)
    buffers.append(try rig.source.deliver([3], at: 2))
    rig.capture.withdraw()
    buffers.append(try rig.source.deliver([4], at: 3))
    #expect(rig.consumer.heard.map(\.samples) == [[1], [2]])
    for buffer in buffers { #expect(buffer.isCleared && buffer.withSamples { Array($0) } == [0]) }
    #expect(rig.snapshot.received == 4)
    #expect(rig.snapshot.cleared == 4)
  }

  @Test("B23: A buffer that outlives its capture is overwritten too")
  func afterEnd() throws {
    let source = ScriptedAmbientSource()
    do {
      let capture = try AmbientAudioCapture(
        sessionRef: "s", participants: ["p"], policy: AmbientSessionPolicy(revision: "r"), source: source,
        consumer: RecordingConsumer())
      try capture.consent("p")
      try capture.start()
    }
    #expect(source.calls == [.start(1), .stop])
    let late = try source.deliver([1])
    #expect(late.isCleared)
  }

  @Test("B24: A buffer that comes while the consumer is busy is dropped, not queued and not waited for")
  func busy() throws {
    let rig = try Rig.started()
    rig.consumer.whenConsuming { [source = rig.source, consumer = rig.consumer] in
      consumer.whenConsuming(nil)
      let dropped = try source.deliver([9], at: 1)
      #expect(dropped.isCleared)
    }
    try rig.source.deliver([1])
    try rig.source.deliver([2], at: 2)
    #expect(rig.consumer.heard.map(\.samples) == [[1], [2]])
    #expect(rig.snapshot.dropped == 1)
    #expect(rig.snapshot.received == 3)
    #expect(rig.snapshot.admitted == 2)
  }

  @Test("B29: The counts agree at rest")
  func counts() throws {
    let rig = try Rig.started()
    for offset in 0..<5 { try rig.source.deliver([1], at: Int64(offset)) }
    #expect(!rig.snapshot.cleanupComplete)
    rig.capture.withdraw()
    let snapshot = rig.snapshot
    #expect((snapshot.received, snapshot.cleared, snapshot.admitted, snapshot.owned) == (5, 5, 5, 0))
    #expect(snapshot.cleanupComplete)
  }

  @Test("B29: A buffer that is being consumed is owned, and keeps the clean-up from being complete")
  func owned() throws {
    let rig = try Rig.started()
    rig.consumer.whenConsuming { [capture = rig.capture] in
      #expect(capture.snapshot().owned == 1)
      capture.withdraw()
      #expect(!capture.snapshot().cleanupComplete)
    }
    try rig.source.deliver([1])
    #expect(rig.snapshot.owned == 0)
    #expect(rig.snapshot.cleanupComplete)
    #expect(!rig.source.isRunning)
  }

  private static func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  private static func deliver(
    _ channels: [[Float]], to sink: AmbientSink, isInterleaved: Bool = false, isFloat32: Bool = true
  ) {
    let memory = channels.map { channel in
      let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: channel.count)
      _ = copy.initialize(from: channel)
      return copy
    }
    defer { for channel in memory { channel.deallocate() } }
    let input = AmbientDeviceInput(
      sampleRate: 48_000, channels: memory.map { UnsafeBufferPointer($0) }, isInterleaved: isInterleaved,
      isFloat32: isFloat32)
    sink.receive(input, sampleOffset: 0)
  }
}
