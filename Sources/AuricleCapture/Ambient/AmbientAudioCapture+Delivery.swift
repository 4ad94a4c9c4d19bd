import Foundation

// The source's side: what comes in, on the source's thread. Nothing here waits for a lifecycle call.
extension AmbientAudioCapture {
  func sink(_ epoch: UInt64) -> AmbientSink {
    AmbientSink(
      epoch: epoch,
      isOpen: { [weak self] epoch in self?.state.withLock { self?.machine.admits(epoch) } == true },
      onBuffer: { [weak self] buffer, epoch in
        guard let self else { return buffer.clear() }
        receive(buffer, epoch)
      },
      onEvent: { [weak self] event, epoch in self?.handle(event, epoch) })
  }

  private func receive(_ buffer: CapturePCMBuffer, _ epoch: UInt64) {
    if isExpired { note("expire") { $0.end(.expired) } }
    guard admit(buffer, epoch) else { return settle() }
    var isConsumed = true
    do { try consumer.consume(buffer, epoch: epoch) } catch { isConsumed = false }
    state.withLock {
      counts.clear(buffer)
      consumerThread = nil
      state.broadcast()
    }
    if !isConsumed { handle(.failed(.consumerFailed), epoch) }
    settle()
  }

  /// Decides about a buffer; one that is not admitted is wiped.
  private func admit(_ buffer: CapturePCMBuffer, _ epoch: UInt64) -> Bool {
    state.lock()
    defer { state.unlock() }
    counts.received += 1
    guard machine.admits(epoch) else {
      counts.clear(buffer)
      return false
    }
    guard consumerThread == nil else {
      counts.dropped += 1
      counts.clear(buffer)
      return false
    }
    if let reason = refusal(buffer) {
      machine.stop(reason)
      counts.clear(buffer)
      return false
    }
    endOffset = buffer.endOffset
    counts.admitted += 1
    consumerThread = Thread.current
    return true
  }

  private func refusal(_ buffer: CapturePCMBuffer) -> AmbientReason? {
    if buffer.byteCount > policy.maximumBufferBytes { return .bufferTooLarge }
    if buffer.sampleOffset < endOffset || buffer.isCleared { return .invalidTiming }
    return nil
  }

  /// An event of an attempt that is over does nothing to the new one.
  private func handle(_ event: AmbientSourceEvent, _ epoch: UInt64) {
    note(event.name) { machine in
      guard machine.admits(epoch) else { return }
      switch event {
      case .interrupted(let interruption): machine.stop(interruption.reason)
      case .permissionChanged(let permission): machine.permissionChanged(permission)
      case .failed(let reason): machine.stop(reason)
      }
    }
    settle()
  }
}

extension AmbientSourceEvent {
  /// The stable name in transitions.
  var name: String {
    switch self {
    case .interrupted(let interruption): "source.\(interruption.rawValue)"
    case .permissionChanged(let permission): "source.permission.\(permission.rawValue)"
    case .failed(let reason): "source.failed.\(reason.rawValue)"
    }
  }
}
