import CSherpaOnnx

/// The engine's configuration for a model that decodes whole segments, as strings that live as long as it is used.
struct OfflineConfig {
  /// The model's folder, for messages.
  let folder: String
  /// Where the strings go in the engine's structure.
  let strings: [(WritableKeyPath<SherpaOnnxOfflineRecognizerConfig, UnsafePointer<CChar>?>, String)]

  /// Lends the engine's structure.
  func withUnsafe<R>(_ body: (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>) -> R) -> R {
    var config = SherpaOnnxOfflineRecognizerConfig()
    config.feat_config.sample_rate = 16_000
    config.feat_config.feature_dim = 80
    config.model_config.num_threads = 1
    return fill(&config, strings[...], body)
  }

  private func fill<R>(
    _ config: inout SherpaOnnxOfflineRecognizerConfig,
    _ rest: ArraySlice<(WritableKeyPath<SherpaOnnxOfflineRecognizerConfig, UnsafePointer<CChar>?>, String)>,
    _ body: (UnsafePointer<SherpaOnnxOfflineRecognizerConfig>) -> R
  ) -> R {
    guard let (path, text) = rest.first else { return body(&config) }
    return text.withCString { pointer in
      config[keyPath: path] = pointer
      return fill(&config, rest.dropFirst(), body)
    }
  }

  /// Moonshine with one decoder for both steps.
  static func moonshine(folder: String, encoder: String, decoder: String, tokens: String) -> OfflineConfig {
    OfflineConfig(
      folder: folder,
      strings: [
        (\.model_config.moonshine.encoder, encoder), (\.model_config.moonshine.merged_decoder, decoder),
        (\.model_config.tokens, tokens), (\.model_config.provider, "cpu"), (\.decoding_method, "greedy_search"),
      ])
  }
}
