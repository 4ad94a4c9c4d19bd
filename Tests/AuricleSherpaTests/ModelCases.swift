@testable import AuricleSherpa

/// Listings as the published models have them; weights of one part each, with the decoys that stand beside them.
enum ModelCases {
  private typealias Case = ModelLayoutTests.Case
  private static let tokens: [ModelPart: String] = [.tokens: "tokens.txt"]

  static let all: [ModelLayoutTests.Case] = moonshine + pairs + transducers + singles + streamingSingles + others

  private static let moonshine: [Case] = [
    Case(
      kind: .moonshine,
      files: [
        "preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx", "tokens.txt",
        "LICENSE",
      ],
      taken: [
        .preprocessor: "preprocess.onnx", .encoder: "encode.int8.onnx", .uncachedDecoder: "uncached_decode.int8.onnx",
        .cachedDecoder: "cached_decode.int8.onnx", .tokens: "tokens.txt",
      ]),
    merged("encoder_model.onnx", "decoder_model_merged.onnx"),
    merged("encoder_model.ort", "decoder_model_merged.ort"),
    merged("encoder_model_quantized.onnx", "decoder_model_merged_quantized.onnx"),
  ]

  private static func merged(_ encoder: String, _ decoder: String) -> Case {
    Case(
      kind: .moonshineMerged, files: [encoder, decoder, "tokens.txt", "model.json"],
      taken: [.encoder: encoder, .mergedDecoder: decoder, .tokens: "tokens.txt"])
  }

  private static let pairs: [Case] = [
    Case(
      kind: .whisper,
      files: [
        "tiny.en-encoder.onnx", "tiny.en-encoder.int8.onnx", "tiny.en-decoder.onnx", "tiny.en-decoder.int8.onnx",
        "tiny.en-tokens.txt",
      ], metadata: ["model_type": "whisper-tiny.en"],
      taken: [
        .encoder: "tiny.en-encoder.int8.onnx", .decoder: "tiny.en-decoder.int8.onnx", .tokens: "tiny.en-tokens.txt",
      ]),
    pair(.canary, ["model_type": "EncDecMultiTaskModel"]),
    pair(.fireRed, ["cmvn_mean": "0", "num_decoder_layers": "16"]),
    pair(.cohere, [:], hint: "sherpa-onnx-cohere-transcribe-14-lang"),
    pair(.streamingParaformer, ["model_type": "paraformer", "decoder_kernel_size": "11"]),
  ]

  private static func pair(_ kind: ModelKind, _ metadata: [String: String], hint: String = "m") -> Case {
    Case(
      kind: kind, files: ["encoder.int8.onnx", "decoder.int8.onnx", "tokens.txt"], metadata: metadata, hint: hint,
      taken: [.encoder: "encoder.int8.onnx", .decoder: "decoder.int8.onnx", .tokens: "tokens.txt"])
  }

  private static let transducers: [Case] = [
    transducer(.transducer, ["model_type": "zipformer2"]),
    transducer(.transducer, ["model_type": "conformer"]),
    transducer(.transducer, [:]),
    transducer(.nemoTransducer, ["model_type": "EncDecRNNTBPEModel", "subsampling_factor": "8"]),
    transducer(.nemoTransducer, [:], hint: "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8"),
    transducer(.streamingTransducer, ["model_type": "zipformer2", "decode_chunk_len": "32", "T": "45"]),
    transducer(.streamingTransducer, ["model_type": "zipformer", "decode_chunk_len": "32", "T": "39"]),
    transducer(.streamingTransducer, ["model_type": "conformer", "decode_chunk_len": "32", "T": "38"]),
    transducer(.streamingTransducer, ["model_type": "lstm", "T": "9"]),
    transducer(.streamingTransducer, ["model_type": "EncDecRNNTBPEModel", "window_size": "17", "chunk_shift": "8"]),
    transducer(.streamingTransducer, [:], hint: "sherpa-onnx-streaming-zipformer-en"),
  ]

  private static func transducer(_ kind: ModelKind, _ metadata: [String: String], hint: String = "m") -> Case {
    let stem = "-epoch-99-avg-1-chunk-16-left-128"
    return Case(
      kind: kind,
      files: [
        "encoder\(stem).onnx", "encoder\(stem).int8.onnx", "decoder\(stem).onnx", "joiner\(stem).int8.onnx",
        "tokens.txt", "bpe.model",
      ], folders: ["test_wavs"], metadata: metadata, hint: hint,
      taken: [
        .encoder: "encoder\(stem).int8.onnx", .decoder: "decoder\(stem).onnx", .joiner: "joiner\(stem).int8.onnx",
        .tokens: "tokens.txt",
      ])
  }

  private static let singleTypes: [(ModelKind, String)] = [
    (.paraformer, "paraformer"), (.senseVoice, "sense_voice_ctc"), (.nemoCTC, "EncDecCTCModelBPE"),
    (.nemoCTC, "EncDecCTCModel"), (.nemoCTC, "EncDecHybridRNNTCTCBPEModel"), (.zipformerCTC, "zipformer2_ctc"),
    (.telespeechCTC, "telespeech_ctc"), (.tdnn, "tdnn"), (.dolphin, "dolphin"), (.omnilingual, "omnilingual-asr"),
    (.medASR, "medasr_ctc"), (.fireRedCTC, "fire-red-asr-2-ctc"), (.wenetCTC, "wenet_ctc"),
  ]

  private static let singles: [Case] =
    singleTypes.map { single($0.0, ["model_type": $0.1]) } + [
      single(.senseVoice, [:], hint: "sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17"),
      single(.fireRedCTC, [:], hint: "sherpa-onnx-fire-red-asr2-ctc-zh_en-int8"),
    ]

  private static let streamingSingles: [Case] = [
    single(.streamingZipformerCTC, ["model_type": "zipformer2", "decode_chunk_len": "32"]),
    single(.streamingZipformerCTC, ["encoder_dims": "192", "decode_chunk_len": "32"]),
    single(.streamingNemoCTC, ["model_type": "EncDecCTCModelBPE", "window_size": "17", "chunk_shift": "8"]),
    single(.streamingNemoCTC, ["window_size": "17", "chunk_shift": "8", "cache_last_channel_dim1": "17"]),
    single(.streamingTone, ["model_type": "t-one", "frame_length_ms": "300"]),
  ]

  private static func single(_ kind: ModelKind, _ metadata: [String: String], hint: String = "m") -> Case {
    Case(
      kind: kind, files: ["model.onnx", "model.int8.onnx", "model-streaming.int8.onnx", "tokens.txt"],
      metadata: metadata, hint: hint, taken: [.model: "model.int8.onnx", .tokens: "tokens.txt"])
  }

  private static let others: [Case] = [
    Case(
      kind: .funASRNano, files: ["encoder_adaptor.int8.onnx", "llm.int8.onnx", "embedding.int8.onnx"],
      folders: ["Qwen3-0.6B", "test_wavs"],
      taken: [
        .encoderAdaptor: "encoder_adaptor.int8.onnx", .languageModel: "llm.int8.onnx",
        .embedding: "embedding.int8.onnx", .tokenizer: "Qwen3-0.6B",
      ]),
    Case(
      kind: .qwen3, files: ["conv_frontend.onnx", "encoder.int8.onnx", "decoder.int8.onnx"], folders: ["tokenizer"],
      taken: [
        .convolution: "conv_frontend.onnx", .encoder: "encoder.int8.onnx", .decoder: "decoder.int8.onnx",
        .tokenizer: "tokenizer",
      ]),
  ]
}
