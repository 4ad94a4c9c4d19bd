import AuricleAudio
import AuricleCapture
import AuricleConsent
import AuricleRecognition
import AuricleRecording

/// Why no more was recorded.
struct PumpEnd: Sendable, Equatable {
  /// The reason, as reports have it.
  let reason: StopReason
  /// What went wrong; `nil` for a wanted end.
  var failure: SessionFailure?
  /// What showed that it has ended; the failure's message where there is a failure.
  var evidence: String?
  /// How many frames are missing, pauses left out.
  var missingFrames: Int64 = 0
}

/// Carries a source into its file until one of them ends; waits for nobody else.
struct RecordingPump<C: Clock>: Sendable where C.Duration == Duration {
  /// The most frames that are read at once: a tenth of a second at 48 kHz.
  static var blockFrameCount: Int { 4_800 }
  /// How long a device that was told to stop may give nothing before it is not waited for any more.
  static var quietLimit: Duration { .milliseconds(500) }
  /// How often that is waited for: a device that does not heed its end is left after three seconds.
  static var quietCount: Int { 6 }

  let input: RecordingInput
  let gate: ConsentGate
  let writer: any RecordingWriter
  let log: RecordingLog
  let queue: DeliveryQueue
  let desk: NewsDesk
  let stop: StopSignal
  let clock: C
  /// How many frames may be recorded, and why no more.
  let limit: (frameCount: Int64, reason: StopReason)?
  /// Below so much room on the disk, in bytes, that is told.
  let lowStorage: Int64
  /// Tells when nothing comes; `nil` when nobody looks.
  let stalls: StallWatch<C>?
  /// Told that the first audio is written.
  let onFirstAudio: @Sendable () -> Void
  /// Says how far the recogniser is, in seconds.
  let heardSeconds: @Sendable () -> Double?
  /// Says that nobody reads what is written any more.
  let isUnread: @Sendable () -> Bool
  /// Told when no more audio is taken.
  let onEnd: @Sendable (PumpEnd) async -> Void

  private static var withdrawal: PumpEnd { PumpEnd(reason: .userInitiated, evidence: "consent was withdrawn") }

  private let chunkCount = Guarded(0)

  /// Records to the end, lets go of the source, and closes the file.
  func run() async -> PumpEnd {
    var end = await feedUntilStopped()
    // First, so that nobody resumes what has ended.
    await onEnd(end)
    // Whatever ended it, nothing is heard from here on: neither while the file is closed nor while words are waited for.
    gate.pause()
    input.end?()
    do {
      try writer.finish()
    } catch {
      end.failure = end.failure ?? SessionFailure(fromRecording: error)
    }
    return end
  }

  private func feedUntilStopped() async -> PumpEnd {
    await withTaskGroup(of: PumpEnd?.self) { group in
      group.addTask { await feed() }
      group.addTask { await quieten() }
      if let stalls {
        group.addTask {
          await stalls.run(mayBeQuiet: { gate.state != .open }) {
            note(AudioNotice(.stalled(after: $0, frame: writer.frameCount)))
          }
          return nil
        }
      }
      var end: PumpEnd?
      for await ended in group {
        group.cancelAll()
        end = end ?? ended
      }
      return end ?? PumpEnd(reason: .interrupted)
    }
  }

  /// Waits until it is stopped; what a device has heard by then still comes, unless consent was withdrawn.
  private func quieten() async -> PumpEnd? {
    guard await stop.wait() else { return nil }
    if gate.state == .withdrawn { return Self.withdrawal }
    guard let endSource = input.end else { return nil }
    endSource()
    var before = -1
    for _ in 0..<Self.quietCount where !Task.isCancelled && before != chunkCount.withLock({ $0 }) {
      before = chunkCount.withLock { $0 }
      try? await clock.sleep(for: Self.quietLimit)
    }
    return nil
  }

  private func feed() async -> PumpEnd {
    var passage = Passage(writer.format)
    var end = await feed(through: &passage)
    perform(passage.gaps.stop())
    end.missingFrames = passage.gaps.missingFrames
    post(&passage)
    return end
  }

  private func feed(through passage: inout Passage) async -> PumpEnd {
    do {
      while true {
        if gate.state == .withdrawn { return Self.withdrawal }
        if stop.isStopped, input.end == nil { return PumpEnd(reason: .userInitiated) }
        let room = limit.map { $0.frameCount - writer.frameCount } ?? .max
        if room <= 0, let limit { return PumpEnd(reason: limit.reason, evidence: "it is as long as it was to be") }
        let most = Int(min(Int64(Self.blockFrameCount), room))
        guard let chunk = try await input.source.next(maxFrames: most) else {
          let end = PumpEnd(reason: .userInitiated, evidence: "the source came to its end")
          return gate.state == .withdrawn ? Self.withdrawal : end
        }
        // What nobody agrees to any more is not missing.
        if case .gap = chunk, gate.state == .withdrawn { return Self.withdrawal }
        chunkCount.withLock { $0 += 1 }
        if let failure = write(chunk, room: room, through: &passage) {
          return PumpEnd(reason: failure.isStorageFull ? .storageFull : .deviceError, failure: failure)
        }
      }
    } catch is CancellationError {
      return PumpEnd(reason: stop.isStopped ? .userInitiated : .interrupted)
    } catch {
      return PumpEnd(sourceFailure: SessionFailure(fromSource: error))
    }
  }

  /// Where the next frame will stand.
  private var seconds: Double { writer.format.seconds(writer.frameCount) }

  /// - Returns: What went wrong with the file.
  private func write(_ chunk: AudioChunk, room: Int64, through passage: inout Passage) -> SessionFailure? {
    do {
      if writer.frameCount == 0, !chunk.isNotice { onFirstAudio() }
      if !chunk.isNotice, stalls?.arrived() == true { note(AudioNotice(.restored(frame: writer.frameCount))) }
      switch chunk {
      case .audio(let block):
        let block = block.cut(to: room)
        try writer.append(block)
        perform(passage.gaps.end())
        passage.meter.add(block)
        for event in passage.watch.heard(block) { note(AudioNotice(event)) }
      case .gap(let gap):
        let gap = gap.cut(to: room)
        try writer.append(gap)
        perform(passage.gaps.add(gap))
        passage.watch.missed(gap)
        passage.meter.skip(Int64(gap.frames.count))
      case .notice(let notice): note(notice)
      }
      if passage.isStatusDue {
        post(&passage)
        lookAtRoom(&passage)
        if !passage.hasDroppedTails, isUnread() {
          passage.hasDroppedTails = true
          writer.dropTails()
        }
      }
      return nil
    } catch {
      return SessionFailure(fromRecording: error)
    }
  }

  /// Something about the source; it has its place behind what is written.
  private func note(_ notice: AudioNotice) {
    log.note(.notice(ReportNotice(notice)))
    desk.tell(SessionEvent(captured: notice, time: seconds))
  }

  private func perform(_ actions: [GapTracker.Action]) {
    for action in actions {
      switch action {
      case .note(let gap): log.note(.gap(JournalGap(gap)))
      case .tell(let event): desk.tell(event)
      }
    }
  }

  private func lookAtRoom(_ passage: inout Passage) {
    guard !passage.hasToldLowStorage, let free = writer.freeByteCount, free < lowStorage else { return }
    passage.hasToldLowStorage = true
    desk.tell(
      SessionEvent(
        .storageLow, time: seconds, details: ["freeByteCount": "\(free)"],
        evidence: "the disk of the recording has \(free >> 20) MiB left"))
  }

  private func post(_ passage: inout Passage) {
    let format = writer.format
    let status = RecordingStatus(
      phase: gate.state == .paused ? .paused : .recording, seconds: format.seconds(writer.frameCount),
      level: passage.meter.read(), byteCount: writer.byteCount, freeByteCount: writer.freeByteCount,
      missingSeconds: format.seconds(passage.gaps.missingFrames), heardSeconds: heardSeconds())
    queue.post(.recording(status))
  }
}

/// What a pump keeps in mind from chunk to chunk.
private struct Passage: Sendable {
  let rate: Int
  var watch: InputWatch
  var gaps = GapTracker()
  var meter = LevelMeter()
  var hasDroppedTails = false
  var hasToldLowStorage = false

  init(_ format: AudioFormat) {
    rate = format.sampleRate
    watch = InputWatch(format: format)
  }

  /// A status is worth its while twenty times a second.
  var isStatusDue: Bool { meter.pendingFrameCount * 20 >= Int64(rate) }
}

extension SessionFailure {
  fileprivate var isStorageFull: Bool {
    domain == Self.recordingDomain && code == RecordingError.Kind.storageFull.name
  }
}

extension PumpEnd {
  /// The end that a source's failure makes.
  fileprivate init(sourceFailure failure: SessionFailure) {
    let isGone = failure.code == AudioError.Kind.deviceLost.name
    self.init(reason: isGone ? .disconnected : .deviceError, failure: failure)
  }
}

extension AudioChunk {
  fileprivate var isNotice: Bool { if case .notice = self { true } else { false } }
}

extension PCMBlock {
  /// The block, no longer than so many frames.
  fileprivate func cut(to room: Int64) -> PCMBlock {
    guard Int64(frameCount) > room else { return self }
    return PCMBlock(
      format: format, startFrame: startFrame, samples: Array(samples.prefix(Int(room) * format.channelCount)))
  }
}

extension AudioGap {
  /// The gap, no longer than so many frames.
  fileprivate func cut(to frameCount: Int64) -> AudioGap {
    guard Int64(frames.count) > frameCount else { return self }
    let end = frames.lowerBound + frameCount
    return AudioGap(frames: frames.lowerBound..<end, sampleRate: sampleRate, reason: reason)
  }
}
