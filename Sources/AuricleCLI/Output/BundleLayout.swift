import AuricleSession

/// How the texts of several inputs follow each other in one stream.
struct BundleLayout {
  private let format: OutputFormat
  private let isBundle: Bool
  private var isFirst = true

  init(format: OutputFormat, inputCount: Int) {
    self.format = format
    isBundle = inputCount > 1
  }

  /// What stands before the next text.
  mutating func opening(name: String) -> String {
    defer { isFirst = false }
    guard isBundle else { return "" }
    switch format {
    case .export(.text): return (isFirst ? "" : "\n") + "==> \(PlainText.line(name)) <==\n"
    case .export(.json): return isFirst ? "[\n" : ",\n"
    case .export(.md), .export(.srt), .export(.vtt): return isFirst ? "" : "\n"
    case .jsonl: return ""
    }
  }

  /// What stands behind all.
  var ending: String {
    guard isBundle, format == .export(.json) else { return "" }
    return isFirst ? "[]\n" : "]\n"
  }
}
