import AuricleAudio
import AuricleCapture
import Foundation

/// What the newest second of 48 kHz stereo costs to read, and 10 ms of it to write: in `AudioRecord`'s buffer, and in a
/// ring that locks and copies; in turns.
struct RecordLoad {
  /// Medians over the rounds of each round's median, in nanoseconds.
  struct Figures: Encodable {
    let roundCount: Int
    let readNanoseconds: Double
    let writeNanoseconds: Double
    let lockAndCopyReadNanoseconds: Double
    let lockAndCopyWriteNanoseconds: Double
    /// The same, after a look at whether all samples are numbers, which `AudioRecord` takes as well.
    let lockAndCopyCheckedWriteNanoseconds: Double
  }

  let roundCount = 15
  private let readCount = 400
  private let writeCount = 10_000
  private let second = 48_000 * 2
  private let packet = [Float](repeating: 0.25, count: 480 * 2)

  func run() throws -> Figures {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let tap = RecordTap(format, capacity: second)
    tap.begin(IdleSource(format: format))
    defer { tap.end() }
    var writer = tap.writer()
    let chunk = AudioChunk.audio(PCMBlock(format: format, startFrame: 0, samples: packet))
    let locked = LatestLockAndCopy(capacity: second)
    var rounds: [[Double]] = [[], [], [], [], []]
    for _ in 0..<roundCount {
      rounds[0].append(median(readCount) { _ = try? tap.read(offset: 0, length: UInt(second)) })
      rounds[1].append(median(readCount) { _ = locked.read() })
      rounds[2].append(median(writeCount) { _ = writer.write(chunk) })
      rounds[3].append(median(writeCount) { packet.withUnsafeBufferPointer { locked.write($0) } })
      rounds[4].append(
        median(writeCount) {
          if packet.allSatisfy(\.isFinite) { packet.withUnsafeBufferPointer { locked.write($0) } }
        })
    }
    let middles = rounds.map { $0.sorted()[roundCount / 2] }
    return Figures(
      roundCount: roundCount, readNanoseconds: middles[0], writeNanoseconds: middles[2],
      lockAndCopyReadNanoseconds: middles[1], lockAndCopyWriteNanoseconds: middles[3],
      lockAndCopyCheckedWriteNanoseconds: middles[4])
  }

  private func median(_ count: Int, _ body: () -> Void) -> Double {
    var times = [UInt64](repeating: 0, count: count)
    for index in times.indices {
      let start = DispatchTime.now().uptimeNanoseconds
      body()
      times[index] = DispatchTime.now().uptimeNanoseconds - start
    }
    return Double(times.sorted()[count / 2])
  }
}

/// A source from which nothing comes.
private struct IdleSource: AudioSource {
  let format: AudioFormat
  let expectedFrameCount: Int64? = nil

  func next(maxFrames: Int) async throws -> AudioChunk? {
    try await Task.sleep(for: .seconds(3_600))
    return nil
  }
}

/// What the buffer is measured against: the newest samples in a ring, under a lock.
private final class LatestLockAndCopy: @unchecked Sendable {
  // The rule that makes it safe: everything is touched under the lock.
  private let lock = NSLock()
  private let storage: UnsafeMutableBufferPointer<Float>
  private var start = 0

  init(capacity: Int) {
    storage = .allocate(capacity: capacity)
    storage.initialize(repeating: 0)
  }

  deinit { storage.deallocate() }

  func write(_ samples: UnsafeBufferPointer<Float>) {
    lock.lock()
    defer { lock.unlock() }
    guard let source = samples.baseAddress, let target = storage.baseAddress else { return }
    let first = min(samples.count, storage.count - start)
    (target + start).update(from: source, count: first)
    target.update(from: source + first, count: samples.count - first)
    start = (start + samples.count) % storage.count
  }

  func read() -> [Float] {
    lock.lock()
    defer { lock.unlock() }
    return [Float](unsafeUninitializedCapacity: storage.count) { target, count in
      guard let from = storage.baseAddress, let to = target.baseAddress else { return }
      to.initialize(from: from + start, count: storage.count - start)
      (to + storage.count - start).initialize(from: from, count: start)
      count = storage.count
    }
  }
}
