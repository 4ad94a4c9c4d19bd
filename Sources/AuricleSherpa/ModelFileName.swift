/// The name of a file with weights, taken apart: `tiny.en-encoder.int8.onnx` is an encoder of 8 bits that belongs to
/// `tiny.en`.
struct ModelFileName: Sendable {
  /// The whole name.
  let name: String
  /// What the file is for.
  let part: ModelPart
  /// Smaller is taken first: 8 bits, then what says nothing, then half precision.
  let precision: Int
  /// The name without part, precision and ending; equal for files that belong together.
  let family: String
  /// Whether the name says that the file is the streaming one of two.
  let isMarkedStreaming: Bool

  private static let endings = [".onnx", ".ort"]
  private static let eightBits: Set<String> = ["int8", "uint8", "quant", "quantized", "q8"]
  private static let half: Set<String> = ["fp16", "float16", "half", "q4", "int4", "q4f16"]
  private static let separators = Set("-_. ")
  /// Files that stand beside recognisers and are none.
  private static let strangers: Set<String> = ["silero", "vad", "lm", "rnnlm", "punct", "punctuation", "speaker"]

  /// Takes a name apart.
  /// - Returns: `nil` when it is not the name of a file with a recogniser's weights.
  init?(_ name: String) {
    guard let ending = Self.endings.first(where: name.lowercased().hasSuffix) else { return nil }
    let words = name.lowercased().dropLast(ending.count).split(whereSeparator: Self.separators.contains)
      .map(String.init)
    guard !words.isEmpty, Self.strangers.isDisjoint(with: words) else { return nil }
    self.name = name
    part = Self.part(Set(words))
    precision = Self.precision(words)
    family = words.filter { !Self.isAboutPart($0) && !Self.eightBits.contains($0) && !Self.half.contains($0) }
      .joined(separator: " ")
    isMarkedStreaming = words.contains("streaming")
  }

  private static func precision(_ words: [String]) -> Int {
    if words.contains(where: eightBits.contains) { return 0 }
    return words.contains(where: half.contains) ? 2 : 1
  }

  /// The order matters: a merged decoder is no plain one, and an adaptor no encoder.
  private static let marks: [(Set<String>, ModelPart)] = [
    (["preprocess", "preprocessor"], .preprocessor), (["uncached"], .uncachedDecoder), (["cached"], .cachedDecoder),
    (["merged"], .mergedDecoder), (["frontend"], .convolution), (["adaptor", "adapter"], .encoderAdaptor),
    (["llm"], .languageModel), (["embedding"], .embedding), (["joiner"], .joiner), (["encoder", "encode"], .encoder),
    (["decoder", "decode"], .decoder),
  ]

  private static func part(_ words: Set<String>) -> ModelPart {
    marks.first { !$0.0.isDisjoint(with: words) }?.1 ?? .model
  }

  private static func isAboutPart(_ word: String) -> Bool {
    word == "model" || word == "conv" || marks.contains { $0.0.contains(word) }
  }
}
