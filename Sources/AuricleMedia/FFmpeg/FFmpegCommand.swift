/// How the `ffmpeg` program is run: on one file that is already open, without network, playlists or other files.
///
/// Its demuxers follow lists to other files and hosts if one lets them. So the formats are a fixed list without any
/// kind of playlist, the only protocol is `file`, and the only name that it hears is that of an open descriptor.
enum FFmpegCommand {
  /// Nothing for so long means that the program is stuck.
  static let stallSeconds: Int32 = 60
  /// The longest sound that is taken from one file.
  static let longestSeconds = 7 * 24 * 3_600
  /// The most memory that one of its allocations may take, in bytes.
  private static let largestAllocation = 256 << 20

  /// The demuxers that may run: containers of sound and of moving pictures, nothing that names other files.
  private static let formats = [
    "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dts", "eac3", "flac", "flv", "loas", "matroska",
    "mov", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "nistsphere", "ogg", "tta", "voc", "w64", "wav", "wv",
  ]

  /// What the program is told.
  static let arguments: [String] = [
    "-nostdin", "-hide_banner", "-loglevel", "error", "-max_alloc", String(largestAllocation),
    "-protocol_whitelist", "file", "-format_whitelist", formats.joined(separator: ","),
    "-i", "file:/dev/fd/\(ChildProcess.inputNumber)",
    "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-t", String(longestSeconds),
    "-f", "wav", "-c:a", "pcm_f32le", "pipe:1",
  ]

  /// The program's environment: what it needs to find its libraries, and messages in English.
  static var environment: [String] {
    let kept = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
      environmentVariable(name).map { "\(name)=\($0)" }
    }
    return kept + ["LC_ALL=C"]
  }
}
