import AuricleRecognition

/// Writes deliveries as JSON lines, the live stream of `auricle transcribe --format jsonl`.
///
/// Every line is one object and has `type` (transcript, event, error, recording, finish) and `emitted`.
public struct LiveLine: Sendable {
  /// The value of the field `file`; `nil` leaves the field out.
  public let file: String?

  /// Creates a writer.
  public init(file: String? = nil) { self.file = file }

  /// One line, without the line break.
  /// - Throws: `EncodingError`, when a report cannot be encoded.
  public func line(_ delivery: SessionDelivery) throws -> String {
    var fields = Fields()
    fields.add("type", string: Self.type(delivery.result))
    if let file { fields.add("file", string: file) }
    fields.add("emitted", number: delivery.emitted)
    switch delivery.result {
    case .transcript(let transcript): add(transcript, to: &fields)
    case .event(let event): add(event, to: &fields)
    case .failure(let failure):
      fields.add("code", string: failure.code)
      fields.add("domain", string: failure.domain)
      fields.add("message", string: failure.message)
    case .recording(let status): add(status, to: &fields)
    case .finish(let report): fields.add("report", json: try JSONText.encode(report))
    }
    return fields.object
  }

  private static func type(_ result: SessionResult) -> String {
    switch result {
    case .transcript: "transcript"
    case .event: "event"
    case .failure: "error"
    case .recording: "recording"
    case .finish: "finish"
    }
  }

  private func add(_ transcript: Transcript, to fields: inout Fields) {
    let span = roundedSpan(start: transcript.span.start, end: transcript.span.end)
    fields.add("sentenceIndex", json: "\(transcript.sentenceIndex)")
    fields.add("text", string: transcript.text)
    fields.add("stableText", string: transcript.stablePrefix)
    fields.add("isFinal", json: "\(transcript.isSentenceFinal)")
    fields.add("start", number: span.start)
    fields.add("end", number: span.end)
    fields.add("language", json: transcript.languageCode.map(JSONText.string) ?? "null")
  }

  private func add(_ status: RecordingStatus, to fields: inout Fields) {
    fields.add("phase", string: status.phase.rawValue)
    fields.add("seconds", number: status.seconds)
    fields.add("peak", number: Double(status.level.peak))
    fields.add("rms", number: Double(status.level.rms))
    fields.add("isClipping", json: "\(status.level.isClipping)")
    fields.add("byteCount", json: "\(status.byteCount)")
    fields.add("freeByteCount", json: status.freeByteCount.map { "\($0)" } ?? "null")
    fields.add("missingSeconds", number: status.missingSeconds)
    fields.add("heardSeconds", json: status.heardSeconds.map { "\(milliseconds($0))" } ?? "null")
  }

  private func add(_ event: SessionEvent, to fields: inout Fields) {
    var details = Fields()
    for (key, value) in event.details.sorted(by: { $0.key < $1.key }) { details.add(key, string: value) }
    fields.add("event", string: event.kind.name)
    fields.add("time", number: event.time)
    fields.add("details", json: details.object)
    if let moment = event.moment {
      let timestamp = Timestamp(millisecondsSince1970: moment.millisecondsSince1970)
      fields.add("timestamp", string: timestamp.description)
      fields.add("timeSinceSessionStart", number: moment.sessionSeconds)
    }
    if let evidence = event.evidence { fields.add("evidence", string: evidence) }
    guard let error = event.error else { return }
    var parts = Fields()
    parts.add("code", string: error.code)
    parts.add("domain", string: error.domain)
    parts.add("message", string: error.message)
    fields.add("error", json: parts.object)
  }
}

/// The fields of a JSON object, in the order in which they were added.
private struct Fields {
  private var members: [String] = []

  var object: String { "{" + members.joined(separator: ",") + "}" }

  mutating func add(_ name: String, json: String) { members.append(JSONText.string(name) + ":" + json) }
  mutating func add(_ name: String, string: String) { add(name, json: JSONText.string(string)) }
  mutating func add(_ name: String, number: Double) { add(name, json: "\(milliseconds(number))") }
}
