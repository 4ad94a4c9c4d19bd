import AuricleRecognition
import Testing

@testable import AuricleSherpa

@Suite("A model's languages")
struct LanguageChoiceTests {
  private func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

  @Test("Without a wish it is the model's own, if it has only one")
  func own() throws {
    #expect(try LanguageChoice(known: ["en"]).language(nil) == "en")
    #expect(try LanguageChoice(known: ["en", "de"]).language(nil) == nil)
    #expect(try LanguageChoice(known: []).language(nil) == nil)
  }

  @Test("A region of a known language is known; a model that cannot say takes any")
  func known() throws {
    #expect(try LanguageChoice(known: ["en"]).language(tag("en-GB")) == "en-GB")
    #expect(try LanguageChoice(known: ["pt-BR"]).language(tag("pt")) == "pt")
    #expect(try LanguageChoice(known: []).language(tag("tlh")) == "tlh")
  }

  @Test("An unknown language is refused with what is known")
  func unknown() throws {
    let many = (0..<40).map { "a" + String(UnicodeScalar(97 + $0 % 26)!) }
    for (known, words) in [(["en", "de"], "en, de"), (many, "and 28 more")] {
      let wanted = try tag("tlh")
      let error = #expect(throws: RecognitionError.self) { try LanguageChoice(known: known).language(wanted) }
      #expect(error?.kind == .languageUnsupported)
      #expect(error?.message.contains(words) == true)
    }
  }
}
