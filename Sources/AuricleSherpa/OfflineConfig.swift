import CSherpaOnnx

/// The engine's configuration for a model that decodes whole segments.
typealias OfflineConfig = EngineConfig<SherpaOnnxOfflineRecognizerConfig>

extension EngineConfig where Structure == SherpaOnnxOfflineRecognizerConfig {
  /// The configuration of a model.
  /// - Parameters:
  ///   - model: A model that is not a streaming one.
  ///   - language: The language to expect, for models that take one; `nil` leaves it to the model.
  init(_ model: InspectedModel, language: String?) {
    structure = SherpaOnnxOfflineRecognizerConfig()
    structure.feat_config.sample_rate = 16_000
    structure.feat_config.feature_dim = 80
    structure.model_config.num_threads = 1
    strings = [(\.model_config.provider, "cpu"), (\.decoding_method, "greedy_search")]
    for (part, place) in Self.places(model.layout.kind) {
      if let path = model.path(part) { strings.append((place, path)) }
    }
    addOptions(model.layout.kind, language: language)
  }

  /// What some kinds need beside their files.
  private mutating func addOptions(_ kind: ModelKind, language: String?) {
    switch kind {
    case .whisper:
      strings += [(\.model_config.whisper.language, language ?? ""), (\.model_config.whisper.task, "transcribe")]
      structure.model_config.whisper.tail_paddings = -1
    case .senseVoice:
      strings.append((\.model_config.sense_voice.language, language ?? "auto"))
      structure.model_config.sense_voice.use_itn = 1
    case .canary:
      let spoken = language ?? "en"
      strings += [(\.model_config.canary.src_lang, spoken), (\.model_config.canary.tgt_lang, spoken)]
      structure.model_config.canary.use_pnc = 1
    case .cohere:
      strings.append((\.model_config.cohere_transcribe.language, language ?? ""))
      structure.model_config.cohere_transcribe.use_punct = 1
      structure.model_config.cohere_transcribe.use_itn = 1
    case .transducer: strings.append((\.model_config.model_type, "transducer"))
    case .nemoTransducer: strings.append((\.model_config.model_type, "nemo_transducer"))
    case .telespeechCTC: strings.append((\.model_config.model_type, "telespeech_ctc"))
    case .tdnn:
      // The only published one, which knows two words, was trained on telephone speech.
      structure.feat_config.sample_rate = 8_000
      structure.feat_config.feature_dim = 23
    case .moonshine, .moonshineMerged, .fireRed, .paraformer, .nemoCTC, .zipformerCTC, .wenetCTC, .dolphin,
      .omnilingual, .medASR, .fireRedCTC, .funASRNano, .qwen3, .streamingTransducer, .streamingParaformer,
      .streamingZipformerCTC, .streamingNemoCTC, .streamingTone:
      break
    }
  }

  /// Where each kind's files go.
  private static func places(_ kind: ModelKind) -> [(ModelPart, Place)] {
    let tokens: (ModelPart, Place) = (.tokens, \.model_config.tokens)
    return switch kind {
    case .moonshine:
      [
        (.preprocessor, \.model_config.moonshine.preprocessor), (.encoder, \.model_config.moonshine.encoder),
        (.uncachedDecoder, \.model_config.moonshine.uncached_decoder),
        (.cachedDecoder, \.model_config.moonshine.cached_decoder), tokens,
      ]
    case .moonshineMerged:
      [
        (.encoder, \.model_config.moonshine.encoder), (.mergedDecoder, \.model_config.moonshine.merged_decoder),
        tokens,
      ]
    case .whisper: pair(\.model_config.whisper.encoder, \.model_config.whisper.decoder) + [tokens]
    case .canary: pair(\.model_config.canary.encoder, \.model_config.canary.decoder) + [tokens]
    case .fireRed: pair(\.model_config.fire_red_asr.encoder, \.model_config.fire_red_asr.decoder) + [tokens]
    case .cohere: pair(\.model_config.cohere_transcribe.encoder, \.model_config.cohere_transcribe.decoder) + [tokens]
    case .transducer, .nemoTransducer:
      pair(\.model_config.transducer.encoder, \.model_config.transducer.decoder) + [
        (.joiner, \.model_config.transducer.joiner), tokens,
      ]
    case .funASRNano:
      [
        (.encoderAdaptor, \.model_config.funasr_nano.encoder_adaptor), (.languageModel, \.model_config.funasr_nano.llm),
        (.embedding, \.model_config.funasr_nano.embedding), (.tokenizer, \.model_config.funasr_nano.tokenizer),
      ]
    case .qwen3:
      pair(\.model_config.qwen3_asr.encoder, \.model_config.qwen3_asr.decoder) + [
        (.convolution, \.model_config.qwen3_asr.conv_frontend), (.tokenizer, \.model_config.qwen3_asr.tokenizer),
      ]
    default: [tokens] + (single(kind).map { [(.model, $0)] } ?? [])
    }
  }

  private static func pair(_ encoder: Place, _ decoder: Place) -> [(ModelPart, Place)] {
    [(.encoder, encoder), (.decoder, decoder)]
  }

  /// Where the only file of a kind goes; `nil` for kinds of several files.
  private static func single(_ kind: ModelKind) -> Place? {
    switch kind {
    case .paraformer: \.model_config.paraformer.model
    case .senseVoice: \.model_config.sense_voice.model
    case .nemoCTC: \.model_config.nemo_ctc.model
    case .zipformerCTC: \.model_config.zipformer_ctc.model
    case .wenetCTC: \.model_config.wenet_ctc.model
    case .telespeechCTC: \.model_config.telespeech_ctc
    case .tdnn: \.model_config.tdnn.model
    case .dolphin: \.model_config.dolphin.model
    case .omnilingual: \.model_config.omnilingual.model
    case .medASR: \.model_config.medasr.model
    case .fireRedCTC: \.model_config.fire_red_asr_ctc.model
    case .moonshine, .moonshineMerged, .whisper, .canary, .fireRed, .cohere, .transducer, .nemoTransducer, .funASRNano,
      .qwen3, .streamingTransducer, .streamingParaformer, .streamingZipformerCTC, .streamingNemoCTC, .streamingTone:
      nil
    }
  }
}
