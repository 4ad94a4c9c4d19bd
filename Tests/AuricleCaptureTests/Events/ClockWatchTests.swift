import AuricleAudio
import AuricleCapture
import Testing

@Suite("Frames compared with the clock") struct ClockWatchTests {
  private static let format = AudioFormat.speech

  /// A device in virtual time, looked at ten times a second.
  private struct Device {
    var watch = ClockWatch(format: ClockWatchTests.format)
    var time = 0.0
    var offered: Int64 = 0
    var missing: [Int64] = []
    /// Frames per second of the clock's time.
    var rate = 16_000.0
    private var exact = 0.0

    /// Time goes on; frames come unless held back or lost.
    mutating func run(seconds: Double, hears: Bool = true, offset: (Double) -> Double = { _ in 0 }) {
      for _ in 0..<Int((seconds * 10).rounded()) {
        time += 0.1
        if hears { exact += rate / 10 }
        look(offset(time))
      }
    }

    mutating func catchUp(seconds: Double) { exact += seconds * rate }

    private mutating func look(_ offset: Double) {
      offered = max(offered, Int64(exact + offset * rate) + missing.reduce(0, +))
      let lost = watch.look(at: .seconds(time), offered: offered)
      if lost > 0 { missing.append(lost) }
    }
  }

  @Test("A clock that is wrong by 100 ppm is no loss in 24 hours", arguments: [-100e-6, 0, 100e-6])
  func drift(_ part: Double) {
    var device = Device()
    device.rate = 16_000 * (1 + part)
    device.run(seconds: 24 * 3_600)
    #expect(device.missing == [])
  }

  @Test("Packets that come up to 150 ms late are no loss")
  func jitter() {
    var device = Device()
    var number: UInt64 = 7
    device.run(seconds: 3_600) { _ in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return -Double(number >> 40) / Double(1 << 24) * 0.15
    }
    #expect(device.missing == [])
  }

  @Test("Frames that come late and all at once are no loss", arguments: [0.3, 1, 5, 60])
  func burst(_ seconds: Double) {
    var device = Device()
    device.run(seconds: 60)
    device.run(seconds: seconds, hears: false)
    device.catchUp(seconds: seconds)
    device.run(seconds: 60)
    #expect(device.missing == [])
  }

  @Test("C2: Frames that never come are found two seconds after sound flows again", arguments: [0.3, 1, 5, 3_600])
  func loss(_ seconds: Double) {
    var device = Device()
    device.run(seconds: 60)
    device.run(seconds: seconds, hears: false)
    device.run(seconds: 2)
    #expect(device.missing == [])
    device.run(seconds: 0.3)
    #expect(device.missing.count == 1)
    #expect(abs(Double(device.missing.first ?? 0) / 16_000 - seconds) < 0.01)
    device.run(seconds: 600)
    #expect(device.missing.count == 1)
  }

  @Test("C2: Losses too small to be told are told when they have added up")
  func small() {
    var device = Device()
    for _ in 0..<20 {
      device.run(seconds: 10)
      device.run(seconds: 0.1, hears: false)
    }
    device.run(seconds: 10)
    let told = Double(device.missing.reduce(0, +)) / 16_000
    #expect(told > 1.7 && told < 2.1, "\(told) s of 2 s")
  }

  @Test("A device whose first frames came late loses nothing later, and a real loss is still found")
  func lateStart() {
    var device = Device()
    device.run(seconds: 0.5)
    device.catchUp(seconds: 1)
    device.run(seconds: 60)
    #expect(device.missing == [])
    device.run(seconds: 1, hears: false)
    device.run(seconds: 3)
    #expect(device.missing.count == 1)
    #expect(abs(Double(device.missing.first ?? 0) / 16_000 - 1) < 0.05)
  }

  @Test("While nothing comes, nothing is known to be lost")
  func silence() {
    var device = Device()
    device.run(seconds: 10)
    device.run(seconds: 3_600, hears: false)
    #expect(device.missing == [])
  }
}
