@testable import AuricleLive
import Testing

@Suite("Promised words")
struct StablePrefixTests {
  private func policy(heldBack: Int, agreeing: Int) -> LivePolicy {
    var policy = LivePolicy()
    policy.heldBackWords = heldBack
    policy.agreeingPartials = agreeing
    return policy
  }

  @Test("A word is promised when enough partials agree and enough words stand behind it")
  func promises() {
    var prefix = StablePrefix(policy: policy(heldBack: 2, agreeing: 2))
    #expect(prefix.take("And so my fellow").stablePrefix == "")
    #expect(prefix.take("And so, my fellow Americans").stablePrefix == "And so,")
    #expect(prefix.take("And so my fellow Americans ask").stablePrefix == "And so my")
  }

  @Test("Case and punctuation do not count")
  func normalized() {
    var prefix = StablePrefix(policy: policy(heldBack: 0, agreeing: 2))
    _ = prefix.take("hello, World")
    #expect(prefix.take("Hello world!").stablePrefix == "Hello world!")
  }

  @Test("A partial that contradicts a promise keeps the promised words")
  func contradicted() {
    var prefix = StablePrefix(policy: policy(heldBack: 1, agreeing: 2))
    _ = prefix.take("one two three four")
    _ = prefix.take("one two three four")
    let (text, stable) = prefix.take("one too three four five")
    #expect(Words.normalized(text) == ["one", "two", "three", "four", "five"])
    #expect(Words.normalized(stable).starts(with: ["one", "two", "three"]))
  }

  @Test("A final text that is shorter than the promise is the promise")
  func shortFinal() {
    var prefix = StablePrefix(policy: policy(heldBack: 0, agreeing: 1))
    _ = prefix.take("one two three")
    #expect(prefix.final("") == "one two three")
    #expect(prefix.final("One, two, three and four.") == "One, two, three and four.")
  }

  @Test("Whatever comes, promises only grow and begin every text", arguments: 0..<60)
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var prefix = StablePrefix(policy: policy(heldBack: seed % 4, agreeing: 1 + seed % 3))
    var before: [String] = []
    for _ in 0..<40 {
      let words = (0..<Int.random(in: 0...9, using: &generator)).map { index in
        Int.random(in: 0...5, using: &generator) == 0 ? "x\(index)!" : ["A,", "b", "—", "C."][index % 4]
      }
      let (text, stable) = prefix.take(words.joined(separator: " "))
      let promised = Words.normalized(stable)
      #expect(promised.starts(with: before))
      #expect(Words.normalized(text).starts(with: promised))
      before = promised
    }
    #expect(Words.normalized(prefix.final("something else")).starts(with: before))
  }
}
