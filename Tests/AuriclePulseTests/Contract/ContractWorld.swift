import AuricleAudio
import AuricleCapture
import AuricleMedia
import AuriclePulse
import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

/// The sources over which the contract is run: each is a sine of 440 Hz, at the speed of life.
enum ContractSource: CaseIterable, CustomTestStringConvertible, Sendable {
  case scripted, file, pulse

  /// All that can run here.
  static let here = allCases.filter { $0 != .pulse || PulseServer.isInstalled }

  var testDescription: String {
    switch self {
    case .scripted: "over a scripted source"
    case .file: "over a file"
    case .pulse: "over PulseAudio"
    }
  }
}

/// One source of a kind, which can be opened again and again, and what became of each opening.
final class ContractWorld: Sendable {
  let sink: PulseServer.Sink
  let server: PulseServer?
  let permission = Guarded(CapturePermission.granted)
  /// Thrown by the next opening.
  let refusal = Guarded<AudioError?>(nil)
  /// Whether the next block holds a sample that is no number.
  let isBroken = Guarded(false)
  private let openings = Guarded(0)
  private let living = Guarded(0)
  private let samples: [Float]
  private let path: String?

  /// - Parameter seconds: How long the sine lasts, where it ends by itself.
  init(_ kind: ContractSource, rate: Int = 48_000, channels: Int = 2, seconds: Int = 10) async throws {
    sink = PulseServer.Sink("contract", sampleRate: rate, channelCount: channels)
    samples = kind == .pulse ? [] : Self.sine(sink, seconds)
    switch kind {
    case .scripted: (server, path) = (nil, nil)
    case .file:
      let place = "/tmp/auricle-contract-\(UUID().uuidString).wav"
      try Data(wav: samples, of: sink).write(to: URL(filePath: place))
      (server, path) = (nil, place)
    case .pulse:
      let server = try await PulseServer(sinks: [sink])
      try await server.playSine(440, on: sink)
      (self.server, path) = (server, nil)
    }
  }

  deinit { if let path { try? FileManager.default.removeItem(atPath: path) } }

  var openCount: Int { openings.withLock { $0 } }
  /// How many sources that were opened are still held.
  var livingCount: Int { living.withLock { $0 } }

  var host: AudioRecordHost {
    AudioRecordHost(
      permission: RecordPermission { self.permission.withLock { $0 } }, openSource: .waiting { try await self.open() })
  }

  private func open() async throws -> any AudioSource {
    openings.withLock { $0 += 1 }
    if let refusal = refusal.withLock({ $0 }) { throw refusal }
    let source: any AudioSource
    if let server {
      source = try await PulseSource.open(device: sink.monitorName, gate: .opened(), server: server.address)
    } else if let path {
      source = PacedSource(try await FileSource(path: path))
    } else {
      let format = try AudioFormat(sampleRate: sink.sampleRate, channelCount: sink.channelCount)
      source = PacedSource(ScriptedSource(format: format, samples: samples))
    }
    return ObservedSource(source, isBroken: isBroken, living: living)
  }

  private static func sine(_ sink: PulseServer.Sink, _ seconds: Int) -> [Float] {
    (0..<seconds * sink.sampleRate * sink.channelCount).map { index in
      Float(0.5 * sin(2 * .pi * 440 * Double(index / sink.channelCount) / Double(sink.sampleRate)))
    }
  }
}

/// Any source, of which it is seen how long it is held, and whose samples a test can break.
private final class ObservedSource: AudioSource {
  let format: AudioFormat
  let expectedFrameCount: Int64?
  private let source: any AudioSource
  private let isBroken: Guarded<Bool>
  private let living: Guarded<Int>

  init(_ source: any AudioSource, isBroken: Guarded<Bool>, living: Guarded<Int>) {
    self.source = source
    self.isBroken = isBroken
    self.living = living
    format = source.format
    expectedFrameCount = source.expectedFrameCount
    living.withLock { $0 += 1 }
  }

  deinit { living.withLock { $0 -= 1 } }

  func next(maxFrames: Int) async throws -> AudioChunk? {
    let chunk = try await source.next(maxFrames: maxFrames)
    guard case .audio(let block) = chunk, isBroken.withLock({ $0 }) else { return chunk }
    let samples = [.nan] + block.samples.dropFirst()
    return .audio(PCMBlock(format: block.format, startFrame: block.startFrame, samples: samples))
  }
}

extension Data {
  /// A WAV file of 32-bit floats.
  fileprivate init(wav samples: [Float], of sink: PulseServer.Sink) {
    self.init()
    func add(_ text: String) { append(contentsOf: text.utf8) }
    func add(_ number: some FixedWidthInteger) {
      Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
    let byteCount = samples.count * 4
    add("RIFF")
    add(UInt32(36 + byteCount))
    add("WAVEfmt ")
    add(UInt32(16))
    add(UInt16(3))
    add(UInt16(sink.channelCount))
    add(UInt32(sink.sampleRate))
    add(UInt32(sink.sampleRate * sink.channelCount * 4))
    add(UInt16(sink.channelCount * 4))
    add(UInt16(32))
    add("data")
    add(UInt32(byteCount))
    samples.withUnsafeBytes { append(contentsOf: $0) }
  }
}

/// Runs what may wait on a thread of its own, so that none of those that tasks share is held up.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
