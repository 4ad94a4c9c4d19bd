import AuricleRecognition

/// One stretch of listening with a streaming model, and after a flush the next one.
final class OnlineStream: @unchecked Sendable {
  // The rule that makes it safe: there is one call of `perform` at a time. The session asks for the next one when it has
  // the answer to the last, and the queue's lock orders them.

  /// A piece of work.
  enum Work: Sendable, Equatable {
    /// Samples at 16,000 Hz that follow those before.
    case hear([Float])
    /// No more audio follows; the next samples begin a new stretch.
    case flush
  }

  private let model: OnlineModel
  /// `nil` when the engine could not begin anew; then all further work fails.
  private var stream: OpaquePointer?

  init(model: OnlineModel, stream: OpaquePointer) {
    self.model = model
    self.stream = stream
  }

  deinit { stream.map(model.end) }

  /// Does the work and says after each piece what is understood. Blocks until done.
  /// - Throws: `RecognitionError` of kind `failed`.
  func perform(_ work: [Work]) throws(RecognitionError) -> [StreamingHypothesis] {
    var hypotheses: [StreamingHypothesis] = []
    for piece in work {
      guard let stream else { throw RecognitionError(.failed, "the engine cannot go on listening: start again") }
      switch piece {
      case .hear(let samples): hypotheses.append(hear(samples, stream))
      case .flush: hypotheses.append(flush(stream))
      }
    }
    return hypotheses
  }

  private func hear(_ samples: [Float], _ stream: OpaquePointer) -> StreamingHypothesis {
    model.hear(samples, stream)
    let hypothesis = model.hypothesis(stream)
    if hypothesis.isEnd { model.reset(stream) }
    return hypothesis
  }

  private func flush(_ stream: OpaquePointer) -> StreamingHypothesis {
    model.hear([Float](repeating: 0, count: StreamingPolicy.tailLength), stream)
    model.finish(stream)
    let last = model.hypothesis(stream)
    model.end(stream)
    self.stream = model.begin()
    return StreamingHypothesis(text: last.text, startSeconds: last.startSeconds, isEnd: true)
  }
}
