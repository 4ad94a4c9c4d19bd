import AuricleAudio
import AuricleRecording
import Foundation

// Records 16-bit samples from standard input as fast as they come:
//   RecordingProbe FOLDER wav|flac|opus RATE CHANNELS
// Each block is reported on standard output once it was appended, as the number of frames so far.
signal(SIGXFSZ, SIG_IGN)
let words = CommandLine.arguments
guard words.count == 5, let format = RecordingFormat(rawValue: words[2]), let rate = Int(words[3]),
  let channels = Int(words[4])
else { exit(64) }

do {
  let audio = try AudioFormat(sampleRate: rate, channelCount: channels)
  let recorder = try Recorder(
    folder: RecordingFolder(path: words[1]), format: format, audio: audio, limits: RecorderLimits(freeByteFloor: 0))
  do {
    try record(into: recorder)
  } catch {
    try recorder.finish()
    throw error
  }
  try recorder.finish()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

func record(into recorder: Recorder) throws {
  var decoder = RawPCMDecoder(encoding: .s16le, channelCount: recorder.audio.channelCount)
  var frame: Int64 = 0
  while case let data = FileHandle.standardInput.availableData, !data.isEmpty {
    let samples = data.withUnsafeBytes { decoder.decode($0) }
    let block = PCMBlock(format: recorder.audio, startFrame: frame, samples: samples)
    try recorder.append(block)
    frame = block.frames.upperBound
    FileHandle.standardOutput.write(Data("\(frame)\n".utf8))
  }
}
