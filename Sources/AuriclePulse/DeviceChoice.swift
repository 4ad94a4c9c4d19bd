import AuricleAudio
import AuricleCapture

extension [CaptureDevice] {
  /// The device of a name, or the default one if none is named.
  ///
  /// A server without a microphone makes a monitor its default; that is never taken unless it is named, because it
  /// hears what the machine plays and not who speaks.
  /// - Throws: `AudioError` of kind `notFound`, which says what there is.
  func chosen(_ name: String?) throws(AudioError) -> CaptureDevice {
    guard let name else { return try chosenByDefault() }
    if let device = first(where: { $0.name == name }) { return device }
    let question = closest(to: name).map { "; did you mean \(printable($0))?" } ?? ""
    throw AudioError(.notFound, "there is no source named '\(printable(name))'\(question) (\(inventory))")
  }

  private func chosenByDefault() throws(AudioError) -> CaptureDevice {
    guard let device = first(where: \.isDefault) else {
      throw AudioError(.notFound, "the sound server has no default source; name one with --source (\(inventory))")
    }
    guard !device.isMonitor else {
      throw AudioError(
        .notFound,
        "the default source, \(printable(device.name)), is no microphone but hears what is played; "
          + "name it with --source to record that (\(inventory))")
    }
    return device
  }

  /// All names, as far as they fit into a sentence.
  private var inventory: String {
    guard !isEmpty else { return "it has no sources at all" }
    let shown = prefix(8).map { printable($0.name) }.joined(separator: ", ")
    return "there \(count == 1 ? "is" : "are") \(shown)\(count > 8 ? " and \(count - 8) more" : "")"
  }

  /// The name that was probably meant: one that holds what was given, or starts and ends alike.
  private func closest(to wanted: String) -> String? {
    let wanted = wanted.lowercased()
    if wanted.count >= 3, let device = first(where: { $0.name.lowercased().contains(wanted) }) { return device.name }
    let ranked = map { (likeness(wanted, $0.name.lowercased()), $0.name) }
    guard let best = ranked.max(by: { $0.0 < $1.0 }), best.0 >= 2 / 3.0 else { return nil }
    return best.1
  }
}

/// How much of two words is the same from both ends, 0…1.
private func likeness(_ left: String, _ right: String) -> Double {
  let start = zip(left, right).prefix { $0 == $1 }.count
  let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
  let longer = max(left.count, right.count, 1)
  return Double(min(start + end, min(left.count, right.count))) / Double(longer)
}
