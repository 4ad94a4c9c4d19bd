import AuricleAudio
import AuricleRecognition
import Foundation
import Testing

@testable import AuricleCapture

/// A source that delivers what a test pushes, when the test pushes it.
actor PushSource: AudioSource {
  nonisolated let format: AudioFormat
  nonisolated let expectedFrameCount: Int64? = nil
  private var waiting: [AudioChunk] = []
  private var isEnded = false
  private var failure: (any Error)?
  private var reader: CheckedContinuation<Void, Never>?
  private var frame: Int64 = 0

  init(_ format: AudioFormat) { self.format = format }

  func push(_ samples: [Float], format other: AudioFormat? = nil) {
    let block = PCMBlock(format: other ?? format, startFrame: frame, samples: samples)
    frame += Int64(block.frameCount)
    push(.audio(block))
  }

  func pushGap(_ frameCount: Int64) {
    push(.gap(AudioGap(frames: frame..<(frame + frameCount), sampleRate: format.sampleRate, reason: .overrun)))
    frame += frameCount
  }

  func end(throwing error: (any Error)? = nil) {
    isEnded = true
    failure = error
    wake()
  }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    while waiting.isEmpty, !isEnded, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { reader = $0 }
      } onCancel: {
        Task { await self.wake() }
      }
    }
    try Task.checkCancellation()
    if !waiting.isEmpty { return waiting.removeFirst() }
    if let failure { throw failure }
    return nil
  }

  private func push(_ chunk: AudioChunk) {
    waiting.append(chunk)
    wake()
  }

  private func wake() {
    reader?.resume()
    reader = nil
  }
}

/// A record over sources that a test pushes into.
struct RecordRig {
  let record: AudioRecord
  private let sources: Guarded<[PushSource]>
  let deviceFormat: AudioFormat

  init(
    device: (rate: Int, channels: Int) = (16_000, 1), wanted: (rate: Double, channels: UInt) = (16_000, 1),
    length: UInt, permission: RecordPermission = .granted
  ) throws {
    let format = try AudioFormat(sampleRate: device.rate, channelCount: device.channels)
    let sources = Guarded([PushSource]())
    let host = AudioRecordHost(
      permission: permission,
      openSource: RecordSource {
        let source = PushSource(format)
        sources.withLock { $0.append(source) }
        return source
      })
    deviceFormat = format
    self.sources = sources
    record = try AudioRecord(
      audioDataFormat: AudioDataFormat(channelCount: wanted.channels, sampleRate: wanted.rate), bufferLength: length,
      host: host)
  }

  var openCount: Int { sources.withLock { $0.count } }
  var source: PushSource { get throws { try #require(sources.withLock { $0.last }) } }
  var all: [Float] { get throws { try record.read(offset: 0, length: record.bufferLength).samples } }

  /// Waits until the record shows something.
  func wait(_ what: (Self) throws -> Bool) async throws {
    while try !what(self) { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// The code of the error that a body throws.
func expectCode(
  _ expected: TasksError.Code, _ words: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch {
    let error = error as? TasksError
    #expect(error?.code == expected, sourceLocation: sourceLocation)
    for word in words { #expect(error?.message.contains(word) == true, sourceLocation: sourceLocation) }
  }
}

/// A sine.
func tone(_ frequency: Double, rate: Int, frames: Int, channels: Int = 1) -> [Float] {
  (0..<frames * channels).map {
    Float(0.5 * sin(2 * .pi * frequency * Double($0 / channels) / Double(rate) + Double($0 % channels)))
  }
}
