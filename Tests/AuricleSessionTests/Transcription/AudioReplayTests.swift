import AuricleAudio
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("The latest audio of a source", .timeLimit(.minutes(5)))
struct AudioReplayTests {
  private let source = ListSource([])

  /// Ten blocks of 100 frames.
  private func filled(longest: Int64 = 10_000) -> AudioReplay {
    let replay = AudioReplay(longest: longest)
    for index in Int64(0)..<10 { replay.append(Samples.block(index * 100, 100)) }
    return replay
  }

  private func read(_ replay: AudioReplay, from frame: Int64) async throws -> [Range<Int64>] {
    let reader = ReplaySource(replay, from: frame, like: source)
    var ranges: [Range<Int64>] = []
    while let chunk = try await reader.next(maxFrames: 1_600) {
      switch chunk {
      case .audio(let block): ranges.append(block.frames)
      case .gap(let gap):
        #expect(gap.reason == .forgotten)
        ranges.append(gap.frames)
      case .notice: Issue.record("there was no notice")
      }
    }
    return ranges
  }

  @Test("Every reader hears all that is kept, from where it wants to begin", arguments: [0, 300, 350, 999])
  func reads(_ frame: Int64) async throws {
    let replay = filled()
    replay.close(.complete)
    let ranges = try await read(replay, from: frame)
    #expect(ranges.first?.contains(frame) == true && ranges.last == 900..<1_000)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(try await read(replay, from: frame) == ranges)
  }

  @Test("What is settled is forgotten, and who wants it nevertheless is told that it is missing")
  func forgets() async throws {
    let replay = filled()
    replay.forget(before: 450)
    replay.close(.complete)
    #expect(try await read(replay, from: 450) == [400..<500, 500..<600, 600..<700, 700..<800, 800..<900, 900..<1_000])
    #expect(try await read(replay, from: 100).first == 100..<400)
  }

  @Test("No more is kept than the limit says")
  func isBounded() async throws {
    let replay = filled(longest: 300)
    replay.close(.complete)
    #expect(try await read(replay, from: 0) == [0..<700, 700..<800, 800..<900, 900..<1_000])
  }

  @Test("The source is read only when a reader wants more")
  func followsDemand() async throws {
    let replay = filled()
    let filler = Task { await replay.waitForDemand() }
    let reader = ReplaySource(replay, from: 900, like: source)
    _ = try await reader.next(maxFrames: 1_600)
    async let next = reader.next(maxFrames: 1_600)
    #expect(await filler.value)
    replay.append(Samples.block(1_000, 100))
    guard case .audio(let block) = try await next else {
      Issue.record("the reader was given nothing")
      return
    }
    #expect(block.frames == 1_000..<1_100)
  }

  @Test("Waiting for a reader ends with its task")
  func demandIsCancelled() async {
    let replay = filled()
    let filler = Task { await replay.waitForDemand() }
    filler.cancel()
    #expect(await filler.value == false)
  }

  @Test("Waiting for audio ends with its task, and with the source's failure")
  func ends() async throws {
    let replay = filled()
    let reader = ReplaySource(replay, from: 1_000, like: source)
    let waiting = Task { try await reader.next(maxFrames: 1_600) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    let failure = SessionFailure(fromSource: AudioError(.readFailed, "the disk is gone"))
    replay.close(.failed(failure))
    await #expect(throws: SessionFailure.self) { _ = try await reader.next(maxFrames: 1_600) }
  }
}
