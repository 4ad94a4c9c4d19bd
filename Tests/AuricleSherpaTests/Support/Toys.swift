import Foundation

@testable import AuricleSherpa

/// Toy models that a script writes: the engine loads and runs them like real ones. They say `low` and `high`.
enum Toys {
  /// The folder of a kind.
  static func folder(_ name: String) throws -> ModelFolder {
    ModelFolder(path: try made.get().path + "/" + name)
  }

  /// Written once for all tests, and removed with the process's temporary files.
  private static let made = Result<TemporaryFolder, any Error> {
    let home = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Places.python)
    process.arguments = [Places.checkout + "/scripts/toy_models.py", home.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return home
  }

  struct Failure: Error { let status: Int32 }

  /// A tone for a time in seconds: one of the toys' words, or silence between them.
  enum Sound {
    case low(Double)
    case high(Double)
    case silence(Double)

    var samples: [Float] {
      switch self {
      case .low(let seconds): Self.tone(300, seconds)
      case .high(let seconds): Self.tone(4_000, seconds)
      case .silence(let seconds): [Float](repeating: 0, count: Int(seconds * 16_000))
      }
    }

    /// Faded in and out, so that it does not click.
    private static func tone(_ hertz: Double, _ seconds: Double) -> [Float] {
      let count = Int(seconds * 16_000)
      return (0..<count).map { index in
        let fade = min(1, Double(min(index, count - index)) / 320)
        return Float(0.3 * fade * sin(2 * .pi * hertz * Double(index) / 16_000))
      }
    }
  }

  /// Sounds in a row.
  static func audio(_ sounds: Sound...) -> [Float] { sounds.flatMap(\.samples) }
}
