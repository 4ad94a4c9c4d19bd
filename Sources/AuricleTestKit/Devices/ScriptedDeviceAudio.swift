import AuricleAudio
import AuricleRecognition

/// What a scripted device sends over one connection.
final class ScriptedDeviceAudio: AudioSource {
  private struct State {
    /// Stretches of the device's frames that wait, and how many frames were read.
    var waiting: [Range<Int64>] = []
    var readCount: Int64 = 0
    var isOver = false
    var error: AudioError?
    var reader: CheckedContinuation<Void, Never>?

    /// What follows what waits becomes one stretch with it.
    mutating func add(_ frames: Range<Int64>) {
      guard !frames.isEmpty else { return }
      guard let last = waiting.last, last.upperBound == frames.lowerBound else { return waiting.append(frames) }
      waiting[waiting.count - 1] = last.lowerBound..<frames.upperBound
    }

    /// Takes the next stretch, no longer than so many frames.
    mutating func take(_ maxFrames: Int) -> (start: Int64, frames: Range<Int64>)? {
      guard let first = waiting.first else { return nil }
      let end = min(first.upperBound, first.lowerBound + Int64(maxFrames))
      if end == first.upperBound { waiting.removeFirst() } else { waiting[0] = end..<first.upperBound }
      defer { readCount += end - first.lowerBound }
      return (readCount, first.lowerBound..<end)
    }
  }

  let format: AudioFormat
  let expectedFrameCount: Int64? = nil
  private let state = Guarded(State())

  init(format: AudioFormat) { self.format = format }

  func send(_ frames: Range<Int64>) {
    change { state in
      if !state.isOver { state.add(frames) }
    }
  }

  /// What was sent is still read. The first end counts.
  func end(throwing error: AudioError? = nil) {
    change { state in
      if !state.isOver { (state.isOver, state.error) = (true, error) }
    }
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    while true {
      try Task.checkCancellation()
      let (stretch, isOver, error) = state.withLock { ($0.take(maxFrames), $0.isOver, $0.error) }
      if let stretch {
        let samples = stretch.frames.map { ScriptedDevice.sample(at: $0) }
        return .audio(PCMBlock(format: format, startFrame: stretch.start, samples: samples))
      }
      if let error { throw error }
      if isOver { return nil }
      await wait()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGoOn = state.withLock { state in
          guard state.waiting.isEmpty, !state.isOver, !Task.isCancelled else { return true }
          state.reader = continuation
          return false
        }
        if mayGoOn { continuation.resume() }
      }
    } onCancel: {
      change { _ in }
    }
  }

  /// Changes the state, and wakes the reader to look at it.
  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state in
      body(&state)
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }
}
