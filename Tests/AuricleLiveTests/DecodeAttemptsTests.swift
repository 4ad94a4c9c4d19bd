import Synchronization
import Testing

@testable import AuricleLive

@Suite("Attempts at one piece of audio")
struct DecodeAttemptsTests {
  private func attempts(
    _ urgency: DecodeRequest.Urgency = .final, speech: Int64 = 16_000, seconds: Int = 3, trailing: Int64 = 4_800
  ) -> DecodeAttempts {
    DecodeAttempts(
      request: DecodeRequest(
        id: 0, urgency: urgency, frames: 0..<Int64(seconds * 16_000), onsetFrame: 8_000, speechFrameCount: speech,
        trailingFrameCount: trailing),
      policy: LivePolicy(), samples: [Float](repeating: 0.5, count: seconds * 16_000))
  }

  @Test("The first text ends the search")
  func first() throws {
    var count = 0
    let text = try attempts().run { _ in
      count += 1
      return "words"
    }
    #expect(text == "words")
    #expect(count == 1)
  }

  @Test("Silence of the model is met with other cuts of the same audio")
  func retries() throws {
    var lengths: [Int] = []
    let text = try attempts().run { samples in
      lengths.append(samples.count)
      return lengths.count == 5 ? "at last" : ""
    }
    #expect(text == "at last")
    #expect(lengths == [48_000, 40_000, 44_800, 44_800, 38_400])
  }

  @Test("Where the audio ends with a word, the missing silence is put behind it", arguments: [0, 1_600, 3_200, 4_800])
  func clipEnd(trailing: Int64) throws {
    var lengths: [Int] = []
    _ = try attempts(trailing: trailing).run { samples in
      lengths.append(samples.count)
      return "words"
    }
    #expect(lengths == [48_000 + max(0, 3_200 - Int(trailing))])
  }

  @Test("A click is not worth six decodes, nor is a partial")
  func single() throws {
    var count = 0
    _ = try attempts(speech: 1_024).run { _ in
      count += 1
      return ""
    }
    _ = try attempts(.partial).run { _ in
      count += 1
      return ""
    }
    #expect(count == 2)
  }

  @Test("A loop is tried again, and cut short when nothing better comes")
  func loops() throws {
    var texts = ["a b a b a b a b", "good words"]
    let second = try attempts().run { _ in texts.removeFirst() }
    #expect(second == "good words")
    let cut = try attempts().run { _ in "so it so it so it so it" }
    #expect(cut == "so it")
  }

  @Test("A flood is no text")
  func flood() throws {
    let flood = (0..<200).map { "w\($0)" }.joined(separator: " ")
    let text = try attempts().run { _ in flood }
    #expect(text == "")
  }
}
