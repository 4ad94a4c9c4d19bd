@testable import AuricleLive
import Testing

@Suite("Texts that nobody said")
struct TextGuardTests {
  @Test("Speech passes, also with words said twice")
  func speech() {
    #expect(TextGuard.accepts("It was the best of times, it was the worst of times, it was", seconds: 4))
    #expect(TextGuard.accepts("no no no", seconds: 1))
  }

  @Test("A run of words four times in a row is a loop", arguments: [1, 2, 3, 6])
  func loops(length: Int) {
    let run = (0..<length).map { "w\($0)" }.joined(separator: " ")
    let text = "before " + [String](repeating: run, count: 4).joined(separator: " ")
    #expect(!TextGuard.accepts(text, seconds: 100))
    #expect(TextGuard.withoutLoop(text) == "before " + run)
  }

  @Test("More characters than a mouth can say are a flood")
  func flood() {
    #expect(!TextGuard.accepts(String(repeating: "abcd efgh ", count: 20), seconds: 2))
  }

  @Test("Nothing is a text, too")
  func empty() {
    #expect(TextGuard.accepts("", seconds: 0))
    #expect(TextGuard.withoutLoop("") == "")
  }
}
