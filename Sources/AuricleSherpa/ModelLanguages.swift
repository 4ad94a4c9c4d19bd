import AuricleRecognition

extension ModelEvidence {
  /// The languages that a model knows, where something says; else none.
  func languages(of kind: ModelKind) -> [String] {
    switch kind {
    case .whisper: whisperLanguages
    case .senseVoice: senseVoiceLanguages
    case .canary: published.isEmpty ? ["en", "es", "de", "fr"] : published
    case .streamingTone: ["ru"]
    default: published
    }
  }

  private var whisperLanguages: [String] {
    let isEnglish = (parts[.encoder] ?? "").contains(".en") || properties["is_multilingual"] == "0"
    if isEnglish { return ["en"] }
    return valid((properties["all_language_codes"] ?? "").split(separator: ",").map(String.init))
  }

  private var senseVoiceLanguages: [String] {
    let known = ["zh", "en", "ja", "ko", "yue"]
    let told = known.filter { properties["lang_\($0)"] != nil }
    return told.isEmpty ? known : told
  }

  /// The languages in a name of the engine's own releases: `sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20`.
  private var published: [String] {
    guard hint.hasPrefix("sherpa-onnx-") else { return [] }
    let known: Set<String> = [
      "ar", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu",
      "id", "it", "ja", "ka", "kk", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th",
      "tr", "uk", "vi", "yue", "zh",
    ]
    return hint.split { "-_".contains($0) }.map(String.init).filter(known.contains)
  }

  private func valid(_ codes: [String]) -> [String] {
    codes.filter { LanguageTag($0) != nil }
  }
}
