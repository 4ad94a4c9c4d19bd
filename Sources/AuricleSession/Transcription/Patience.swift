/// How long one call of a provider may take. It guards against what hangs, so the machine's own clock measures it.
struct Patience: Sendable {
  /// Making a recogniser and opening a session; a large model is read from a slow disk in that time.
  var start = Duration.seconds(120)
  /// Taking in a tenth of a second of audio, behind all that waits.
  var accept = Duration.seconds(60)
  /// Hearing that nothing follows, or that it is given up.
  var farewell = Duration.seconds(3)

  /// Waits for work, but no longer than a limit, and not after this task was cancelled. Then the work goes on alone.
  /// - Parameters:
  ///   - cancels: Whether work is cancelled that nobody waits for any more.
  ///   - late: Takes what comes too late.
  /// - Returns: `nil` when it did not come in time.
  static func wait<Value: Sendable>(
    _ limit: Duration, cancels: Bool, for work: @escaping @Sendable () async -> Value,
    late: @escaping @Sendable (Value) async -> Void = { _ in }
  ) async -> Value? {
    let answer = FirstAnswer<Value?>()
    let worker = Task {
      let value = await work()
      if !answer.give(value) { await late(value) }
    }
    let timer = Task {
      if (try? await Task.sleep(for: limit)) != nil { answer.give(nil) }
    }
    let value = await withTaskCancellationHandler {
      await answer.wait()
    } onCancel: {
      answer.give(nil)
    }
    timer.cancel()
    if value == nil, cancels { worker.cancel() }
    return value
  }
}
