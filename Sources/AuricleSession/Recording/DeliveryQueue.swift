import AuricleRecognition

/// What waits to be shown, from those who record and those who recognise to one reader.
///
/// Who records never waits: of its statuses only the newest is kept, and its news are all kept, since they are part of the
/// report, which is in memory as well. Who recognises waits until there is room, and after ``letGo()`` for nobody: what
/// waits then is part of the report too, and unfinished sentences for which there is no room are dropped.
final class DeliveryQueue: Sendable {
  private struct State {
    var status: RecordingStatus?
    var waiting: [SessionResult] = []
    var isLetGo = false
    var isFinished = false
    var reader: CheckedContinuation<SessionResult?, Never>?
    var nextID = 0
    var senders: [Int: CheckedContinuation<Void, Never>] = [:]

    var hasRoom: Bool { waiting.count < DeliveryQueue.capacity }
    /// Whether nobody waits for room.
    var isOpen: Bool { hasRoom || isLetGo || isFinished }

    /// What the reader gets next; statuses give way to everything else.
    mutating func take() -> SessionResult? {
      if !waiting.isEmpty { return waiting.removeFirst() }
      defer { status = nil }
      return status.map(SessionResult.recording)
    }
  }

  /// How many results may wait before the recogniser does.
  static let capacity = 64
  private let state = Guarded(State())

  /// Delivers news without waiting.
  func post(_ result: SessionResult) {
    change { state in
      if case .recording(let status) = result {
        state.status = status
      } else {
        state.waiting.append(result)
      }
    }
  }

  /// Delivers a result; waits while many wait, unless the task is cancelled.
  func send(_ result: SessionResult) async {
    await waitForRoom()
    change { state in
      if case .transcript(let transcript) = result, !transcript.isSentenceFinal, !state.hasRoom { return }
      state.waiting.append(result)
    }
  }

  private func waitForRoom() async {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGoOn = state.withLock { state in
          guard !state.isOpen, !Task.isCancelled else { return true }
          state.senders[id] = continuation
          return false
        }
        if mayGoOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.senders.removeValue(forKey: id) }?.resume()
    }
  }

  /// The file is closed: the text shall come to its end whether anybody reads it or not.
  func letGo() { change { $0.isLetGo = true } }

  /// Ends the stream behind what waits.
  func finish() { change { $0.isFinished = true } }

  /// Waits for what comes next; `nil` at the end. One reader at a time.
  func next() async -> SessionResult? {
    let result = await withCheckedContinuation { continuation in
      change { $0.reader = continuation }
    }
    return result
  }

  /// Changes the state, and lets go whoever need not wait any more.
  private func change(_ body: (inout State) -> Void) {
    let (reader, result, senders) = state.withLock { state in
      body(&state)
      var free: [Int: CheckedContinuation<Void, Never>] = [:]
      var handed: (CheckedContinuation<SessionResult?, Never>?, SessionResult?) = (nil, nil)
      if let reader = state.reader {
        let result = state.take()
        if result != nil || state.isFinished {
          state.reader = nil
          handed = (reader, result)
        }
      }
      if state.isOpen {
        free = state.senders
        state.senders = [:]
      }
      return (handed.0, handed.1, free)
    }
    reader?.resume(returning: result)
    for sender in senders.values { sender.resume() }
  }
}
