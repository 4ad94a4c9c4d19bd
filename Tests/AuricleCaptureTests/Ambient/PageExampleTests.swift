import AuricleCapture
import AuricleTestKit
import Foundation
import Testing

/// The page's example names Apple's microphone; here the scripted one has its place.
private typealias AppleMicrophoneSource = ScriptedAmbientSource
private typealias LocalASRConsumer = RecordingConsumer

@Suite("The pages' own examples")
struct PageExampleTests {
  @Test("OpenMedKit's host integration runs as it stands on the page")
  func hostIntegration() throws {
    let opaqueSessionRef = "session-7"
    let opaqueParticipantRefs = ["participant-1", "participant-2"]
    let approvedPolicySHA256 = "0f343b0931126a20f133d67c2b018a3b"
    // The page's own lines.
    do {
      // LocalASRConsumer is the application's short, synchronous local consumer.
      let source = AppleMicrophoneSource()
      let capture = try AmbientAudioCapture(
        sessionRef: opaqueSessionRef,
        participants: opaqueParticipantRefs,
        policy: AmbientSessionPolicy(revision: approvedPolicySHA256),
        source: source,
        consumer: LocalASRConsumer())

      // From an explicit user action, request OS permission if needed.
      capture.requestPermission { permission in
        // Update the visible UI only. Never start automatically here.
      }
      for participant in opaqueParticipantRefs {
        try capture.consent(participant)
      }
      // The host now checks permission/foreground and configures its audio session.
      try capture.start()
      try capture.pause()
      // Later, from a separate explicit user action:
      try capture.start(resuming: true)
      capture.withdraw()
      assert(capture.snapshot().cleanupComplete)
      #expect(source.calls == [.requestPermission, .start(1), .stop, .start(2), .stop])
    }
  }

  @Test("MediaPipe's calls have the page's names and signatures", .timeLimit(.minutes(5)))
  func mediaPipe() async throws {
    let rig = try RecordRig(length: 1)
    let initializer: (AudioDataFormat, UInt) throws -> AudioRecord = {
      try AudioRecord(audioDataFormat: $0, bufferLength: $1)
    }
    let record = try initializer(AudioDataFormat(channelCount: 1, sampleRate: 16_000), 16_000)
    let format: AudioDataFormat = record.audioDataFormat
    let length: UInt = record.bufferLength
    #expect(format.channelCount == 1 && length == 16_000)
    let start: () throws -> Void = rig.record.startRecording
    let read: (UInt, UInt) throws -> MPPFloatBuffer = rig.record.read(offset:length:)
    let stop: () throws -> Void = rig.record.stop
    try start()
    #expect(try read(0, 1).length == 1)
    try stop()
  }
}
