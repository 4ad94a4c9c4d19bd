import AuricleAudio
import AuricleMedia
import Foundation

@testable import AuricleSherpa

/// What the tests find beside the sources; what is not there makes tests be skipped.
enum Places {
  static let checkout: String = {
    var url = URL(filePath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()
  static let deps = checkout + "/.deps"
  static let model = deps + "/models/moonshine-base-en"
  static let python = deps + "/venv/bin/python"
  static let hasModel = exists(model + "/tokens.txt") && exists(deps + "/models/silero_vad.onnx") && hasEngine
  static let hasEngine = exists(deps + "/sherpa-onnx/lib")
  static let hasPython = exists(python) && hasEngine
  static let speech = [
    checkout + "/../shared/audio/english/jfk_16k.wav", checkout + "/.deps/test-data/beckett.wav",
  ].first(where: exists)

  private static let ownPath =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  /// The command line tool, which is built with the tests and has the command that a probe starts.
  static let tool = [
    URL(fileURLWithPath: ownPath).deletingLastPathComponent().path + "/auricle",
    checkout + "/.build/debug/auricle",
  ].first(where: exists)

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// A recording as 16,000 Hz mono.
  static func samples(_ path: String) async throws -> [Float] {
    let source = try await SpeechSource(FileSource(path: path))
    var samples: [Float] = []
    while let chunk = try await source.next(maxFrames: 16_000) {
      if case .audio(let block) = chunk { samples += block.samples }
    }
    return samples
  }
}

/// Audio as chunks.
enum Chunks {
  /// Blocks of so many frames, in order.
  static func of(_ samples: [Float], size: Int, from start: Int64 = 0) -> [AudioChunk] {
    stride(from: 0, to: samples.count, by: size).map { index in
      .audio(
        PCMBlock(
          format: .speech, startFrame: start + Int64(index),
          samples: Array(samples[index..<min(index + size, samples.count)])))
    }
  }
}
