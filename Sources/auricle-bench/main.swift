import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleSherpa
import Foundation

// Measures what the command line tool cannot: many live sessions at once in one process, on one model in memory; and
// what a device's callback costs, with many recordings of a sound server at once; and what reading the newest samples
// costs. Prints one line of JSON.

let usage = """
  usage: auricle-bench COUNT FILE
         auricle-bench callback [SERVER DEVICE]
         auricle-bench audio-record

  """

/// What a callback costs, and what recordings lose that run at once; `nil` where there is no server.
struct CaptureFigures: Encodable {
  let callback: CallbackLoad.Figures
  let captures: CaptureLoad.Figures?
}

func show(_ figures: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  print(String(decoding: try encoder.encode(figures), as: UTF8.self))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "callback", [1, 3].contains(arguments.count) {
  let callback = try CallbackLoad().run()
  let captures =
    arguments.count == 3
    ? try await CaptureLoad(server: arguments[1], device: arguments[2]).run() : try await CaptureLoad.runOnOwnServer()
  try show(CaptureFigures(callback: callback, captures: captures))
} else if arguments == ["audio-record"] {
  try show(try RecordLoad().run())
} else if arguments.count == 2, let count = Int(arguments[0]), count > 0 {
  try show(try await SessionLoad(sessionCount: count, path: arguments[1]).run())
} else {
  FileHandle.standardError.write(Data(usage.utf8))
  exit(64)
}
