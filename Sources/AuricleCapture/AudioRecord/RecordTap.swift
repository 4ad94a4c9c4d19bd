import AuricleAudio
import Foundation

/// What listens for a record: reads the source in a task, and keeps the newest samples.
package final class RecordTap: @unchecked Sendable {
  // The rule that makes it safe: `state` is touched only while the lock is held, by any number of readers or by one
  // writer. AudioRecordTests reads and writes from many threads under ThreadSanitizer.

  private struct State {
    var samples: LatestSamples
    /// The task that reads; `nil` while nothing is open.
    var task: Task<Void, Never>?
    /// Counts the attempts: what an earlier one delivers late is left out.
    var attempt = 0
    /// Why the newest samples could not be taken.
    var failure: (any Error)?

    /// - Returns: Whether anybody still listens.
    mutating func take(_ result: Result<Piece, any Error>, _ attempt: Int) -> Bool {
      guard attempt == self.attempt else { return false }
      switch result {
      case .success(let piece):
        if !piece.samples.isEmpty { failure = nil }
        piece.samples.withUnsafeBufferPointer { samples.load($0) }
        samples.loadSilence(piece.silentCount)
      case .failure(let error): failure = error
      }
      return true
    }
  }

  private let format: AudioFormat
  private let lock = ReadWriteLock()
  private var state: State

  package init(_ format: AudioFormat, capacity: Int) {
    self.format = format
    state = State(samples: LatestSamples(capacity: capacity))
  }

  var isOpen: Bool { lock.reading { state.task != nil } }

  /// Listens to a source until it ends, fails or ``end()``.
  package func begin(_ source: any AudioSource) {
    lock.writing {
      state.samples.clear()
      state.failure = nil
      state.attempt += 1
      // Owned by the tap, whose end cancels it.
      state.task = Task.detached { [weak self, writer = writer(), attempt = state.attempt] in
        await Self.listen(to: source, writer)
        self?.closed(attempt)
      }
    }
  }

  package func end() {
    lock.writing {
      state.task?.cancel()
      state.task = nil
      state.attempt += 1
      state.failure = nil
      state.samples.clear()
    }
  }

  package func read(offset: UInt, length: UInt) throws -> FloatBuffer {
    try lock.reading {
      guard state.task != nil else {
        throw TasksError(.audioRecordNotTappingMic, "nothing is being recorded; start it first")
      }
      if let failure = state.failure { throw failure }
      return try state.samples.read(offset: offset, length: length)
    }
  }

  /// Ten milliseconds at a time, so that what is read is at most that old.
  private static func listen(to source: any AudioSource, _ writer: Writer) async {
    var writer = writer
    let maxFrames = max(1, source.format.sampleRate / 100)
    while !Task.isCancelled, let chunk = try? await source.next(maxFrames: maxFrames) {
      guard writer.write(chunk) else { return }
    }
  }

  /// Converts what one attempt delivers, and puts it into the tap as long as that attempt lasts.
  package struct Writer {
    fileprivate weak var tap: RecordTap?
    fileprivate var converter: RecordConverter
    fileprivate let attempt: Int

    /// - Returns: Whether anybody still listens.
    package mutating func write(_ chunk: AudioChunk) -> Bool {
      let piece = Result { try converter.take(chunk) }
      return tap?.take(piece, attempt) == true
    }
  }

  /// What writes in the attempt that runs. Not from inside the lock of a reader.
  package func writer() -> Writer { Writer(tap: self, converter: RecordConverter(to: format), attempt: state.attempt) }

  /// - Returns: Whether anybody still listens.
  private func take(_ result: Result<Piece, any Error>, _ attempt: Int) -> Bool {
    lock.writing { state.take(result, attempt) }
  }

  /// The source ended by itself.
  private func closed(_ attempt: Int) {
    lock.writing { if attempt == state.attempt { state.task = nil } }
  }
}

/// What a chunk adds: samples, and zeros behind them.
private struct Piece {
  var samples: [Float] = []
  var silentCount = 0
}

extension RecordConverter {
  /// What a chunk adds: for a gap, what was held back and then zeros.
  fileprivate mutating func take(_ chunk: AudioChunk) throws(AudioError) -> Piece {
    switch chunk {
    case .audio(let block): Piece(samples: try convert(block))
    case .notice: Piece()
    case .gap(let gap): Piece(samples: try finishRun(), silentCount: elementCount(of: gap))
    }
  }
}

/// A lock that any number of readers or one writer holds.
private final class ReadWriteLock: @unchecked Sendable {
  // The rule that makes it safe: the system's lock is made for many threads, and lies at an address of its own.
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>

  init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }

  func writing<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}
