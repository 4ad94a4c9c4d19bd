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
      throw SessionFailure(domain: SessionFailure.recordingDomain, code: "damaged", message: message)
    }
    if log.fold.end == nil {
      let seconds = mended?.seconds ?? 0
      let end = header.startTime.millisecondsSince1970 + Int64((seconds * 1000).rounded())
      let frameCount = Int64((seconds * Double(header.sampleRate)).rounded())
      log.note(.incomplete(.processKilled))
      log.note(.stopped(.interrupted))
      log.note(.ended(JournalEnd(time: Timestamp(millisecondsSince1970: end), frameCount: frameCount)))
    }
    return mended == nil ? nil : format.map { folder.audioPath($0) }
  }

  /// - Returns: What is in the file; `nil` when that is nothing.
  private func mend(_ format: RecordingFormat, _ log: RecordingLog) throws(SessionFailure) -> RepairedAudio? {
    do throws(RecordingError) {
      let mended = try AudioRepair.repair(folder.audioPath(format), format: format)
      return mended.frameCount > 0 ? mended : nil
    } catch {
      let failure = SessionFailure(fromRecording: error)
      guard error.kind == .damaged else { throw failure }
      log.note(.failure(failure))
      return nil
    }
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
