import AuricleRecognition
import AuricleTestKit
import Testing

@Suite("The stream of results", .timeLimit(.minutes(5)))
struct ResultStreamTests {
  private func transcript(_ index: Int, _ text: String, isFinal: Bool = false, sequence: Int = 0) -> RecognitionResult {
    .transcript(
      Transcript(
        sentenceIndex: index, text: text, stablePrefix: isFinal ? text : "", isSentenceFinal: isFinal,
        span: TimeSpan(frames: 0..<1, sampleRate: 16_000), languageCode: nil, sequence: sequence))
  }

  private func event(_ time: Double) -> RecognitionResult { .event(SessionEvent(.speechStarted, time: time)) }

  private func rest(of stream: ResultStream) async -> [RecognitionResult] {
    stream.finish()
    var results: [RecognitionResult] = []
    for await result in stream { results.append(result) }
    return results
  }

  @Test("Results come in order and then the end, again and again")
  func order() async {
    let stream = ResultStream()
    for time in 0..<5 { await stream.send(event(Double(time))) }
    #expect(await rest(of: stream) == (0..<5).map { event(Double($0)) })
    #expect(await stream.makeAsyncIterator().next() == nil)
  }

  @Test("A waiting text of an unfinished sentence is replaced by a newer one")
  func merges() async {
    let stream = ResultStream()
    for text in ["a", "a b", "a b c"] { await stream.send(transcript(0, text)) }
    #expect(await rest(of: stream) == [transcript(0, "a b c")])
  }

  @Test("It is replaced also across events, and waits behind them")
  func mergesAcrossEvents() async {
    let stream = ResultStream()
    for result in [transcript(0, "a"), event(1), transcript(0, "a b")] { await stream.send(result) }
    #expect(await rest(of: stream) == [event(1), transcript(0, "a b")])
  }

  @Test("Finals and other sentences are never merged")
  func keeps() async {
    let stream = ResultStream()
    let results = [
      transcript(0, "a"), transcript(0, "A.", isFinal: true), transcript(1, "b"), transcript(2, "c"),
      transcript(1, "b b"), transcript(2, "C.", isFinal: true), transcript(3, "D.", isFinal: true),
    ]
    for result in results { await stream.send(result) }
    #expect(await rest(of: stream) == results)
  }

  @Test("A full stream makes the sender wait until somebody reads")
  func backpressure() async {
    let stream = ResultStream(capacity: 1)
    await stream.send(event(0))
    let sender = Task { await stream.send(event(1)) }
    let iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == event(0))
    #expect(await iterator.next() == event(1))
    await sender.value
  }

  @Test("Finishing frees the senders and keeps their results")
  func finishKeeps() async {
    let stream = ResultStream(capacity: 1)
    await withTaskGroup(of: Void.self) { group in
      for time in 0..<10 { group.addTask { await stream.send(event(Double(time))) } }
      try? await Task.sleep(for: .milliseconds(20))
      stream.finish()
      await group.waitForAll()
    }
    await stream.send(event(99))
    let results = await rest(of: stream)
    #expect(results.count <= 10 && !results.contains(event(99)))
  }

  @Test("Cancelling frees senders and reader and drops what waits")
  func cancelDrops() async {
    let stream = ResultStream(capacity: 1)
    await stream.send(event(0))
    let sender = Task { await stream.send(event(1)) }
    stream.cancel()
    await sender.value
    #expect(await rest(of: stream).isEmpty)
    stream.cancel()

    let waiting = ResultStream()
    let reader = Task { await waiting.makeAsyncIterator().next() }
    waiting.cancel()
    #expect(await reader.value == nil)
  }

  @Test("A cancelled sender does not wait, and its result keeps its place")
  func cancelledSender() async {
    for _ in 0..<200 {
      let stream = ResultStream(capacity: 1)
      await stream.send(event(0))
      let sender = Task { await stream.send(event(1)) }
      sender.cancel()
      await sender.value
      #expect(await rest(of: stream) == [event(0), event(1)])
    }
  }

  @Test("A cancelled reader gets the end, and no result is lost by it")
  func cancelledReader() async {
    for _ in 0..<200 {
      let stream = ResultStream()
      let reader = Task { await stream.makeAsyncIterator().next() }
      reader.cancel()
      await stream.send(event(0))
      let read = await reader.value
      let rest = await rest(of: stream)
      #expect(read == nil && rest == [event(0)] || read == event(0) && rest.isEmpty)
    }
  }

  @Test("A reader whose place was taken cannot end the one who took it")
  func displacedReader() async {
    let stream = ResultStream()
    let first = Task { await stream.makeAsyncIterator().next() }
    for _ in 0..<50 { await Task.yield() }
    let second = Task { await stream.makeAsyncIterator().next() }
    #expect(await first.value == nil)
    first.cancel()
    await stream.send(event(0))
    #expect(await second.value == event(0))
  }

  @Test("Many results through a narrow stream, reader and sender at full speed: all arrive, in order")
  func race() async {
    let stream = ResultStream(capacity: 3)
    let count = 20_000
    async let sent: Void = {
      for time in 0..<count { await stream.send(event(Double(time))) }
      stream.finish()
    }()
    var next = 0
    for await result in stream {
      #expect(result == event(Double(next)))
      next += 1
    }
    await sent
    #expect(next == count)
  }

  @Test("Senders, readers and cancellation at once: nobody hangs and nothing comes twice")
  func chaos() async {
    for round in 0..<200 {
      let stream = ResultStream(capacity: 2)
      let read = await withTaskGroup(of: [RecognitionResult].self) { group in
        for time in 0..<8 {
          group.addTask {
            await stream.send(event(Double(time)))
            return []
          }
        }
        group.addTask {
          var results: [RecognitionResult] = []
          for await result in stream { results.append(result) }
          return results
        }
        group.addTask {
          for _ in 0..<(round % 7) { await Task.yield() }
          stream.cancel()
          return []
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(Set(read.map { "\($0)" }).count == read.count)
    }
  }
}
