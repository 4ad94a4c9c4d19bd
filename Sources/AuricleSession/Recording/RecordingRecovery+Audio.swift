import AuricleAudio
import AuricleRecording
import Foundation

extension RecordingRecovery {
  /// Makes the audio whole, and notes how much there is and that it did not come to its end.
  /// - Returns: The path of the audio; `nil` when there is none.
  func mendAudio(_ log: RecordingLog) throws(SessionFailure) -> String? {
    let format = folder.format
    let mended = try format.flatMap { format throws(SessionFailure) in try mend(format, log) }
    if log.fold.header == nil { log.note(.header(madeUpHeader(format, mended))) }
    guard let header = log.fold.header else {
      let message = "\(PlainText.line(folder.path)): its journal has no use; transcribe the audio by itself"
      throw SessionFailure(.damaged, message)
    }
    if let missing = missingSeconds(mended, log) {
      let message = "the audio lacks its last \(missing) s, which were there when the recording ended"
      noteOnce(SessionFailure(.damaged, message), log)
    }
    noteEnd(header, seconds: mended?.seconds ?? 0, log)
    return mended == nil ? nil : format.map { folder.audioPath($0) }
  }

  /// What a recording that came to its end had, and has no more.
  private func missingSeconds(_ mended: RepairedAudio?, _ log: RecordingLog) -> Double? {
    guard let header = log.fold.header, let end = log.fold.end, header.sampleRate > 0 else { return nil }
    let missing = Double(end.frameCount) / Double(header.sampleRate) - (mended?.seconds ?? 0)
    return missing > Self.negligible ? (missing * 1000).rounded() / 1000 : nil
  }

  /// An encoder's last frame, in seconds.
  private static var negligible: Double { 0.1 }

  /// Mending or transcribing it has died too often: leaves the audio as it is, and notes how much is known of it.
  func leaveAudio(_ log: RecordingLog, diedCount: Int) -> SessionFailure {
    let format = folder.format
    if log.fold.header == nil { log.note(.header(madeUpHeader(format, nil))) }
    if let header = log.fold.header { noteEnd(header, seconds: log.fold.leastSeconds, log) }
    let audio = PlainText.line(format.map { folder.audioPath($0) } ?? folder.path)
    let failure = SessionFailure(
      .damaged,
      "recovering it died \(diedCount) times, so its audio is left as it is and the rest of its text out; "
        + "try auricle transcribe \(audio)")
    noteOnce(failure, log)
    return failure
  }

  /// An attempt before may have noted it.
  private func noteOnce(_ failure: SessionFailure, _ log: RecordingLog) {
    if !log.report.errors.contains(failure) { log.note(.failure(failure)) }
  }

  /// Notes that it was killed after so many seconds, unless its end is known.
  func noteEnd(_ header: JournalHeader, seconds: Double, _ log: RecordingLog) {
    guard log.fold.end == nil else { return }
    let end = header.startTime.millisecondsSince1970 + Int64((seconds * 1000).rounded())
    let frameCount = Int64((seconds * Double(header.sampleRate)).rounded())
    log.note(.incomplete(.processKilled))
    log.note(.stopped(.interrupted))
    log.note(.ended(JournalEnd(time: Timestamp(millisecondsSince1970: end), frameCount: frameCount)))
  }

  /// - Returns: What is in the file; `nil` when that is nothing.
  private func mend(_ format: RecordingFormat, _ log: RecordingLog) throws(SessionFailure) -> RepairedAudio? {
    do throws(RecordingError) {
      let mended = try AudioRepair.repair(folder.audioPath(format), format: format)
      return mended.frameCount > 0 ? mended : nil
    } catch {
      let failure = SessionFailure(fromRecording: error)
      guard error.kind == .damaged else { throw failure }
      if let rebuilt = rebuild(format, log) { return rebuilt }
      noteOnce(failure, log)
      return nil
    }
  }

  /// Of a WAV whose beginning was overwritten the samples are there still, and the journal knows their format.
  private func rebuild(_ format: RecordingFormat, _ log: RecordingLog) -> RepairedAudio? {
    guard format == .wav, let header = log.fold.header,
      let audio = try? AudioFormat(sampleRate: header.sampleRate, channelCount: header.channelCount)
    else { return nil }
    return try? AudioRepair.rebuildWAV(folder.audioPath(format), format: audio)
  }

  /// A process that is killed in its first moment leaves no header.
  private func madeUpHeader(_ format: RecordingFormat?, _ mended: RepairedAudio?) -> JournalHeader {
    let made = mended.flatMap { try? AudioFormat(sampleRate: $0.sampleRate, channelCount: $0.channelCount) }
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
    let date = attributes?[.modificationDate] as? Date
    return JournalHeader(
      startTime: date.map { Timestamp($0) } ?? wallClock(), audioFileName: format?.fileName ?? "audio.wav",
      format: made ?? .speech, consent: nil, device: nil, source: nil, language: nil, wantsTranscript: true)
  }
}
