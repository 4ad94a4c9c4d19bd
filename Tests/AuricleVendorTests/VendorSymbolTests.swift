import Foundation
import Testing

/// Where the table and the pages are; the pages are not part of a checkout, so they may not be there.
private enum Pages {
  static let checkout = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path
  static let folder = checkout + "/../shared/spec/systems"
  static let areThere = FileManager.default.fileExists(atPath: folder + "/tsai-audio-record.txt")
}

/// The table in `docs/vendor-symbols.md`, against the sources and against the pages.
@Suite("The table of the vendors' symbols")
struct VendorSymbolTests {
  private struct Row {
    let names: [String]
    let symbol: String
    let file: String
    let suite: String

    /// The parts of the symbol, without its arguments: the type, and what belongs to it.
    var parts: [String] { symbol.prefix { $0 != "(" }.split(separator: ".").map(String.init) }
    /// The names of the arguments; those without one are left out.
    var labels: [String] {
      guard let start = symbol.firstIndex(of: "(") else { return [] }
      return symbol[start...].split { "():".contains($0) }.map(String.init).filter { $0 != "_" }
    }
  }

  /// The names in the code and in the tables of the TSAI page.
  private static let tsai = """
    TSAIKit sharedInstance activeContext TSAIContext audioRecord TSAudioRecordInterface
    TSAIFeatureNormalAudioRecording TSAIFeatureAIAudioRecording TSAIFeatureCallAudioRecording
    TSAIAudioRecordConfig audioRouteConfiguration TSAIAudioRouteConfiguration None recordingScene TSAIAudioRecordScene
    language TSAILanguage TSAILanguageEnglishUS TSAILanguageAuto allowRecordingWhileOffline enableSpeakerDiarization
    defaultConfig TSAIAudioRecordSessionResult type text sentenceIndex isSentenceFinal speakerSegments eventType timestamp
    evidence details error transcripts sessionEvents rawAudioFilePath isStoppedByInterruption isOfflineRecording
    hadNetworkDisconnection languageCode sequence requestId timeSinceSessionStart TSAIAudioRecordSpeakerSegment speakerId
    startTimeMilliseconds endTimeMilliseconds associatedTranscriptSequence setNormalAudioRecordingMaximumDuration
    maximumDuration completion TSAICompletionBlock getNormalAudioRecordingMaximumDuration
    TSAudioRecordMaximumDurationResultBlock startNormalAudioRecording startCompletion finishHandler
    TSAudioRecordFinishHandler stopNormalAudioRecording TSAudioRecordStopReason startAIAudioRecordingWithConfig
    didReceiveAudioData TSAudioRecordDataReceivedBlock didReceiveSessionResult TSAIAudioRecordSessionResultHandler
    stopAIAudioRecording TSAIAudioRecordSessionResultTypeTranscript TSAIAudioRecordSessionResultTypeFinish
    registerOnRequestStartAIAudioRecording TSAIAudioRecordRequestStartBlock registerOnRequestStopAIAudioRecording
    registerAIAudioRecordingDidInterrupt TSAIAudioRecordInterruptBlock registerOnAIAudioRecordingVoiceDataReceived
    TSAudioRecordVoiceDataReceivedBlock registerAIAudioRecordingStateDidChanged TSAIAudioRecordStateBlock
    reportAIAudioRecordingStartSuccessWithScene reportAIAudioRecordingStoppedWithCompletion Unknown OnSite Call
    TSAIAudioRecordState Idle Starting Recording Stopping Interrupted TSAIAudioRecordInterruptReason LowBattery IncomingCall
    Other UserInitiated MaxDurationReached DeviceError StorageFull Disconnected TSAIAudioRecordSessionResultType Transcript
    Event Error Finish TSAudioRecordStopReasonUserInitiated
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// The names in the code and in the tables of the AIBuds page.
  private static let aiBuds = """
    AIBudsAISDK startAIAudioRecording config default onStartSuccess AIAudioRecordingSessionConvertible onStartFailure
    onTranscript transcriptData StreamSpeechASRModel onEvent AIAudioRecordingEventModel onError onFinish
    AIAudioRecordingReportModel stopAIAudioRecording startAIAudioRecordingWithConfig AIBudsAIAudioRecordingSessionConfig
    AIBudsAIAudioRecordingSessionConvertible AIBudsStreamSpeechASRModel AIBudsAIAudioRecordingEventModel
    AIBudsAIAudioRecordingReportModel AIAudioRecordingSessionConfig recordingScene onSite allowRecordingWhileOffline
    enableSpeakerDiarization languageForSpeechInput DeviceAudioRecordingAPI transcript initWithRecordingScene
    AIBudsRecordingSceneOnSite AIBudsDeviceAudioRecordingAPI startAIAudioRecordingWithScene completion
    AIAudioRecordingEventType AIAudioRecordingServiceAPI AIBuds AIBudsAI AIBudsAIFoundation
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// What the pages use and do not define: Foundation's names, and the examples' own. `isRecording` they name to say that
  /// there is none.
  private static let foreign: Set<String> = [
    "BOOL", "NSData", "NSError", "NSLog", "NSUInteger", "TSLog", "conformsToProtocol", "localizedDescription",
    "audioData",
    "currentSession", "recordingDevice", "isRecording",
  ]

  /// The rows of a section, up to the next.
  private func rows(_ section: String) throws -> [Row] {
    let text = try String(contentsOfFile: Pages.checkout + "/docs/vendor-symbols.md", encoding: .utf8)
    let part = text.components(separatedBy: "\n## ").first { $0.hasPrefix(section) } ?? ""
    return part.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
      let cells = line.split(separator: "|").map { cell in
        cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      }
      guard cells.count >= 4 else { return nil }
      return Row(names: cells[0], symbol: cells[1][0], file: cells[2][0], suite: cells[3][0])
    }
  }

  private func source(_ path: String) -> String? {
    try? String(contentsOfFile: "\(Pages.checkout)/\(path)", encoding: .utf8)
  }

  @Test("§10: Every symbol of the table is in its file", arguments: ["TSAIKit", "AIBuds"])
  func symbols(section: String) throws {
    let rows = try rows(section)
    #expect(rows.count > 20)
    for row in rows {
      let text = try #require(source(row.file), "\(row.file)")
      for part in row.parts {
        let declaration = "\\b(class|enum|struct|protocol|extension|typealias|func|var|let|case) `?\(part)\\b"
        #expect(try text.contains(Regex(declaration)), "\(part) of \(row.symbol) in \(row.file)")
      }
      for label in row.labels {
        #expect(try text.contains(Regex("\\b\(label)\\b[ a-z]*:")), "\(label) of \(row.symbol) in \(row.file)")
      }
    }
  }

  @Test("§10: Every suite of the table exists", arguments: ["TSAIKit", "AIBuds"])
  func suites(section: String) throws {
    let folder = Pages.checkout + "/Tests/AuricleVendorTests"
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    let tests = files.filter { $0.hasSuffix(".swift") }.compactMap { source("Tests/AuricleVendorTests/\($0)") }
    for suite in Set(try rows(section).map(\.suite)) {
      #expect(try tests.contains { try $0.contains(Regex("\\b(struct|class) \(suite)\\b")) }, "\(suite)")
    }
  }

  @Test("§10: Every name of the pages is in the table")
  func names() throws {
    for (section, names) in [("TSAIKit", Self.tsai), ("AIBuds", Self.aiBuds)] {
      let known = Set(try rows(section).flatMap(\.names))
      #expect(Set(names).subtracting(known).sorted() == [], "\(section)")
      #expect(names.count > 30)
    }
  }

  @Test("§10: No name of the pages is forgotten", .enabled(if: Pages.areThere))
  func pages() throws {
    let pages = [("tsai-audio-record.txt", Self.tsai), ("aibuds-ai-audio-recording.txt", Self.aiBuds)]
    for (page, names) in pages {
      let text = try String(contentsOfFile: "\(Pages.folder)/\(page)", encoding: .utf8)
      let words = Set(text.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) })
      // A name of code has a hump in it, or a vendor's letters before it.
      let code = words.filter { $0.contains(/[a-z0-9][A-Z]/) || $0.hasPrefix("TS") || $0.hasPrefix("AIBuds") }
      #expect(code.subtracting(names).subtracting(Self.foreign).sorted() == [], "\(page)")
    }
  }

  @Test("§10: AIBuds' Swift example stands in its test as on the page", .enabled(if: Pages.areThere))
  func example() throws {
    let page = try String(contentsOfFile: Pages.folder + "/aibuds-ai-audio-recording.txt", encoding: .utf8)
    let start = try #require(page.range(of: "let config = AIAudioRecordingSessionConfig("))
    let end = try #require(page.range(of: "\nObjective-C\n", range: start.upperBound..<page.endIndex))
    let example = Self.code(page[start.lowerBound..<end.lowerBound])
    let test = try #require(source("Tests/AuricleVendorTests/AIBuds/AIBudsExampleTests.swift"))
    #expect(example.count > 30)
    #expect(Self.code(test[...]).joined(separator: "\n").contains(example.joined(separator: "\n")))
  }

  /// The lines of code: without margins, and without the notes to the formatter.
  private static func code(_ text: Substring) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && $0 != "// swift-format-ignore" }
  }
}
