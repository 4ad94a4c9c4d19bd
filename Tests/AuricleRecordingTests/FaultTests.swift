import AuricleAudio
import Foundation
import Testing

@testable import AuricleRecording

@Suite(.timeLimit(.minutes(5))) struct FaultTests {
  private static let formats: [RecordingFormat] = [.wav, .flac, .opus]

  @Test("Short writes and signals cost nothing", arguments: formats)
  func shortWrites(_ format: RecordingFormat) throws {
    let faults = Faults()
    let making = try Making(format, .of(16_000, 2), keepsSpool: false, calls: faults.calls)
    let plain = try Making(format, .of(16_000, 2), keepsSpool: false)
    let samples = Sounds.tone(16_000, rate: 16_000, channels: 2)
    faults.plan = (0..<500).map { [.short($0 % 7 + 1), .interrupted, .none][$0 % 3] }
    try making.append(samples, blocks: 999)
    try plain.append(samples, blocks: 999)
    try making.recorder.finish()
    try plain.recorder.finish()
    #expect(try #require(Decoded(making.path)).samples == #require(Decoded(plain.path)).samples)
  }

  @Test(
    "A write error is thrown at once, and the file is whole up to it", arguments: formats, [ENOSPC, EIO, EFBIG, EDQUOT])
  func writeErrors(_ format: RecordingFormat, _ code: Int32) async throws {
    for good in [0, 1, 9] {
      let faults = Faults()
      let making = try Making(format, keepsSpool: false, calls: faults.calls)
      let samples = Sounds.tone(120_000, rate: 16_000)
      let tail = making.recorder.makeTail()
      try making.append(Array(samples[..<80_000]))
      faults.plan = Array(repeating: .none, count: good) + [.short(301), .fail(code)]
      let error = try #require(throws: RecordingError.self) { try making.append(Array(samples[80_000...]), at: 80_000) }
      #expect(error.kind == (code == EIO ? .writeFailed : .storageFull) && error.platformCode == Int(code))
      #expect(making.recorder.progress.current.failure == error)
      #expect(throws: error) { try making.recorder.append(making.audio.gap(0..<1_000_000)) }
      try making.recorder.finish()
      try expectWhole(making, of: samples, atLeast: 75_000)
      #expect(try await TailReading.all(tail).failure != nil)
    }
  }

  @Test("A disk that is full at any byte leaves a whole file", arguments: formats)
  func noRoomAnywhere(_ format: RecordingFormat) throws {
    for room in stride(from: Int64(9_000), to: 12_000, by: 501) {
      let faults = Faults()
      let making = try Making(format, keepsSpool: false, calls: faults.calls)
      let samples = Sounds.tone(120_000, rate: 16_000)
      faults.room = room
      let error = try #require(throws: RecordingError.self) { try making.append(samples, blocks: 160) }
      #expect(error.kind == .storageFull)
      try making.recorder.finish()
      let decoded = try expectWhole(making, of: samples, atLeast: 3_000)
      if format == .wav { #expect(decoded.samples.count == Int(room - 80) / 2) }
    }
  }

  @discardableResult
  private func expectWhole(_ making: Making, of samples: [Int16], atLeast count: Int) throws -> Decoded {
    let decoded = try #require(Decoded(making.path))
    #expect(decoded.samples.count >= count)
    #expect(decoded.claimedFrameCount == Int64(decoded.samples.count))
    let now = making.recorder.progress.current
    #expect(now.isEnded && now.frameCount == decoded.claimedFrameCount)
    if making.format != .opus { #expect(decoded.samples == Array(samples[..<decoded.samples.count])) }
    let repaired = try AudioRepair.repair(making.path, format: making.format)
    #expect(!repaired.wasChanged && repaired.frameCount == decoded.claimedFrameCount)
    return decoded
  }

  @Test("A failing fsync ends the recording", arguments: formats)
  func failingSync(_ format: RecordingFormat) throws {
    let (faults, time) = (Faults(), Locked(Duration.zero))
    let making = try Making(format, calls: faults.calls, elapsed: { time.withLock { $0 } })
    try making.append(Sounds.noise(1_000))
    faults.syncError = EIO
    time.withLock { $0 = .milliseconds(999) }
    try making.append([1], at: 1_000)
    time.withLock { $0 = .seconds(1) }
    try making.append([2], at: 1_001)
    making.recorder.diskSync.wait()
    let error = try #require(throws: RecordingError.self) { try making.append([3], at: 1_002) }
    #expect(error.kind == .writeFailed && error.platformCode == Int(EIO))
    #expect(throws: RecordingError.self) { try making.recorder.finish() }
    #expect(making.recorder.progress.current.isEnded && making.recorder.progress.current.durableFrameCount == 0)
    faults.syncError = 0
  }

  @Test("fsync is called once an interval while audio comes")
  func syncInterval() throws {
    let (faults, time) = (Faults(), Locked(Duration.zero))
    let limits = RecorderLimits(syncInterval: .seconds(2), freeByteFloor: 0)
    let making = try Making(limits: limits, calls: faults.calls, elapsed: { time.withLock { $0 } })
    let before = faults.syncCount
    for second in 0..<60 {
      time.withLock { $0 = .milliseconds(second * 500) }
      try making.append([1, 2], at: Int64(second * 2))
      making.recorder.diskSync.wait()
    }
    #expect(faults.syncCount == before + 14)
    #expect(making.recorder.progress.current.durableFrameCount == 114)
  }

  @Test("A disk that takes its time holds nothing up")
  func slowSync() throws {
    let (faults, time) = (Faults(), Locked(Duration.zero))
    let making = try Making(calls: faults.calls, elapsed: { time.withLock { $0 } })
    let gate = DispatchSemaphore(value: 0)
    faults.whenSyncing { gate.wait() }
    for second in 0..<60 {
      time.withLock { $0 = .seconds(second) }
      try making.append([1, 2], at: Int64(second * 2))
    }
    #expect(making.recorder.progress.current.frameCount == 120)
    #expect(making.recorder.progress.current.durableFrameCount == 0)
    faults.whenSyncing(nil)
    gate.signal()
    try making.recorder.finish()
    #expect(making.recorder.progress.current.durableFrameCount == 120)
  }

  @Test("A folder that is deleted or moved away ends the recording", arguments: formats, [true, false])
  func folderGone(_ format: RecordingFormat, _ isDeleted: Bool) throws {
    let time = Locked(Duration.zero)
    let making = try Making(format, elapsed: { time.withLock { $0 } })
    try making.append(Sounds.noise(1_000))
    time.withLock { $0 = .seconds(1) }
    try making.append(Sounds.noise(1_000), at: 1_000)
    let moved = making.temporary.path + "/moved"
    try FileManager.default.moveItem(atPath: making.folder.path, toPath: moved)
    if isDeleted { try FileManager.default.removeItem(atPath: moved) }
    try making.append(Sounds.noise(1_000), at: 2_000)
    time.withLock { $0 = .seconds(2) }
    let error = try #require(throws: RecordingError.self) { try making.append(Sounds.noise(1_000), at: 3_000) }
    #expect(error.kind == .folderGone)
    try making.recorder.finish()
    if !isDeleted { #expect(try #require(Decoded("\(moved)/audio.\(format)")).claimedFrameCount >= 0) }
  }

  @Test("Too little room is refused before there is a file, and ends a recording while there is room for its end")
  func floor() throws {
    let temporary = try TemporaryFolder()
    let folder = try RecordingFolder.create(in: temporary.path, named: "a")
    let limits = RecorderLimits(freeByteFloor: 1 << 60)
    let error = try #require(throws: RecordingError.self) {
      try Recorder(folder: folder, format: .wav, audio: .speech, limits: limits)
    }
    #expect(error.kind == .storageFull && error.message.contains("MiB"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "On a small disk the recording ends before the disk is full, or where it is full, and every file is whole",
    .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: formats, [0, 300_000])
  func smallDisk(_ format: RecordingFormat, _ floor: Int64) throws {
    let disk = try SmallDisk(byteCount: 1 << 20)
    let folder = try RecordingFolder.create(in: disk.path, named: "a")
    let limits = RecorderLimits(freeByteFloor: floor)
    let recorder = try Recorder(folder: folder, format: format, audio: .speech, keepsSpool: false, limits: limits)
    let samples = Sounds.noise(16_000)
    var frame: Int64 = 0
    let error = try #require(throws: RecordingError.self) {
      while frame < 1 << 30 {
        try recorder.append(AudioFormat.speech.block(at: frame, samples))
        frame += 16_000
      }
    }
    #expect(error.kind == .storageFull && (error.platformCode == 0) == (floor > 0))
    try recorder.finish()
    let decoded = try #require(Decoded(folder.audioPath(format)))
    #expect(
      decoded.claimedFrameCount == Int64(decoded.samples.count)
        && recorder.progress.current.frameCount >= frame - 32_000)
    if format != .opus { #expect(decoded.samples.prefix(16_000) == samples[...]) }
    if floor > 0 { try Data(count: 200_000).write(to: URL(filePath: folder.reportPath)) }
  }

  @Test(
    "A folder that may not be written to is an error with its reason", .enabled(if: SmallDisk.isPossible, "needs root"))
  func readOnly() throws {
    let disk = try SmallDisk(byteCount: 1 << 20)
    let folder = try RecordingFolder.create(in: disk.path, named: "a")
    try disk.makeReadOnly()
    for attempt in [
      { _ = try RecordingFolder.create(in: disk.path, named: "a") },
      { _ = try RecordingFolder.create(in: disk.path + "/x/y", named: "a") },
      { _ = try Recorder(folder: folder, format: .wav, audio: .speech, limits: RecorderLimits(freeByteFloor: 0)) },
      { _ = try Journal(creating: folder.journalPath) },
    ] {
      let error = try #require(throws: RecordingError.self) { try attempt() }
      #expect(error.kind == .notPermitted)
    }
  }
}

@Suite struct RecordingFolderTests {
  @Test("A folder is new, for its owner alone, and so are those above it")
  func create() throws {
    let temporary = try TemporaryFolder()
    let root = temporary.path + "/a/b"
    let names = try (0..<3).map { _ in try RecordingFolder.create(in: root, named: "2026").path }
    #expect(names == ["\(root)/2026", "\(root)/2026-2", "\(root)/2026-3"])
    for path in [root, temporary.path + "/a", names[2]] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
  }

  @Test("Names that are no names are refused")
  func names() throws {
    let temporary = try TemporaryFolder()
    for name in ["", ".", "..", "a/b", "a\0b"] {
      #expect(throws: RecordingError.self) { try RecordingFolder.create(in: temporary.path, named: name) }
    }
    _ = try temporary.file("file", [])
    let error = #expect(throws: RecordingError.self) {
      try RecordingFolder.create(in: temporary.path + "/file/x", named: "a\u{7}")
    }
    #expect(error?.message.contains("\u{7}") == false)
  }
}
