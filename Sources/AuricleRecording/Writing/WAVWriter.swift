import AuricleAudio

/// A WAV that is valid at any moment: samples first, then the header that counts them, in one write.
final class WAVWriter: AudioWriter {
  let file: OpenFile
  private(set) var frameCount: Int64 = 0
  private let layout: WAVLayout

  /// Writes the header of an empty file.
  init(_ file: OpenFile, _ format: AudioFormat) throws(WriteFault) {
    self.file = file
    layout = WAVLayout(format: format)
    try writeHeader()
  }

  /// Where the first sample is, in bytes from the start.
  var dataOffset: Int64 { Int64(layout.dataOffset) }
  var settledFrameCount: Int64 { frameCount }
  var byteCount: Int64 { offset(of: frameCount) }

  func write(_ samples: [Int16]) throws(WriteFault) {
    let written = samples.withUnsafeBytes { file.write($0, at: byteCount) }
    frameCount += Int64(written.byteCount / layout.bytesPerFrame)
    if let error = written.error { throw .system(error) }
    try writeHeader()
  }

  func writeSilence(_ frameCount: Int64) throws(WriteFault) -> Int64 {
    let end = offset(of: self.frameCount + frameCount)
    try WriteFault.watching { () throws(SystemError) in try file.resize(to: end) }
    self.frameCount += frameCount
    try writeHeader()
    return frameCount
  }

  func finish() throws(WriteFault) { try writeHeader() }

  func mend() throws(WriteFault) {
    try WriteFault.watching { () throws(SystemError) in try file.resize(to: byteCount) }
    try writeHeader()
  }

  private func offset(of frame: Int64) -> Int64 { dataOffset + frame * Int64(layout.bytesPerFrame) }

  private func writeHeader() throws(WriteFault) {
    let bytes = layout.header(dataByteCount: frameCount * Int64(layout.bytesPerFrame))
    try WriteFault.watching { () throws(SystemError) in try file.writeAll(bytes, at: 0) }
  }
}
