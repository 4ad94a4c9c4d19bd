/// Cuts a stream of audio into the steps that a streaming model hears: always of the same length, whatever blocks came.
struct StreamingFeed: Sendable {
  /// One step.
  struct Step: Sendable, Equatable {
    /// What the model is to do.
    let work: OnlineStream.Work
    /// The frames from the begin of the stretch to the end of the step.
    let stretch: Range<Int64>
  }

  private var stretchStart: Int64 = 0
  private var rest: [Float] = []
  private var restStart: Int64 = 0

  /// Where the next sample belongs.
  var endFrame: Int64 { restStart + Int64(rest.count) }

  /// Takes samples that follow those before.
  mutating func take(_ samples: some Collection<Float>) -> [Step] {
    rest.append(contentsOf: samples)
    var steps: [Step] = []
    var taken = 0
    while rest.count - taken >= StreamingPolicy.stepLength {
      let next = taken + StreamingPolicy.stepLength
      restStart += Int64(StreamingPolicy.stepLength)
      steps.append(Step(work: .hear(Array(rest[taken..<next])), stretch: stretchStart..<restStart))
      taken = next
    }
    rest.removeFirst(taken)
    return steps
  }

  /// The audio ends here; if it goes on, then at a later frame.
  mutating func interrupt(resumingAt frame: Int64) -> [Step] {
    var steps: [Step] = []
    let end = endFrame
    if !rest.isEmpty { steps.append(Step(work: .hear(rest), stretch: stretchStart..<end)) }
    if end > stretchStart { steps.append(Step(work: .flush, stretch: stretchStart..<end)) }
    rest = []
    stretchStart = frame
    restStart = frame
    return steps
  }
}
