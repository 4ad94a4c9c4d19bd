import AuricleAudio
import AuricleRecognition

/// When the first audio was fed.
final class StartMark<Instant: Sendable>: Sendable {
  private let state = Guarded<Instant?>(nil)

  /// The instant, if there was one.
  var instant: Instant? { state.withLock { $0 } }

  /// Keeps the first instant, no later one.
  func set(_ instant: Instant) {
    state.withLock { if $0 == nil { $0 = instant } }
  }
}

/// What became of the audio.
struct Feed: Sendable {
  /// Why no more was fed.
  enum End: Sendable {
    /// The source was at its end.
    case complete
    /// Somebody stopped it, or the recogniser was through before the source.
    case cut
    /// The source failed, or the recogniser refused to go on.
    case failed(SessionFailure)
  }

  /// What the report is told of the audio.
  private(set) var entries: [ReportEntry] = []
  /// Why no more was fed.
  var end = End.complete

  /// Notes frames that were fed; those that follow on make one entry.
  mutating func note(_ frames: Range<Int64>) {
    if case .audio(let before) = entries.last, before.upperBound == frames.lowerBound {
      entries[entries.count - 1] = .audio(before.lowerBound..<frames.upperBound)
    } else {
      entries.append(.audio(frames))
    }
  }

  /// Notes something else.
  mutating func note(_ entry: ReportEntry) { entries.append(entry) }

  /// Where the audio ends, in frames.
  var endFrame: Int64 {
    for entry in entries.reversed() {
      if case .audio(let frames) = entry { return frames.upperBound }
      if case .gap(let gap) = entry { return gap.frames.upperBound }
    }
    return 0
  }
}

extension TranscriptionRun {
  /// Reads the source, as far as it is wanted, until it ends, fails, or the stop signal is thrown.
  func pump() async -> Feed {
    let outcome = await withTaskGroup(of: Feed?.self) { group in
      group.addTask { await feed() }
      group.addTask { [stop] in
        _ = await stop.wait()
        return nil
      }
      var outcome = Feed()
      for await ended in group {
        group.cancelAll()
        outcome = ended ?? outcome
      }
      return outcome
    }
    replay.close(outcome.end)
    return outcome
  }

  private func feed() async -> Feed {
    var feed = Feed()
    do {
      while await replay.waitForDemand(), !stop.isStopped {
        guard let chunk = try await source.next(maxFrames: Self.blockFrameCount) else { return feed }
        await take(chunk, into: &feed)
      }
      feed.end = .cut
    } catch is CancellationError {
      feed.end = .cut
    } catch {
      feed.end = .failed(SessionFailure(fromSource: error))
    }
    return feed
  }

  private func take(_ chunk: AudioChunk, into feed: inout Feed) async {
    switch chunk {
    case .audio(let block):
      mark.set(clock.now)
      feed.note(block.frames)
    case .gap(let gap):
      await queue.send(.event(SessionEvent(gap)))
      feed.note(.gap(gap))
    case .notice(let notice):
      let time = source.format.seconds(feed.endFrame)
      await queue.send(.event(SessionEvent(notice, time: time)))
      feed.note(.notice(notice))
    }
    replay.append(chunk)
  }
}

extension SessionEvent {
  /// Missing audio as an event.
  init(_ gap: AudioGap) {
    let gap = ReportGap(gap)
    self.init(
      .audioDropped, time: gap.start, details: ["start": "\(gap.start)", "end": "\(gap.end)", "reason": gap.reason])
  }

  /// A notice as an event.
  init(_ notice: AudioNotice, time: Double) {
    self.init(.audioNotice, time: time, details: ["kind": notice.kind.name, "message": notice.message])
  }
}
