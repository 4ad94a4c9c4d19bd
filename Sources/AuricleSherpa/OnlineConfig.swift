import CSherpaOnnx

/// The engine's configuration for a streaming model.
typealias OnlineConfig = EngineConfig<SherpaOnnxOnlineRecognizerConfig>

extension EngineConfig where Structure == SherpaOnnxOnlineRecognizerConfig {
  /// The configuration of a streaming model.
  init(_ model: InspectedModel) {
    structure = SherpaOnnxOnlineRecognizerConfig()
    structure.feat_config.sample_rate = 16_000
    structure.feat_config.feature_dim = 80
    structure.model_config.num_threads = 1
    structure.enable_endpoint = 1
    structure.rule1_min_trailing_silence = StreamingPolicy.emptyEnd
    structure.rule2_min_trailing_silence = StreamingPolicy.spokenEnd
    structure.rule3_min_utterance_length = StreamingPolicy.longest
    strings = [(\.model_config.provider, "cpu"), (\.decoding_method, "greedy_search")]
    for (part, place) in Self.places(model.layout.kind) {
      if let path = model.path(part) { strings.append((place, path)) }
    }
  }

  /// Where each kind's files go; none for kinds that are not streaming ones.
  private static func places(_ kind: ModelKind) -> [(ModelPart, Place)] {
    let tokens: (ModelPart, Place) = (.tokens, \.model_config.tokens)
    return switch kind {
    case .streamingTransducer:
      [
        (.encoder, \.model_config.transducer.encoder), (.decoder, \.model_config.transducer.decoder),
        (.joiner, \.model_config.transducer.joiner), tokens,
      ]
    case .streamingParaformer:
      [(.encoder, \.model_config.paraformer.encoder), (.decoder, \.model_config.paraformer.decoder), tokens]
    case .streamingZipformerCTC: [(.model, \.model_config.zipformer2_ctc.model), tokens]
    case .streamingNemoCTC: [(.model, \.model_config.nemo_ctc.model), tokens]
    case .streamingTone: [(.model, \.model_config.t_one_ctc.model), tokens]
    case .moonshine, .moonshineMerged, .whisper, .canary, .fireRed, .cohere, .transducer, .nemoTransducer, .paraformer,
      .senseVoice, .nemoCTC, .zipformerCTC, .wenetCTC, .telespeechCTC, .tdnn, .dolphin, .omnilingual, .medASR,
      .fireRedCTC, .funASRNano, .qwen3:
      []
    }
  }
}
