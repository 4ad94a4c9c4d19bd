import AuricleRecognition
import AuricleSession

extension RecordingSession: CallableSession {
  package func linkBroke() {
    tell(SessionEvent(.bleDisconnected, time: position, evidence: "the device's link broke"))
  }

  package func deliver(to take: @Sendable (SessionDelivery) async -> Void) async {
    for await delivery in results { await take(delivery) }
  }

  package func audioReader() -> AudioReader {
    let audio = audio()
    return { take in
      for await bytes in audio { await take(bytes) }
    }
  }
}
