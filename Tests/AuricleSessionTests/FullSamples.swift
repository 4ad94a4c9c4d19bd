import AuricleAudio
import AuricleRecognition
import Foundation

@testable import AuricleSession

/// Reports and deliveries with everything that they can hold, with as little as they can, and broken ones.
enum FullSamples {
  private static func event(_ kind: SessionEvent.Kind, _ text: String) -> SessionEvent {
    var event = SessionEvent(
      kind, time: 0.5, details: ["reason": text], evidence: text,
      error: SessionEvent.Failure(domain: "auricle.recognition", code: "offline", message: text))
    event.moment = SessionEvent.Moment(millisecondsSince1970: 1_738_315_800_250, sessionSeconds: 1.25)
    return event
  }

  private static func transcript(_ text: String, index: Int = 0) -> Transcript {
    let segment = SpeakerSegment(
      speakerID: "0", span: Samples.span(0, 1), associatedTranscriptSequence: index, text: text)
    return Samples.final(index, text, 0, 1, speakers: [segment])
  }

  private static func report(_ text: String) -> RecordingReport {
    let context = ReportContext(
      provider: ReportProvider(vendor: text, model: text), source: text, language: "en", scene: "onSite",
      rawAudioFilePath: text, device: ReportDevice(name: text, description: text),
      consent: ReportConsent(participants: ["a", "b"], grantedAt: Samples.start, policyRevision: "1"))
    var builder = ReportBuilder(context: context, startTime: Samples.start)
    let entries: [ReportEntry] = [
      .transcript(transcript(text)), .event(event(.aiServiceNetworkError, text)), .audio(0..<16_000),
      .gap(AudioGap(frames: 16_000..<20_000, sampleRate: 16_000, reason: .sourceLost)),
      .notice(AudioNotice(.damagedAudio, text)), .failure(SessionFailure(domain: "d", code: "c", message: text)),
      .incomplete(.timedOut), .stopped(.disconnected), .ended(Samples.start),
    ]
    for entry in entries { builder.apply(entry) }
    return builder.current
  }

  /// Everything is there.
  static let report = report("words")

  /// Only what is always there.
  static let leastReport = ReportBuilder(context: ReportContext(provider: nil), startTime: Samples.start).current

  /// Anything that a report may be, with texts that are made to hurt.
  static func report(_ random: inout SeededRandom) -> RecordingReport {
    var text = Samples.nastyText(&random)
    if text.isEmpty { text = "x" }
    var report = report(text)
    if random.next() % 2 == 0 { report.provider = nil }
    if random.next() % 2 == 0 { report.scene = "spaceship" }
    if random.next() % 2 == 0 { (report.isIncomplete, report.incompleteReason) = (false, nil) }
    if random.next() % 2 == 0 { report.stopReason = StopReason(rawValue: 0, name: "newReason") }
    if random.next() % 2 == 0 { (report.device, report.consent) = (nil, nil) }
    report.isDestroyed = random.next() % 8 == 0
    if random.next() % 2 == 0 { report.transcripts = [] }
    report.revision = Int(random.next() % 5)
    report.startTime = Timestamp(millisecondsSince1970: Int64(random.next() % 4_000_000_000_000))
    report.endTime = report.startTime
    return report
  }

  /// One of each sort, everything in it, and what is open about it.
  static let deliveries: [SessionDelivery] = [
    .transcript(transcript("words")), .event(event(.aiServiceNetworkError, "why")),
    .failure(SessionFailure(domain: "auricle.device", code: "disconnected", message: "gone")),
    .recording(
      RecordingStatus(
        phase: .paused, seconds: 3, level: .silence, byteCount: 44, freeByteCount: 1 << 40, missingSeconds: 0.5,
        heardSeconds: 2)),
    .finish(report),
  ].map { SessionDelivery(emitted: 1.5, result: $0) }

  /// What no report and no line is: each a good one with one thing missing or of another sort.
  static func broken() throws -> (reports: [String], lines: [String]) {
    let whole = try object(JSONText.encode(report))
    let least = try object(JSONText.encode(leastReport))
    var reports = try whole.keys.sorted().map { key in try text(whole, key, wrong(whole[key])) }
    reports += try least.keys.sorted().map { key in try text(least, key, nil) }
    reports += try ["transcripts", "sessionEvents", "gaps", "speakers", "errors", "notices"].map { key in
      try text(whole, key, [[String: Any]()])
    }
    reports.append(try text(whole, "incompleteReason", nil))
    reports.append(try text(least, "incompleteReason", "timedOut"))
    reports.append(try text(whole, "startTime", "31 January 2025"))
    reports.append(try text(whole, "schemaVersion", 2))
    var lines: [String] = []
    for delivery in deliveries {
      let line = try object(LiveLine().line(delivery))
      for key in line.keys.sorted() where key != "type" {
        lines.append(try text(line, key, wrong(line[key])))
        let mayLack = ["timestamp", "timeSinceSessionStart", "evidence"].contains(key)
        let isOptional = mayLack || (key == "error" && line["type"] as? String == "event")
        if !isOptional { lines.append(try text(line, key, nil)) }
      }
      lines.append(try text(line, "type", nil))
      lines.append(try text(line, "type", 3))
    }
    return (reports, lines)
  }

  private static func object(_ json: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
  }

  /// Something of another sort.
  private static func wrong(_ value: Any?) -> Any { value is String ? [1] as Any : "seven" }

  private static func text(_ object: [String: Any], _ key: String, _ value: Any?) throws -> String {
    var object = object
    object[key] = value
    return String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }
}
