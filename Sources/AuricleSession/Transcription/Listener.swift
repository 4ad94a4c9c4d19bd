import AuricleRecognition

/// Who is asked to listen, and how to get at them.
struct Listener: Sendable {
  /// Who makes the recogniser; `nil` when that shows only once it is there.
  let vendor: String?
  /// Whether it works only with a network.
  let needsNetwork: Bool
  /// Waits for the recogniser; ends promptly when its task is cancelled.
  let provider: @Sendable () async throws -> any RecognitionProvider

  /// Takes over a provider that is registered, and has a recogniser.
  init(_ service: ServiceProvider) {
    vendor = service.vendor
    needsNetwork = !service.capabilities.offline
    provider = {
      guard let recognition = service.recognition else {
        throw RecognitionError(.serviceMissing, "\(service.vendor) has no recogniser; select another provider")
      }
      return try await recognition()
    }
  }

  /// Takes over a recogniser that is made elsewhere, and needs nothing.
  init(_ recognition: RecordingRecognition) {
    vendor = nil
    needsNetwork = false
    provider = recognition.provider
  }
}
