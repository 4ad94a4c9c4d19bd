import AuricleAudio
import AuricleCapture
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@Suite("AudioRecord over every source", .serialized, .timeLimit(.minutes(5)))
struct RecordContractTests {
  /// A record of one second of 16 kHz, over one kind of source.
  private struct Rig: Sendable {
    let world: ContractWorld
    let record: AudioRecord

    init(
      _ kind: ContractSource, device: (rate: Int, channels: Int) = (48_000, 2), channels: UInt = 1, seconds: Int = 10
    ) async throws {
      world = try await ContractWorld(kind, rate: device.rate, channels: device.channels, seconds: seconds)
      record = try AudioRecord(
        audioDataFormat: AudioDataFormat(channelCount: channels, sampleRate: 16_000), bufferLength: 16_000 * channels,
        host: world.host)
    }

    func start() async throws { try await onThread { try record.startRecording() } }

    /// Everything, oldest first.
    func all() throws -> [Float] { try record.read(offset: 0, length: record.bufferLength).samples }

    /// The code of what a call throws; 0 when it throws nothing that has one.
    func code(_ body: @escaping @Sendable () throws -> Void) async -> Int {
      do { try await onThread(body) } catch { return (error as? TasksError)?.code.rawValue ?? 0 }
      return 0
    }

    func readCode() async -> Int { await code { _ = try all() } }

    func hear() async throws { #expect(try await eventually { try all().last(where: { $0 != 0 }) != nil }) }
    /// Until the whole buffer is sound.
    func fill() async throws { #expect(try await eventually { try all().prefix(100).contains { $0 != 0 } }) }
  }

  @Test(
    "A5: Without permission, or twice, nothing starts, and a source that does not open is thrown",
    arguments: ContractSource.here)
  func starts(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    let record = rig.record
    rig.world.permission.withLock { $0 = .denied }
    #expect(await rig.code { try record.startRecording() } == 17)
    rig.world.permission.withLock { $0 = .undetermined }
    #expect(await rig.code { try record.startRecording() } == 18)
    #expect(rig.world.openCount == 0)
    rig.world.permission.withLock { $0 = .granted }
    let refusal = AudioError(.notFound, "no such device")
    rig.world.refusal.withLock { $0 = refusal }
    await #expect(throws: refusal) { try await rig.start() }
    rig.world.refusal.withLock { $0 = nil }
    try await rig.start()
    #expect(await rig.code { try record.startRecording() } == 1_001)
  }

  @Test("A6, A8: Reading without recording is 20, beyond the buffer 3", arguments: ContractSource.here)
  func reading(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    let record = rig.record
    #expect(await rig.readCode() == 20)
    try await rig.start()
    #expect(await rig.code { _ = try record.read(offset: 1, length: 16_000) } == 3)
    #expect(try record.read(offset: 1, length: 15_999).length == 15_999)
  }

  @Test(
    "A7: Samples that are no numbers are thrown by the read, until the next good buffer", arguments: ContractSource.here
  )
  func broken(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    try await rig.start()
    try await rig.hear()
    rig.world.isBroken.withLock { $0 = true }
    #expect(try await eventually { (try? rig.all()) == nil })
    #expect(throws: AudioError.self) { try rig.all() }
    rig.world.isBroken.withLock { $0 = false }
    #expect(try await eventually { (try? rig.all()) != nil })
  }

  @Test(
    "A9: Before the buffer has filled, the oldest side is zeros, and the newest samples stand at the end",
    arguments: ContractSource.here)
  func filling(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    try await rig.start()
    try await rig.hear()
    let all = try rig.all()
    let first = try #require(all.firstIndex { $0 != 0 })
    #expect(first > 0)
    // A sine is never zero for a millisecond.
    #expect(all.suffix(16).contains { $0 != 0 })
    try await rig.fill()
  }

  @Test("A10: Readers run at once, their copies stay, and none sees half of a write", arguments: ContractSource.here)
  func copies(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    try await rig.start()
    try await rig.fill()
    let copy = try rig.record.read(offset: 0, length: 16_000)
    // Twice what a sine of this height and pitch can rise in a frame.
    let steepest = Float(2 * 0.5 * 2 * Double.pi * 440 / 16_000)
    let tornCount = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await onThread {
            (0..<200).count { _ in
              // A source that comes to its end meanwhile has nothing more to read.
              guard let samples = try? rig.all() else { return false }
              return zip(samples, samples.dropFirst()).contains { abs($0 - $1) > steepest }
            }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(tornCount == 0)
    try rig.record.stop()
    #expect(copy.samples.contains { $0 != 0 })
  }

  @Test("A11, C6: A stop clears, and a start after it begins with zeros", arguments: ContractSource.here)
  func stops(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind)
    for _ in 0..<3 {
      try await rig.start()
      #expect(try rig.all().prefix(8_000).allSatisfy { $0 == 0 })
      try await rig.hear()
      try rig.record.stop()
      #expect(await rig.readCode() == 20)
    }
    #expect(try await eventually { rig.world.livingCount == 0 })
  }

  @Test("A12: When the source ends by itself, reading is 20, and a start begins anew", arguments: ContractSource.here)
  func ends(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind, seconds: 1)
    try await rig.start()
    try await rig.hear()
    rig.world.server?.kill()
    #expect(try await eventually { (try? rig.all()) == nil })
    #expect(await rig.readCode() == 20)
    try await rig.world.server?.restart(sinks: [rig.world.sink])
    try await rig.world.server?.playSine(440, on: rig.world.sink)
    try await rig.start()
    try await rig.hear()
  }

  @Test(
    "A13, C4: 44.1 kHz mono as 16 kHz of two channels is doubled, and at the right speed",
    arguments: ContractSource.here)
  func converted(_ kind: ContractSource) async throws {
    let rig = try await Rig(kind, device: (44_100, 1), channels: 2)
    try await rig.start()
    try await rig.fill()
    let all = try rig.all()
    let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
    #expect(left == stride(from: 1, to: all.count, by: 2).map { all[$0] })
    var heard = Heard()
    heard.samples = left
    #expect(abs(heard.pitch(lastSeconds: 0.5, .speech) - 440) < 1)
  }
}
