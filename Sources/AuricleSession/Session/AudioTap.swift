import AuricleAudio
import AuricleRecognition

/// Where a reader of a session's audio waits for the file that it is to read.
final class AudioTap: Sendable {
  private let source = Guarded<(any AudioSource)?>(nil)
  private let isSettled = StopSignal()
  private let count: TapCount

  init(_ count: TapCount) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }

  /// The file is there.
  func open(_ source: any AudioSource) {
    self.source.withLock { $0 = source }
    isSettled.stop()
  }

  /// There will be no file.
  func close() { isSettled.stop() }

  /// Waits for the file; `nil` when there will be none, or the task is cancelled.
  func opened() async -> (any AudioSource)? {
    _ = await isSettled.wait()
    return source.withLock { $0 }
  }
}

/// How many taps there are.
final class TapCount: Sendable {
  private let count = Guarded(0)

  /// Whether there are any.
  var isEmpty: Bool { count.withLock { $0 == 0 } }

  func add(_ step: Int) { count.withLock { $0 += step } }
}
