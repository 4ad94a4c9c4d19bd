/// How far the audio of a PCM stream reaches, in bytes from its first sample, as far as header and file tell.
struct PCMExtent: Equatable {
  /// Where reading stops even if more follows; `nil`: at the stream's end.
  var limit: Int64?
  /// What the header promises; less than that is damage. `nil`: it promises nothing.
  var promised: Int64?
  /// What is likely to come, for a progress bar; `nil` when nobody can know.
  var expected: Int64?
  /// The header promises less than there is, and what is there is taken.
  var isUnderstated = false
  /// What was taken so far.
  private(set) var taken: Int64 = 0

  /// Up to the stream's end.
  static let toTheEnd = PCMExtent()

  init(limit: Int64? = nil, promised: Int64? = nil, expected: Int64? = nil, isUnderstated: Bool = false) {
    self.limit = limit
    self.promised = promised
    self.expected = expected
    self.isUnderstated = isUnderstated
  }

  /// Nothing more may be taken.
  var isUsedUp: Bool { limit.map { taken >= $0 } ?? false }

  /// How much of what is wanted may be taken.
  func allowance(_ wanted: Int) -> Int {
    limit.map { Int(min(Int64(wanted), $0 - taken)) } ?? wanted
  }

  /// Counts what was taken.
  mutating func take(_ count: Int) { taken += Int64(count) }
}
