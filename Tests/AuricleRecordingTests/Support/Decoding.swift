import CSndFile
import Foundation

/// What libsndfile makes of a file.
struct Decoded {
  let rate: Int
  let channels: Int
  /// As the file claims.
  let claimedFrameCount: Int64
  let samples: [Int16]

  /// Decodes everything that can be decoded; `nil` when the library makes nothing of the file.
  init?(_ path: String, limit: Int = .max) {
    var information = SF_INFO()
    guard let handle = sf_open(path, Int32(SFM_READ), &information) else { return nil }
    defer { sf_close(handle) }
    (rate, channels) = (Int(information.samplerate), Int(information.channels))
    claimedFrameCount = information.frames
    var all: [Int16] = []
    var piece = [Int16](repeating: 0, count: 65_536 * channels)
    while all.count < limit {
      let count = Int(sf_readf_short(handle, &piece, 65_536))
      if count <= 0 { break }
      all += piece[..<(count * channels)]
    }
    samples = all
  }
}

/// What ffprobe says of a file's length.
func probedSeconds(_ path: String) throws -> Double? {
  let words = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
  return Double(String(decoding: try output(of: words), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
}

/// What ffmpeg decodes a file to.
func ffmpegSamples(_ path: String) throws -> [Int16] {
  let bytes = try output(of: ["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-f", "s16le", "-"])
  return bytes.withUnsafeBytes { bytes in
    (0..<bytes.count / 2).map { Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
  }
}

/// Whether ffmpeg and ffprobe are installed.
let hasFFmpeg = (try? output(of: ["ffprobe", "-version"])).map { !$0.isEmpty } ?? false

private func output(of words: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return data
}

enum Decoding {
  /// How many frames libsndfile takes a file for.
  static func claimedFrameCount(_ path: String) -> Int64? {
    var information = SF_INFO()
    guard let handle = sf_open(path, Int32(SFM_READ), &information) else { return nil }
    sf_close(handle)
    return information.frames
  }
}
