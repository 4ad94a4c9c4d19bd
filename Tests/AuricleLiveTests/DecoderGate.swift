import AuricleLive
import Foundation

/// A recogniser that hangs until it is let go.
final class DecoderGate: SpeechDecoder {
  private let started = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  func decode(_ samples: [Float]) -> String {
    started.signal()
    released.wait()
    released.signal()
    return "late"
  }

  func open() { released.signal() }

  func waitForDecode() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.started.wait()
        continuation.resume()
      }
    }
  }
}
