/// A language that is spoken into a recording.
///
/// The page names `Unknown`, `Auto` and `EnglishUS` and no raw values; the others and all numbers are ours.
public enum TSAILanguage: Int, Sendable, CaseIterable {
  /// The program's own language.
  case unknown = 0
  /// Whatever is spoken. No recording starts with it.
  case auto = 1
  /// English, United States.
  case englishUS = 2
  /// English, United Kingdom.
  case englishUK = 3
  /// Chinese, simplified.
  case chineseSimplified = 4
  /// Chinese, traditional.
  case chineseTraditional = 5
  /// Cantonese.
  case cantonese = 6
  /// Japanese.
  case japanese = 7
  /// Korean.
  case korean = 8
  /// German.
  case german = 9
  /// French.
  case french = 10
  /// Spanish, Spain.
  case spanish = 11
  /// Portuguese, Brazil.
  case portugueseBrazil = 12
  /// Portuguese, Portugal.
  case portuguese = 13
  /// Italian.
  case italian = 14
  /// Dutch.
  case dutch = 15
  /// Russian.
  case russian = 16
  /// Ukrainian.
  case ukrainian = 17
  /// Polish.
  case polish = 18
  /// Turkish.
  case turkish = 19
  /// Arabic.
  case arabic = 20
  /// Hindi.
  case hindi = 21
  /// Thai.
  case thai = 22
  /// Vietnamese.
  case vietnamese = 23
  /// Indonesian.
  case indonesian = 24

  /// The language, BCP 47; `nil` for the program's own. Of ``auto`` it is `auto`, which is no language and is refused.
  public var languageCode: String? { Self.codes[self] }

  private static let codes: [TSAILanguage: String] = [
    .auto: "auto", .englishUS: "en-US", .englishUK: "en-GB", .chineseSimplified: "zh-CN", .chineseTraditional: "zh-TW",
    .cantonese: "yue-HK", .japanese: "ja-JP", .korean: "ko-KR", .german: "de-DE", .french: "fr-FR", .spanish: "es-ES",
    .portugueseBrazil: "pt-BR", .portuguese: "pt-PT", .italian: "it-IT", .dutch: "nl-NL", .russian: "ru-RU",
    .ukrainian: "uk-UA", .polish: "pl-PL", .turkish: "tr-TR", .arabic: "ar-SA", .hindi: "hi-IN", .thai: "th-TH",
    .vietnamese: "vi-VN", .indonesian: "id-ID",
  ]
}
