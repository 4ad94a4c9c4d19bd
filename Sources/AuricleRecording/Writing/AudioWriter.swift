/// Why audio could not be written.
enum WriteFault: Error, Equatable {
  /// The system refused.
  case system(SystemError)
  /// The encoder does not take the format, in its own words.
  case refused(String)
  /// The encoder failed, in its own words.
  case encoder(String)
}

/// An audio file that grows. One thread at a time.
///
/// After a fault only ``mend()`` is called.
protocol AudioWriter: AnyObject {
  /// The file, for looking after it.
  var file: OpenFile { get }
  /// So many frames, at the source's rate, were given to the file.
  var frameCount: Int64 { get }
  /// So many of them are not held back by the encoder.
  var settledFrameCount: Int64 { get }
  /// The file's length in bytes.
  var byteCount: Int64 { get }

  /// Writes whole frames. After a fault, ``frameCount`` says how many of them are in the file.
  func write(_ samples: [Int16]) throws(WriteFault)
  /// Writes silence: as much as can be done in a bounded time, at least one frame.
  /// - Returns: How many frames, up to `frameCount`.
  func writeSilence(_ frameCount: Int64) throws(WriteFault) -> Int64
  /// Writes what is held back, and the final header.
  func finish() throws(WriteFault)
  /// Makes the file whole up to what was written before the fault.
  func mend() throws(WriteFault)
}

extension WriteFault {
  /// Runs calls on a file.
  static func watching<R>(_ body: () throws(SystemError) -> R) throws(WriteFault) -> R {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}

extension RecordingError {
  /// What a fault means for a recording.
  init(_ fault: WriteFault, _ path: String) {
    switch fault {
    case .system(let error): self.init(error, "write", path)
    case .refused(let words):
      self.init(.unsupportedFormat, "\(shownName(path)) cannot hold such audio: \(words) Record as wav")
    case .encoder(let words): self.init(.writeFailed, "cannot write \(shownName(path)): the encoder says \(words)")
    }
  }
}
