import AuricleCallbacks
import AuricleConsent
import AuricleSession
import AuricleTSAI
import AuricleTestKit
import Foundation
import Testing

/// The Objective-C examples of the TSAI page, carried over call by call, and what the host adds to them.
///
/// They run on what is process-wide, so one after the other.
@MainActor
@Suite("The examples of the TSAI page", .serialized, .timeLimit(.minutes(5)))
final class TSAIExampleTests {
  private let stage: Stage
  private let lines = Lines()

  init() throws {
    stage = try Stage()
    TSAIKit.environment = stage.environment
    TSAIKit.consentProvider = { ConsentRecordSample.record }
  }

  private func TSLog(_ line: String) { lines.add(line) }

  @Test("§10: Interface and feature query")
  func interface() {
    let context = TSAIKit.sharedInstance().activeContext
    let audioRecord: any TSAudioRecordInterface = context.audioRecord
    #expect(audioRecord === TSAIKit.sharedInstance().activeContext.audioRecord)
    #expect(context.isFeatureSupported([.normalAudioRecording, .aiAudioRecording, .callAudioRecording]))
    #expect(!context.isFeatureSupported([]) && !context.isFeatureSupported(TSAIFeature(rawValue: 1)))
  }

  @Test("§10: Normal recording")
  func normal() async {
    let audioRecord = TSAIKit.sharedInstance().activeContext.audioRecord
    audioRecord.startNormalAudioRecording(
      { success, error in
        if !success {
          self.TSLog("Normal recording failed to start: \(error?.localizedDescription ?? "")")
        } else {
          self.TSLog("running")
        }
      },
      finishHandler: { reason, error in
        self.TSLog("Normal recording ended: \(reason.rawValue)")
      })
    #expect(await lines.wait(for: "running"))
    audioRecord.stopNormalAudioRecording { success, _ in self.TSLog("stopped \(success)") }
    #expect(await lines.wait(for: "Normal recording ended: 1"))
    #expect(await lines.wait(for: "stopped true"))
    #expect(lines.all.count == 3 && lines.all.first == "running", "\(lines.all)")
    #expect(stage.openCount == 1 && stage.fileCount == 1)
  }

  @Test("§10: AI recording")
  func recording() async throws {
    let audioRecord = TSAIKit.sharedInstance().activeContext.audioRecord
    let config = TSAIAudioRecordConfig.default()
    config.language = .englishUS
    config.enableSpeakerDiarization = true
    var byteCount = 0
    audioRecord.startAIAudioRecording(
      with: config,
      startCompletion: { success, error in
        if !success {
          self.TSLog("AI recording failed to start: \(error?.localizedDescription ?? "")")
        }
      },
      didReceiveAudioData: { audioData in
        // Avoid blocking I/O in this high-frequency callback.
        byteCount += audioData.count
      },
      didReceiveSessionResult: { result in
        if result.type == .transcript {
          self.TSLog("Transcript: \(result.text ?? "")")
        } else if result.type == .finish {
          self.TSLog("Session complete: \(result.transcripts.compactMap(\.text))")
        }
      },
      finishHandler: { reason, error in
        self.TSLog("Audio stream ended: \(reason.rawValue)")
      })
    #expect(await lines.wait(for: "Transcript: Ask what you."))
    audioRecord.stopAIAudioRecording { success, error in
      self.TSLog("Device stop request: \(success ? "handled" : error?.localizedDescription ?? "")")
    }
    #expect(await lines.wait(for: "Session complete"))
    #expect(await lines.wait(for: "Device stop request: handled"))
    #expect(lines.all.contains("Audio stream ended: 1"))
    #expect(lines.all.contains(#"Session complete: ["Ask not what.", "Ask what you."]"#), "\(lines.all)")
    #expect(!lines.all.contains { $0.hasPrefix("AI recording failed") })
    #expect(byteCount == 2 * 48_000)
  }

  @Test("§10: Callbacks come on the main queue by default")
  func mainQueue() async {
    let audioRecord = TSAIKit.sharedInstance().activeContext.audioRecord
    let note: (String) -> Void = { [lines] line in
      dispatchPrecondition(condition: .onQueue(.main))
      lines.add(line)
    }
    audioRecord.getNormalAudioRecordingMaximumDuration { minutes, _ in note("maximum \(minutes)") }
    audioRecord.registerAIAudioRecordingStateDidChanged { note("state \($0)") }
    defer { audioRecord.registerAIAudioRecordingStateDidChanged(nil) }
    audioRecord.startAIAudioRecording(
      with: nil, startCompletion: { success, _ in note("success \(success)") },
      didReceiveAudioData: { _ in note("data") }, didReceiveSessionResult: { note("\($0.type) \($0.text ?? "")") },
      finishHandler: { _, _ in note("ended") })
    #expect(await lines.wait(for: "transcript Ask what you."))
    audioRecord.stopAIAudioRecording { success, _ in note("stopped \(success)") }
    #expect(await lines.wait(for: "finish"))
    #expect(await lines.wait(for: "stopped true"))
    for line in ["maximum 240", "state recording", "success true", "data", "ended"] {
      #expect(lines.all.contains(line), "\(line)")
    }
  }

  @Test(
    "§10: Without a consent provider, or a yes, a start fails with 1009 and nothing is opened",
    arguments: [true, false])
  func noConsent(hasProvider: Bool) async {
    let nobody: ConsentQuestion = { nil }
    TSAIKit.consentProvider = hasProvider ? nobody : nil
    let audioRecord = TSAIKit.sharedInstance().activeContext.audioRecord
    audioRecord.startAIAudioRecording(
      with: nil,
      startCompletion: { success, error in
        self.TSLog("AI \(success) \((error as NSError?)?.domain ?? "") \((error as NSError?)?.code ?? 0)")
      }, didReceiveAudioData: { _ in self.TSLog("data") },
      didReceiveSessionResult: { self.TSLog("result \($0.eventName ?? "\($0.type)")") },
      finishHandler: { _, _ in self.TSLog("ended") })
    #expect(await lines.wait(for: "AI false TSAIErrorDomain 1009"))
    audioRecord.startNormalAudioRecording(
      { success, error in
        self.TSLog("normal \(success) \((error as NSError?)?.code ?? 0)")
      }, finishHandler: { _, _ in self.TSLog("ended") })
    #expect(await lines.wait(for: "normal false 1009"))
    #expect(stage.openCount == 0 && stage.fileCount == 0)
    #expect(
      lines.all.filter { !$0.hasPrefix("normal") } == [
        "result userInitiatedToStart", "result sessionStartFailed", "AI false TSAIErrorDomain 1009",
      ])
  }
}
