import AuricleCallbacks
import AuricleConsent
import AuricleRecognition
import AuricleSession
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleTSAI

@Suite("A device through TSAIKit's interface", .timeLimit(.minutes(5)))
struct TSAIDeviceTests {
  private let bench: TSAIBench
  private let device = ScriptedDevice()
  /// The requests of the device that nobody was asked about.
  private let refusals = Lines()

  init() throws {
    bench = TSAIBench(try Stage())
    bench.context.recorder.attach(device)
    bench.context.recorder.device?.coordinator.listen { [refusals] news in
      if case .requestRefused(let request, let failure) = news { refusals.add("\(request.id) \(failure.code)") }
    }
  }

  /// Listens as the page's example does, and starts when the device asks.
  private func register() {
    let (record, lines) = (bench.record, bench.lines)
    record.registerOnRequestStartAIAudioRecording { scene in
      lines.add("asked for \(scene)")
      let config = TSAIAudioRecordConfig.default()
      config.recordingScene = scene
      // Eligibility already passed. Prepare locally but do not open UI yet.
      bench.start(config)
    }
    record.registerOnRequestStopAIAudioRecording {
      lines.add("asked to stop")
      record.stopAIAudioRecording { success, error in
        lines.add("Device stop request: \(success ? "handled" : error?.localizedDescription ?? "")")
      }
    }
    record.registerAIAudioRecordingDidInterrupt { reason in lines.add("interrupted \(reason)") }
  }

  private func report(_ scene: TSAIAudioRecordScene) {
    bench.record.reportAIAudioRecordingStartSuccess(with: scene) { [lines = bench.lines] success, error in
      lines.add("start report \(success) \((error as NSError?)?.code ?? 0)")
    }
  }

  private func reportStopped() {
    bench.record.reportAIAudioRecordingStopped { [lines = bench.lines] success, error in
      lines.add("stop report \(success) \((error as NSError?)?.code ?? 0)")
    }
  }

  @Test("§10: Device-initiated recording, from the button to the last report")
  func deviceInitiated() async {
    register()
    device.press(DeviceStartRequest(id: "r1", scene: .call))
    #expect(await bench.lines.wait(for: "started"))
    #expect(bench.lines.all.first == "asked for call")
    report(.call)
    #expect(await bench.lines.wait(for: "start report true 0"))
    report(.call)
    #expect(await bench.lines.wait(for: "start report false 1006"), "a report is consumed once")
    device.hear(48_000)
    #expect(await bench.lines.wait(for: "transcript Ask what you."))
    device.say(.stopRequested)
    #expect(await bench.lines.wait(for: "Device stop request: handled"))
    #expect(await bench.lines.wait(for: "finish"))
    reportStopped()
    #expect(await bench.lines.wait(for: "stop report true 0"))
    reportStopped()
    #expect(await bench.lines.wait(for: "stop report false"), "a report is consumed once")
    #expect(device.calls == [.start(.call), .reportStarted(.call), .stop(.call), .reportStopped])
    #expect(bench.finish?.requestId == "r1" && bench.finish?.report?.scene == "call")
    #expect(bench.finish?.report?.stopReason == .userInitiated)
  }

  @Test("§8: Without consent the callback does not run, and nothing is heard")
  func noConsent() async {
    register()
    bench.host.consent = { nil }
    device.press(DeviceStartRequest(id: "r1", scene: .onSite))
    #expect(await refusals.wait(for: "r1 consentMissing"))
    await bench.host.lane.call {}
    #expect(bench.lines.all == [] && device.calls == [] && bench.stage.fileCount == 0)
    bench.host.consent = { ConsentRecordSample.record }
    device.press(DeviceStartRequest(id: "r2", scene: .onSite))
    #expect(await bench.lines.wait(for: "started"))
  }

  @Test("§8: People are asked once for a recording that a device asks for")
  func consentOnce() async {
    let asked = Guarded(0)
    bench.host.consent = {
      asked.withLock { $0 += 1 }
      return ConsentRecordSample.record
    }
    register()
    device.press(DeviceStartRequest(id: "r1", scene: .onSite))
    #expect(await bench.lines.wait(for: "started"))
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("§8: A provider that does not offer the scene: the callback does not run")
  func notEligible() async {
    register()
    bench.stage.registry.unregister("scripted")
    device.press(DeviceStartRequest(id: "r1", scene: .onSite))
    #expect(await refusals.wait(for: "r1 notConfigured"))
    await bench.host.lane.call {}
    #expect(bench.lines.all == [] && device.calls == [])
  }

  @Test("§8: What has not happened is not reported")
  func notHappened() async {
    register()
    report(.onSite)
    #expect(await bench.lines.wait(for: "start report false"))
    reportStopped()
    #expect(await bench.lines.wait(for: "stop report false"))
    report(.unknown)
    #expect(await bench.lines.wait(for: "start report false 1001"))
    #expect(device.calls == [])
  }

  @Test("§8: An app-initiated recording starts the service, then the device, and is not reported")
  func appInitiated() async {
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    #expect(device.isSending)
    report(.onSite)
    #expect(await bench.lines.wait(for: "start report false 1003"))
    bench.stop()
    #expect(await bench.lines.wait(for: "finish"))
    #expect(device.calls == [.start(.onSite), .stop(.onSite)] && !device.isSending)
  }

  @Test("§8: A device that does not start fails the start, and the service stops")
  func deviceFailure() async {
    device.set { command throws(DeviceError) in
      if case .start = command { throw DeviceError(.failed, "it does not want to; try again") }
    }
    bench.start()
    #expect(await bench.lines.wait(for: "failed 1010"))
    #expect(!bench.lines.all.contains("started") && !bench.lines.all.contains { $0.hasPrefix("finish") })
    device.set(answer: nil)
    bench.start()
    #expect(await bench.lines.wait(for: "started"), "the next one starts")
  }

  @Test("§8: Interruptions are told with their reason and end the stream as interrupted")
  func interruption() async {
    register()
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    device.interrupt(.incomingCall)
    #expect(await bench.lines.wait(for: "interrupted incomingCall"))
    #expect(await bench.lines.wait(for: "ended interrupted"))
    #expect(await bench.lines.wait(for: "finish"))
    #expect(bench.finish?.isStoppedByInterruption == true)
  }

  @Test("§8: A full storage ends the stream with its reason")
  func storageFull() async {
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    device.fillStorage()
    #expect(await bench.lines.wait(for: "ended storageFull"))
    #expect(await bench.lines.wait(for: "finish"))
  }

  @Test("§8: All listeners can be unregistered")
  func unregistering() async {
    register()
    bench.record.registerOnRequestStartAIAudioRecording(nil)
    bench.record.registerOnRequestStopAIAudioRecording(nil)
    bench.record.registerAIAudioRecordingDidInterrupt(nil)
    bench.start()
    #expect(await bench.lines.wait(for: "started"))
    device.say(.stopRequested)
    device.interrupt(.lowBattery)
    #expect(await bench.lines.wait(for: "finish"))
    #expect(!bench.lines.all.contains { $0.hasPrefix("asked") || $0.hasPrefix("interrupted") })
  }

  @Test("§8: A device that is taken away is not listened to any more")
  func detached() async {
    register()
    bench.context.recorder.attach(nil)
    for _ in 0..<2_000 where device.listenerCount > 0 { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(device.listenerCount == 0 && bench.context.recorder.device == nil)
  }

  @Test("§7: A device records by itself, ends once with the reason, and keeps its maximum")
  func normal() async {
    bench.record.setNormalAudioRecordingMaximumDuration(7) { [lines = bench.lines] success, _ in
      lines.add("set \(success)")
    }
    #expect(await bench.lines.wait(for: "set true"))
    bench.record.getNormalAudioRecordingMaximumDuration { [lines = bench.lines] minutes, _ in lines.add("is \(minutes)")
    }
    #expect(await bench.lines.wait(for: "is 7"))
    bench.startNormal()
    #expect(await bench.lines.wait(for: "started"))
    #expect(device.isRecording && bench.stage.openCount == 0)
    device.endRecording(.maxDurationReached)
    #expect(await bench.lines.wait(for: "ended maxDurationReached"))
    bench.startNormal()
    #expect(await bench.lines.wait(for: "started", count: 2))
    bench.record.stopNormalAudioRecording { [lines = bench.lines] success, _ in lines.add("stopped \(success)") }
    #expect(await bench.lines.wait(for: "ended userInitiated"))
    #expect(await bench.lines.wait(for: "stopped true"))
    #expect(bench.lines.all.count { $0.hasPrefix("ended") } == 2)
    #expect(
      device.calls == [.setMaximumMinutes(7), .maximumMinutes, .requestStart, .requestStart, .requestStop])
  }
}
