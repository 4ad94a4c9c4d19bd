import Foundation

/// What a streaming model has understood of the sentence that it hears.
struct StreamingHypothesis: Sendable, Equatable {
  /// The text, a single line; empty when nothing was said so far.
  let text: String
  /// Where its first token is, in seconds from the begin of the stretch; `nil` when the model does not say.
  let startSeconds: Double?
  /// Whether the sentence is over.
  let isEnd: Bool

  /// The value of `start_time` in a result's JSON form, which is looked for as text: the engine's JSON is not always valid.
  static func sentenceStart(json: String) -> Double? {
    guard let key = json.range(of: "\"start_time\":", options: .backwards) else { return nil }
    let number = json[key.upperBound...].drop { $0 == " " }.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    return Double(number)
  }
}
