import AuricleLive
import CSherpaOnnx
import Foundation
import Synchronization

/// Keeps the engine's memory where it will stay.
///
/// Each decode allocates tens of megabytes in pieces whose sizes follow the segment's length. Two things grow from that:
/// - The C library keeps what is freed, in more and more pieces. It is asked to give that back from time to time.
/// - The engine's own arena grows whenever more long segments than ever before are decoded at once, and never shrinks.
///   Once a session proves long, speech of the greatest length is decoded twice at once, so that the arena has its final
///   size then and not in the third hour.
package final class EngineMemory: Sendable {
  /// Has the process give large blocks back as soon as they are freed. A choice for a whole process, so it is the tool's
  /// and not the library's; call it once, before a model is loaded.
  package static func returnLargeBlocks() { auricle_return_large_blocks() }

  private static let trimInterval = 32
  /// The decode after which a session counts as long: a few minutes of speech.
  private static let stretchNumber = 64
  /// Stretching is left out where it would keep the words waiting for longer.
  private static let longestStretch = Duration.seconds(1.5)
  /// The longest segment with what is kept before and behind it, in samples.
  private static let longest = Int((LivePolicy().maximumLength + 1) * Double(LivePolicy.sampleRate))

  private let count = Atomic<Int>(0)

  /// Counts a decode, and does what is due after it.
  /// - Parameters:
  ///   - samples: What was decoded.
  ///   - time: How long that took.
  ///   - decode: Decodes samples.
  func decoded(_ samples: [Float], in time: Duration, decode: @escaping @Sendable ([Float]) -> Void) {
    let number = count.add(1, ordering: .relaxed).newValue
    if number.isMultiple(of: Self.trimInterval) { auricle_trim_heap() }
    guard number == Self.stretchNumber, !samples.isEmpty else { return }
    let times = Double(Self.longest) / Double(samples.count)
    guard time * max(times, 1) < Self.longestStretch else { return }
    stretch((0..<Self.longest).map { samples[$0 % samples.count] }, decode)
  }

  private func stretch(_ speech: [Float], _ decode: @escaping @Sendable ([Float]) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      decode(speech)
      isDone.signal()
    }
    thread.stackSize = OwnThread.stackSize
    thread.start()
    decode(speech)
    isDone.wait()
  }
}
