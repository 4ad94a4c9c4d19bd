import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleSherpa
import Foundation

// Measures what the command line tool cannot: many live sessions at once in one process, on one model in memory.
// Usage: auricle-bench COUNT FILE; prints one line of JSON.

guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[1]), count > 0 else {
  FileHandle.standardError.write(Data("usage: auricle-bench COUNT FILE\n".utf8))
  exit(64)
}
let measured = try await SessionLoad(sessionCount: count, path: CommandLine.arguments[2]).run()
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print(String(decoding: try encoder.encode(measured), as: UTF8.self))
