import AuricleAudio
import AuricleRecognition
import AuricleRecording
import Foundation
import Testing

@testable import AuricleSession

/// The schemas in `docs/schemas`, beside the types whose JSON they describe. That the JSON itself is as they say is found
/// out by `scripts/check-schemas.sh`, which has these tests write it.
@Suite("The schemas of reports and results")
struct SchemaTests {
  private typealias Object = [String: Any]

  private static func schema(_ name: String) throws -> Object {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: root.appending(path: "docs/schemas/\(name).schema.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? Object)
  }

  private static func properties(_ schema: Object, of definition: String? = nil) throws -> Set<String> {
    let definitions = schema["$defs"] as? Object
    let object = try #require(definition.map { definitions?[$0] as? Object } ?? schema)
    return Set(try #require(object["properties"] as? Object).keys)
  }

  /// The stored properties of a value; those of a consent hide behind its mirror.
  private static func properties(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }

  private static func keys(ofJSON text: String) throws -> Set<String> {
    Set(try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object).keys)
  }

  @Test("§4: Every field of a report stands in its schema, and nothing else does")
  func reportFields() throws {
    let schema = try Self.schema("report")
    let report = FullSamples.report
    #expect(try Self.properties(schema) == Self.properties(of: report))
    let parts: [(String, Any)] = [
      ("provider", try #require(report.provider)), ("audio", report.audio),
      ("transcript", try #require(report.transcripts.first)),
      ("speakerSegment", try #require(report.transcripts.first?.speakerSegments.first)),
      ("speaker", try #require(report.speakers.first)), ("event", try #require(report.sessionEvents.first)),
      ("gap", try #require(report.gaps.first)), ("notice", try #require(report.notices.first)),
      ("failure", try #require(report.errors.first)), ("device", try #require(report.device)),
    ]
    for (name, part) in parts { #expect(try Self.properties(schema, of: name) == Self.properties(of: part), "\(name)") }
    let consent = try JSONText.encode(try #require(report.consent))
    #expect(try Self.properties(schema, of: "consent") == Self.keys(ofJSON: consent))
    // And every part is there: a new one has to be added above.
    let definitions = try #require(schema["$defs"] as? Object)
    #expect(Set(definitions.keys) == Set(parts.map(\.0) + ["consent"]))
    // The sample leaves nothing out, so that what is checked below is everything.
    #expect(try Self.keys(ofJSON: JSONText.encode(report)) == Self.properties(of: report))
  }

  @Test("§4: Every field of a line stands in its schema, and nothing else does")
  func lineFields() throws {
    let schema = try Self.schema("result")
    var seen: Set<String> = []
    for delivery in FullSamples.deliveries {
      let line = try LiveLine(file: "a.wav").line(delivery)
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
      let type = try #require(object["type"] as? String)
      seen.insert(type)
      let expected = try Self.properties(schema, of: type).union(Self.properties(schema))
      #expect(Set(object.keys) == expected, "\(type)")
    }
    let definitions = try #require(schema["$defs"] as? Object)
    #expect(seen == Set(definitions.keys).subtracting(["failure"]))
  }

  @Test("§4: Nothing of a report is required that a report may lack")
  func required() throws {
    let schema = try Self.schema("report")
    let least = try Self.keys(ofJSON: JSONText.encode(FullSamples.leastReport))
    #expect(Set(try #require(schema["required"] as? [String])) == least)
  }

  @Test("§4: Generated reports and lines go to whoever checks them, and broken ones to be refused")
  func samples() throws {
    // Without a place to write to they are generated all the same.
    let folder = ProcessInfo.processInfo.environment["AURICLE_SCHEMA_SAMPLES"]
    func write(_ name: String, _ lines: [String]) throws {
      let text = lines.map { $0 + "\n" }.joined()
      if let folder { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    }
    var random = SeededRandom(seed: 4)
    let reports = [FullSamples.report, FullSamples.leastReport] + (0..<50).map { _ in FullSamples.report(&random) }
    for (number, report) in reports.enumerated() {
      try write("generated-\(number).report.json", [JSONText.encode(report, isPretty: number % 2 == 0)])
      #expect(try JSONDecoder().decode(RecordingReport.self, from: Data(JSONText.encode(report).utf8)) == report)
    }
    let writer = LiveLine()
    let deliveries = FullSamples.deliveries + reports.map { SessionDelivery(emitted: 1.5, result: .finish($0)) }
    try write("generated.results.jsonl", deliveries.map(writer.line))
    let broken = try FullSamples.broken()
    for (number, report) in broken.reports.enumerated() { try write("wrong-\(number).report.json", [report]) }
    try write("wrong-0.results.jsonl", broken.lines)
    #expect(broken.reports.count > 40 && broken.lines.count > 40)
  }
}
