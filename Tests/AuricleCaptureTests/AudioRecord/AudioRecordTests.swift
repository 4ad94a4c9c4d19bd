import AuricleAudio
import AuricleResampling
import Testing

@testable import AuricleCapture

@Suite("AudioRecord: the newest samples, at any time", .timeLimit(.minutes(5)))
struct AudioRecordTests {
  @Test("A1: Other than one or two channels is refused first", arguments: [0, 3, .max] as [UInt])
  func channels(_ count: UInt) {
    expectCode(.invalidArgument, ["1 to 2"]) {
      _ = try AudioRecord(audioDataFormat: AudioDataFormat(channelCount: count, sampleRate: .nan), bufferLength: 7)
    }
  }

  @Test("A2: A length that is not a multiple of the channels is refused")
  func multiple() {
    expectCode(.invalidArgument, ["7", "2"]) {
      _ = try AudioRecord(audioDataFormat: AudioDataFormat(channelCount: 2, sampleRate: 16_000), bufferLength: 7)
    }
  }

  @Test("A3: A length of 0, one beyond all memory, and a rate that is none are refused")
  func numbers() {
    for length in [0, .max] as [UInt] {
      expectCode(.invalidArgument) {
        _ = try AudioRecord(audioDataFormat: AudioDataFormat(sampleRate: 16_000), bufferLength: length)
      }
    }
    for rate in [0, -1, .nan, .infinity, -.infinity, 1e300, 16_000.5] {
      expectCode(.invalidArgument) {
        _ = try AudioRecord(audioDataFormat: AudioDataFormat(sampleRate: rate), bufferLength: 10)
      }
    }
  }

  @Test("A4: Making one opens no microphone and asks for no permission")
  func construction() throws {
    let rig = try RecordRig(length: 10, permission: RecordPermission { fatalError("asked") })
    #expect(rig.openCount == 0)
    #expect(rig.record.bufferLength == 10)
    #expect(rig.record.audioDataFormat == AudioDataFormat(channelCount: 1, sampleRate: 16_000))
  }

  @Test("A5, C5: Without permission nothing starts, and it is an error")
  func permission() throws {
    let denied = try RecordRig(length: 10, permission: .denied)
    expectCode(.audioRecordPermissionDenied) { try denied.record.startRecording() }
    let unasked = try RecordRig(length: 10, permission: .undetermined)
    expectCode(.audioRecordPermissionUndetermined) { try unasked.record.startRecording() }
    #expect(denied.openCount + unasked.openCount == 0)
    let byDefault = try AudioRecord(audioDataFormat: AudioDataFormat(sampleRate: 16_000), bufferLength: 10)
    expectCode(.audioRecordPermissionUndetermined) { try byDefault.startRecording() }
  }

  @Test("A5: A second start is an error of its own, and a source that does not start is thrown")
  func starts() throws {
    let rig = try RecordRig(length: 10)
    try rig.record.startRecording()
    expectCode(.audioRecordAlreadyRecording) { try rig.record.startRecording() }
    let broken = AudioRecordHost(
      permission: .granted, openSource: RecordSource { throw AudioError(.notFound, "no such device") })
    let record = try AudioRecord(
      audioDataFormat: AudioDataFormat(sampleRate: 16_000), bufferLength: 10, host: broken)
    #expect(throws: AudioError(.notFound, "no such device")) { try record.startRecording() }
    expectCode(.audioRecordNotTappingMic) { _ = try record.read(offset: 0, length: 1) }
  }

  @Test("A5: A source that opens in its own time is waited for")
  func waiting() throws {
    let host = AudioRecordHost(
      permission: .granted,
      openSource: .waiting {
        await Task.yield()
        return PushSource(.speech)
      })
    let record = try AudioRecord(audioDataFormat: AudioDataFormat(sampleRate: 16_000), bufferLength: 4, host: host)
    try record.startRecording()
    #expect(try record.read(offset: 0, length: 4).samples == [0, 0, 0, 0])
  }

  @Test("A6: Reading without recording is an error")
  func notRecording() throws {
    let rig = try RecordRig(length: 10)
    expectCode(.audioRecordNotTappingMic) { _ = try rig.record.read(offset: 0, length: 1) }
  }

  @Test("A7: What could not be converted is thrown by the read, until the next good buffer")
  func failure() async throws {
    let rig = try RecordRig(length: 4)
    try rig.record.startRecording()
    try await rig.source.push([1, 2, 3, 4])
    try await rig.wait { try $0.all == [1, 2, 3, 4] }
    try await rig.source.push([0, .nan])
    try await rig.wait { (try? $0.all) == nil }
    #expect(throws: AudioError.self) { try rig.all }
    try await rig.source.push([5, 6])
    try await rig.wait { (try? $0.all) == [3, 4, 5, 6] }
  }

  @Test(
    "A7: One sample that is no number, at any place, is noticed; the largest and smallest are numbers",
    arguments: [.nan, -.nan, .infinity, -.infinity, .signalingNaN] as [Float])
  func notNumbers(_ bad: Float) throws {
    let good: [Float] = [.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude, 0, -.leastNonzeroMagnitude]
    for place in 0..<37 {
      var converter = RecordConverter(to: .speech)
      var samples = (0..<37).map { good[$0 % 4] }
      #expect(try converter.convert(PCMBlock(format: .speech, startFrame: 0, samples: samples)) == samples)
      samples[place] = bad
      #expect(throws: AudioError.self) {
        try converter.convert(PCMBlock(format: .speech, startFrame: 37, samples: samples))
      }
    }
  }

  @Test("A8: A part beyond the buffer is refused, its end is allowed, and the sum never overflows")
  func parts() throws {
    let rig = try RecordRig(length: 10)
    try rig.record.startRecording()
    #expect(try rig.record.read(offset: 4, length: 6).length == 6)
    #expect(try rig.record.read(offset: 10, length: 0).length == 0)
    expectCode(.invalidArgument, ["5", "6", "10"]) { _ = try rig.record.read(offset: 5, length: 6) }
    for (offset, length) in [(UInt.max, UInt(1)), (1, .max), (.max, .max)] {
      expectCode(.invalidArgument) { _ = try rig.record.read(offset: offset, length: length) }
    }
  }

  @Test("A9: Before the buffer has filled, the oldest side is zeros")
  func filling() async throws {
    let rig = try RecordRig(length: 5)
    try rig.record.startRecording()
    #expect(try rig.all == [0, 0, 0, 0, 0])
    try await rig.source.push([1, 2])
    try await rig.wait { try $0.all == [0, 0, 0, 1, 2] }
  }

  @Test("A10: Readers run at once, and none sees half of a write")
  func torn() async throws {
    let rig = try RecordRig(length: 512)
    try rig.record.startRecording()
    let source = try rig.source
    let tornCount = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        for number in 1...4_000 { await source.push([Float](repeating: Float(number), count: 512)) }
        return 0
      }
      for _ in 0..<2 {
        group.addTask {
          (0..<20_000).count { _ in
            let samples = (try? rig.all) ?? []
            return samples.count != 512 || samples.first != samples.last
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(tornCount == 0)
    let before = try rig.record.read(offset: 0, length: 512)
    try rig.record.stop()
    #expect(before.samples.first == 4_000 || before.samples.first != 0)
  }

  @Test("A11: A stop clears the buffer, and reading is an error then; stopping twice is harmless")
  func stop() async throws {
    let rig = try RecordRig(length: 3)
    try rig.record.startRecording()
    try await rig.source.push([1, 2, 3])
    try await rig.wait { try $0.all == [1, 2, 3] }
    try rig.record.stop()
    try rig.record.stop()
    expectCode(.audioRecordNotTappingMic) { _ = try rig.all }
    try rig.record.startRecording()
    #expect(try rig.all == [0, 0, 0])
  }

  @Test("A11, A12, C6: When the source ends or fails by itself, reading is an error, and a start begins anew")
  func sourceEnds() async throws {
    let rig = try RecordRig(length: 3)
    try rig.record.startRecording()
    try await rig.source.push([1, 2, 3])
    try await rig.wait { try $0.all == [1, 2, 3] }
    for error in [AudioError(.readFailed, "gone"), nil] {
      try await rig.source.end(throwing: error)
      try await rig.wait { (try? $0.all) == nil }
      expectCode(.audioRecordNotTappingMic) { _ = try rig.all }
      try rig.record.startRecording()
      #expect(try rig.all == [0, 0, 0])
    }
    #expect(rig.openCount == 3)
  }

  @Test("What an earlier attempt delivers late is left out")
  func late() async throws {
    let rig = try RecordRig(length: 2)
    try rig.record.startRecording()
    let old = try rig.source
    try rig.record.stop()
    try rig.record.startRecording()
    await old.push([9, 9])
    try await rig.source.push([1, 2])
    try await rig.wait { try $0.all != [0, 0] }
    #expect(try rig.all == [1, 2])
  }

  @Test("C2: Missing frames stay visible as zeros of their length")
  func gap() async throws {
    let rig = try RecordRig(length: 6)
    try rig.record.startRecording()
    try await rig.source.push([1, 2])
    try await rig.source.pushGap(3)
    try await rig.source.push([3])
    try await rig.wait { try $0.all.last == 3 }
    #expect(try rig.all == [1, 2, 0, 0, 0, 3])
    try await rig.source.pushGap(1_000_000_000_000)
    try await rig.wait { try $0.all == [0, 0, 0, 0, 0, 0] }
  }
}

@Suite("AudioRecord: conversion", .timeLimit(.minutes(5)))
struct AudioRecordConversionTests {
  @Test("A13: A mono microphone is doubled for two channels")
  func doubled() async throws {
    let rig = try RecordRig(wanted: (16_000, 2), length: 6)
    try rig.record.startRecording()
    try await rig.source.push([1, 2, 3])
    try await rig.wait { try $0.all == [1, 1, 2, 2, 3, 3] }
  }

  @Test("A13: Several channels become their average, two stay two")
  func average() async throws {
    let mono = try RecordRig(device: (16_000, 4), length: 2)
    try mono.record.startRecording()
    try await mono.source.push([1, 2, 3, 4, 4, 4, 4, 4])
    try await mono.wait { try $0.all == [2.5, 4] }
    let stereo = try RecordRig(device: (16_000, 2), wanted: (16_000, 2), length: 4)
    try stereo.record.startRecording()
    try await stereo.source.push([1, 2, 3, 4])
    try await stereo.wait { try $0.all == [1, 2, 3, 4] }
  }

  @Test(
    "A14, C4: The newest samples are those of the same input converted in one call",
    arguments: [(48_000, 1, 16_000, 1, 100), (48_000, 2, 8_000, 2, 200), (44_100, 1, 16_000, 1, 100)])
  func rates(_ device: Int, _ channels: Int, _ wanted: Int, _ wantedChannels: Int, _ length: Int) async throws {
    let input = tone(440, rate: device, frames: device, channels: channels)
    let expected = try Resampler(from: device, to: wanted, channelCount: wantedChannels).process(input)
    let rig = try RecordRig(
      device: (device, channels), wanted: (Double(wanted), UInt(wantedChannels)), length: UInt(length))
    try rig.record.startRecording()
    for start in stride(from: 0, to: input.count, by: 441 * channels) {
      try await rig.source.push(Array(input[start..<min(start + 441 * channels, input.count)]))
    }
    let last = Array(expected.suffix(length))
    try await rig.wait { zip(try $0.all, last).allSatisfy { abs($0 - $1) < 1e-4 } }
  }

  @Test("A15: Exactly the converted size is the whole, a longer buffer has zeros before it")
  func sizes() async throws {
    let input = tone(300, rate: 16_000, frames: 160)
    for length in [160, 400] {
      let rig = try RecordRig(length: UInt(length))
      try rig.record.startRecording()
      try await rig.source.push(input)
      try await rig.wait { rig in
        let all = try rig.all
        return all.suffix(160) == input[...] && all.dropLast(160).allSatisfy { $0 == 0 }
      }
    }
  }

  @Test("A16: A second buffer shifts the older samples out, in order")
  func shift() async throws {
    let rig = try RecordRig(length: 4_100)
    try rig.record.startRecording()
    let samples = (0..<6_000).map(Float.init)
    try await rig.source.push(Array(samples[..<4_000]))
    try await rig.source.push(Array(samples[4_000...]))
    try await rig.wait { try $0.all.last == 5_999 }
    let all = try rig.all
    #expect(all == Array(samples.suffix(4_100)))
    #expect(try rig.record.read(offset: 4, length: 4_000).samples == Array(all[4..<4_004]))
  }
}
