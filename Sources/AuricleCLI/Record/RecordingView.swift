import AuricleAudio
import AuricleSession
import Foundation

/// The foot of a terminal while it records: that it does, how loud, where from and where to, and the words so far.
///
/// A value: it knows no terminal and no clock, only the moments that it is told.
struct RecordingView: Equatable {
  /// The device or stream that is recorded.
  let source: String
  /// The name of the file.
  let file: String
  /// Whether keys are heard.
  let hasKeys: Bool
  /// How it stands.
  private(set) var status = RecordingStatus(
    phase: .recording, seconds: 0, level: .silence, byteCount: 0, freeByteCount: nil)
  /// The unfinished sentence.
  var words = LiveWords()
  /// Whether colours and dimming may be used.
  var hasStyle = true
  /// When the recording last grew.
  var movedAt = Duration.zero
  /// Whether nothing has come for so long that it must be said.
  private(set) var isStill = false
  /// Where the level last reached the end of the scale, in seconds.
  private var clippedAt: Double?

  /// For how many seconds the mark of clipping stays.
  static let clippingSeconds = 2.0
  /// For how long nothing may come before that is shown.
  static let stillLimit = Duration.seconds(2)

  init(source: String, file: String, hasKeys: Bool) {
    self.source = PlainText.line(source)
    self.file = PlainText.line(file)
    self.hasKeys = hasKeys
  }

  /// Takes how it stands at a moment.
  mutating func take(_ status: RecordingStatus, at now: Duration) {
    if status.seconds != self.status.seconds || status.phase != self.status.phase { movedAt = now }
    self.status = status
    look(at: now)
    if status.level.isClipping { clippedAt = status.seconds }
  }

  /// It is so late now.
  mutating func look(at now: Duration) {
    isStill = status.phase != .finishing && now - movedAt >= Self.stillLimit
  }

  /// The lines with their control sequences, each shorter than the terminal is wide.
  func rendered(width: Int) -> [String] {
    var lines = [line(first, width), line(second, width)]
    if !words.isEmpty { lines.append(words.rendered(width: max(0, width - 1), hasStyle: hasStyle)) }
    return lines
  }

  private var isClipping: Bool { clippedAt.map { status.seconds - $0 < Self.clippingSeconds } ?? false }

  private var first: [StyledText] {
    let time = ClockTime(seconds: status.seconds).short
    switch status.phase {
    case .recording where isStill:
      return [StyledText("○ WAITING \(time)", .notice), StyledText("no sound arrives", .notice), StyledText(source)]
    case .recording:
      let clip = isClipping ? [StyledText("CLIPPING", .alarm)] : []
      return [StyledText("● REC \(time)", .alarm), StyledText(LevelBar.text(status.level))] + clip + [
        StyledText(source)
      ]
    case .paused:
      return [StyledText("‖ PAUSED \(time)", .notice), StyledText("nothing is recorded"), StyledText(source)]
    case .finishing:
      let heard = status.heardSeconds.map { ", text up to \(ClockTime(seconds: $0).short)" } ?? ""
      return [StyledText("■ SAVED \(time)"), StyledText("waiting for the last words" + heard)]
    }
  }

  private var second: [StyledText] {
    var parts = [StyledText("\(file) \(ByteCount.text(status.byteCount))")]
    if let free = status.freeByteCount { parts.append(StyledText("\(ByteCount.text(free)) free")) }
    if status.missingSeconds > 0 {
      parts.append(StyledText("\(LengthText.seconds(status.missingSeconds)) lost", .alarm))
    }
    return parts + keys.map { StyledText($0, .quiet) }
  }

  private var keys: [String] {
    guard hasKeys else { return status.phase == .finishing ? [] : ["Ctrl-C stops"] }
    switch status.phase {
    case .recording: return ["space pauses, q stops"]
    case .paused: return ["space resumes, q stops"]
    case .finishing: return ["Ctrl-C does not wait"]
    }
  }

  /// As many parts as fit, two spaces between; the first is cut rather than left out.
  private func line(_ parts: [StyledText], _ width: Int) -> String {
    var left = width - 1
    var shown: [String] = []
    for (index, part) in parts.enumerated() {
      let room = left - (index == 0 ? 0 : 2)
      let text = index == 0 ? TextWidth.fitted(part.text, to: room) : part.text
      guard TextWidth.of(text) <= room else { continue }
      left = room - TextWidth.of(text)
      shown.append(StyledText(text, part.style).rendered(hasStyle: hasStyle))
    }
    return shown.joined(separator: "  ")
  }
}

/// A text and how it is to look.
private struct StyledText {
  enum Style: String {
    case plain = ""
    case alarm = "1;31"
    case notice = "1;33"
    case quiet = "2"
  }

  let text: String
  let style: Style

  init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }

  func rendered(hasStyle: Bool) -> String {
    hasStyle && style != .plain && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// A level as a bar, from -60 dB to full scale.
enum LevelBar {
  static let width = 12
  private static let floor = -60.0

  static func text(_ level: AudioLevel) -> String {
    let share = (decibels(level.peak) - floor) / -floor
    let full = Int((min(1, max(0, share)) * Double(width)).rounded())
    return String(repeating: "▮", count: full) + String(repeating: "▯", count: width - full)
  }

  private static func decibels(_ peak: Float) -> Double {
    peak > 0 ? max(floor, 20 * log10(Double(min(peak, 1)))) : floor
  }
}

/// Sizes of files as people read them.
enum ByteCount {
  static func text(_ count: Int64) -> String {
    var (value, unit) = (Double(max(0, count)), 0)
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    if unit == 0 { return "\(Int(value)) B" }
    let tenths = Int((value * 10).rounded())
    return value < 99.95 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }

  private static let units = ["B", "kB", "MB", "GB", "TB"]
}

/// Lengths as people read them.
enum LengthText {
  /// Seconds with two digits below one minute, else minutes and hours.
  static func seconds(_ seconds: Double) -> String {
    guard seconds < 60 else { return ClockTime(seconds: seconds).short }
    let hundredths = Int((max(0, seconds) * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}
