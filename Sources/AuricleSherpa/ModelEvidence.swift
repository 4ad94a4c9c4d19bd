import AuricleRecognition

/// What speaks for one kind of model or another.
struct ModelEvidence: Sendable {
  /// The files that were found.
  let parts: [ModelPart: String]
  /// The ONNX metadata of the encoder, or of the only file.
  let properties: [String: String]
  /// A name of the model, in lower case.
  let hint: String

  /// The kind that the folder is meant to be, even if files are missing; `nil` when nothing tells.
  var kind: ModelKind? {
    if has(.preprocessor) || has(.uncachedDecoder) || has(.cachedDecoder) { return .moonshine }
    if has(.mergedDecoder) { return .moonshineMerged }
    if has(.convolution) { return .qwen3 }
    if has(.encoderAdaptor) || has(.languageModel) { return .funASRNano }
    if has(.joiner) { return transducer }
    if has(.encoder) || has(.decoder) { return pair }
    return has(.model) ? single : nil
  }

  /// Says why there is no kind.
  var failure: String {
    if has(.decoder) && !has(.encoder) { return "the model lacks its \(ModelPart.encoder.rawValue)" }
    if has(.encoder) && !has(.decoder) { return "the model lacks its \(ModelPart.decoder.rawValue)" }
    guard has(.encoder) || has(.model) else { return "no model file (.onnx or .ort) is there" }
    let type = modelType.isEmpty ? "without a model_type in its metadata" : "of type \(RecognizedText.clean(modelType))"
    return "the model is \(type), which the engine does not run"
  }

  private func has(_ part: ModelPart) -> Bool { parts[part] != nil }
  private var modelType: String { properties["model_type"] ?? "" }
  private var isStreaming: Bool {
    properties["decode_chunk_len"] != nil || properties["chunk_shift"] != nil || properties["window_size"] != nil
  }

  private var transducer: ModelKind {
    if isStreaming { return .streamingTransducer }
    // A streaming LSTM has no chunk of a fixed length in old exports.
    if modelType == "lstm" || hint.contains("streaming") && properties.isEmpty { return .streamingTransducer }
    return modelType.hasPrefix("EncDec") || hint.contains("nemo") ? .nemoTransducer : .transducer
  }

  private var pair: ModelKind? {
    if has(.tokenizer) { return .qwen3 }
    if parts[.encoder]?.lowercased().hasPrefix("encoder_model") == true { return .moonshineMerged }
    if modelType.hasPrefix("whisper") { return .whisper }
    if modelType == "EncDecMultiTaskModel" { return .canary }
    if modelType.hasPrefix("EncDec") || ["zipformer", "zipformer2", "conformer", "lstm"].contains(modelType) {
      return transducer
    }
    if modelType.hasPrefix("cohere") { return .cohere }
    if modelType.hasPrefix("paraformer") || properties["decoder_kernel_size"] != nil { return .streamingParaformer }
    if modelType.hasPrefix("fire-red") || properties["cmvn_mean"] != nil { return .fireRed }
    return named([
      ("whisper", .whisper), ("canary", .canary), ("cohere", .cohere), ("fire-red", .fireRed),
      ("paraformer", .streamingParaformer), ("moonshine", .moonshineMerged), ("transducer", transducer),
      ("zipformer", transducer),
    ])
  }

  private var single: ModelKind? {
    switch modelType {
    case "zipformer2", "zipformer2_ctc", "zipformer_ctc": isStreaming ? .streamingZipformerCTC : .zipformerCTC
    case "wenet_ctc": isStreaming ? nil : .wenetCTC
    case "telespeech_ctc": .telespeechCTC
    case "tdnn", "tdnn_lstm": .tdnn
    case "sense_voice_ctc": .senseVoice
    case "paraformer": .paraformer
    case "t-one": .streamingTone
    case "dolphin": .dolphin
    case "omnilingual-asr": .omnilingual
    case "medasr_ctc": .medASR
    case _ where modelType.hasPrefix("EncDec"): isStreaming ? .streamingNemoCTC : .nemoCTC
    case _ where modelType.hasPrefix("fire-red"): .fireRedCTC
    default: isStreaming ? streamingSingle : namedSingle
    }
  }

  private var streamingSingle: ModelKind? {
    if properties["cache_last_channel_dim1"] != nil { return .streamingNemoCTC }
    return properties["encoder_dims"] != nil ? .streamingZipformerCTC : nil
  }

  private var namedSingle: ModelKind? {
    named([
      ("sense-voice", .senseVoice), ("sensevoice", .senseVoice), ("paraformer", .paraformer), ("t-one", .streamingTone),
      ("telespeech", .telespeechCTC), ("dolphin", .dolphin), ("omnilingual", .omnilingual), ("medasr", .medASR),
      ("fire-red", .fireRedCTC), ("wenet", .wenetCTC), ("nemo", .nemoCTC), ("zipformer", .zipformerCTC),
      ("tdnn", .tdnn),
    ])
  }

  private func named(_ names: [(String, ModelKind)]) -> ModelKind? {
    names.first { hint.contains($0.0) }?.1
  }
}
