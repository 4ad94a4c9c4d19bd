import AuricleAudio
import Foundation

/// What listens for a record: reads the source in a task, and keeps the newest samples.
final class RecordTap: @unchecked Sendable {
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
  }

  private let format: AudioFormat
  private let lock = ReadWriteLock()
  private var state: State

  init(_ format: AudioFormat, capacity: Int) {
    self.format = format
    state = State(samples: LatestSamples(capacity: capacity))
  }

  var isOpen: Bool { lock.reading { state.task != nil } }

  /// Listens to a source until it ends, fails or ``end()``.
  func begin(_ source: any AudioSource) {
    lock.writing {
      state.samples.clear()
      state.failure = nil
      state.attempt += 1
      // Owned by the tap, whose end cancels it.
      state.task = Task.detached { [weak self, format, attempt = state.attempt] in
        await Self.listen(to: source, RecordConverter(to: format)) { self?.take($0, attempt) == true }
        self?.closed(attempt)
      }
    }
  }

  func end() {
    lock.writing {
      state.task?.cancel()
      state.task = nil
      state.attempt += 1
      state.failure = nil
      state.samples.clear()
    }
  }

  func read(offset: UInt, length: UInt) throws -> FloatBuffer {
    try lock.reading {
      guard state.task != nil else {
        throw TasksError(.audioRecordNotTappingMic, "nothing is being recorded; start it first")
      }
      if let failure = state.failure { throw failure }
      return try state.samples.read(offset: offset, length: length)
    }
  }

  /// Ten milliseconds at a time, so that what is read is at most that old.
  private static func listen(
    to source: any AudioSource, _ converter: RecordConverter, take: (Result<Piece, any Error>) -> Bool
  ) async {
    var converter = converter
    let maxFrames = max(1, source.format.sampleRate / 100)
    while !Task.isCancelled, let chunk = try? await source.next(maxFrames: maxFrames) {
      let piece = Result { try converter.take(chunk) }
      guard take(piece) else { return }
    }
  }

  /// - Returns: Whether anybody still listens.
  private func take(_ result: Result<Piece, any Error>, _ attempt: Int) -> Bool {
    lock.writing {
      guard attempt == state.attempt else { return false }
      switch result {
      case .success(let piece):
        if !piece.samples.isEmpty { state.failure = nil }
        piece.samples.withUnsafeBufferPointer { state.samples.load($0) }
        state.samples.loadSilence(piece.silentCount)
      case .failure(let error): state.failure = error
      }
      return true
    }
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
