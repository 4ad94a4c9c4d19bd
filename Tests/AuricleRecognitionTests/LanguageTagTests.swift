import AuricleRecognition
import Testing

@Suite("Language tags")
struct LanguageTagTests {
  @Test(
    "Well formed, in their usual case",
    arguments: [
      ("en", "en"), ("EN", "en"), ("en-us", "en-US"), ("zh-hant-tw", "zh-Hant-TW"), ("ZH-YUE", "zh-yue"),
      ("zh-cmn-HANS-cn", "zh-cmn-Hans-CN"), ("es-419", "es-419"), ("sl-rozaj-biske", "sl-rozaj-biske"),
      ("de-CH-1901", "de-CH-1901"), ("DE-1996", "de-1996"), ("en-u-CO-Phonebk", "en-u-co-phonebk"),
      ("en-a-bbb-x-a-ccc", "en-a-bbb-x-a-ccc"), ("en-x-1", "en-x-1"), ("haw", "haw"), ("sr-Latn-RS", "sr-Latn-RS"),
    ])
  func wellFormed(text: String, expected: String) {
    #expect(LanguageTag(text)?.description == expected)
  }

  @Test(
    "Malformed",
    arguments: [
      "", "-", "e", "en-", "-en", "en--US", "en_US", "english", "auto", "AUTO", "12", "e1", "en US", " en", "en ", "é1",
      "en-toolongsubtag", "en-US-US-US", "en-Latn-Latn", "en-a", "en-x", "en-a-bb-a-cc", "de-1901-1901", "x-private",
      "i-klingon", "en-US-Latn", "日本", "en-\u{301}us", "en\n", "a-DE", "en-u", "en-u-x-a",
      String(repeating: "en-", count: 100) + "us",
    ])
  func malformed(text: String) {
    #expect(LanguageTag(text) == nil)
  }

  @Test("The primary language")
  func primary() {
    #expect(LanguageTag("PT-br")?.primary == "pt")
    #expect(LanguageTag("haw")?.primary == "haw")
  }

  @Test("Tags that differ only in case are one")
  func equality() {
    #expect(LanguageTag("en-GB") == LanguageTag("EN-gb"))
    #expect(LanguageTag("en-GB") != LanguageTag("en"))
  }
}
