/// The kinds of model that the engine runs, by the name under which they are shown.
enum ModelKind: String, CaseIterable, Sendable {
  case moonshine = "moonshine"
  case moonshineMerged = "moonshine-merged"
  case whisper = "whisper"
  case canary = "canary"
  case fireRed = "fire-red-asr"
  case cohere = "cohere-transcribe"
  case transducer = "transducer"
  case nemoTransducer = "nemo-transducer"
  case paraformer = "paraformer"
  case senseVoice = "sense-voice"
  case nemoCTC = "nemo-ctc"
  case zipformerCTC = "zipformer-ctc"
  case wenetCTC = "wenet-ctc"
  case telespeechCTC = "telespeech-ctc"
  case tdnn = "tdnn"
  case dolphin = "dolphin"
  case omnilingual = "omnilingual-ctc"
  case medASR = "medasr-ctc"
  case fireRedCTC = "fire-red-asr-ctc"
  case funASRNano = "funasr-nano"
  case qwen3 = "qwen3-asr"
  case streamingTransducer = "streaming-transducer"
  case streamingParaformer = "streaming-paraformer"
  case streamingZipformerCTC = "streaming-zipformer-ctc"
  case streamingNemoCTC = "streaming-nemo-ctc"
  case streamingTone = "streaming-t-one-ctc"

  /// Whether text comes while audio goes in.
  var isStreaming: Bool { rawValue.hasPrefix("streaming-") }

  /// The files that it cannot do without.
  var parts: [ModelPart] {
    switch self {
    case .moonshine: [.preprocessor, .encoder, .uncachedDecoder, .cachedDecoder, .tokens]
    case .moonshineMerged: [.encoder, .mergedDecoder, .tokens]
    case .whisper, .canary, .fireRed, .cohere, .streamingParaformer: [.encoder, .decoder, .tokens]
    case .transducer, .nemoTransducer, .streamingTransducer: [.encoder, .decoder, .joiner, .tokens]
    case .paraformer, .senseVoice, .nemoCTC, .zipformerCTC, .wenetCTC, .telespeechCTC, .tdnn, .dolphin, .omnilingual,
      .medASR, .fireRedCTC, .streamingZipformerCTC, .streamingNemoCTC, .streamingTone:
      [.model, .tokens]
    case .funASRNano: [.encoderAdaptor, .languageModel, .embedding, .tokenizer]
    case .qwen3: [.convolution, .encoder, .decoder, .tokenizer]
    }
  }
}

/// What a file of a model is for, by the name under which it is usually found.
enum ModelPart: String, CaseIterable, Sendable {
  case preprocessor = "preprocess.onnx"
  case encoder = "encoder.onnx"
  case decoder = "decoder.onnx"
  case uncachedDecoder = "uncached_decode.onnx"
  case cachedDecoder = "cached_decode.onnx"
  case mergedDecoder = "decoder_model_merged.onnx"
  case joiner = "joiner.onnx"
  case model = "model.onnx"
  case encoderAdaptor = "encoder_adaptor.onnx"
  case languageModel = "llm.onnx"
  case embedding = "embedding.onnx"
  case convolution = "conv_frontend.onnx"
  case tokens = "tokens.txt"
  case tokenizer = "tokenizer"
}
