import Foundation

@testable import AuricleRecording

/// What the disk does instead of what it should.
final class Faults: Sendable {
  /// What happens to one write.
  enum Step: Sendable {
    /// As it should.
    case none
    /// A signal came.
    case interrupted
    /// Only so many bytes are taken.
    case short(Int)
    case fail(Int32)
  }

  private struct State: Sendable {
    var plan: [Step] = []
    var room: Int64 = .max
    var spoolRoom: Int64 = .max
    var changesLeft = Int.max
    var syncError: Int32 = 0
    var syncCount = 0
    var whenSyncing: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// What happens to the next writes, in order.
  var plan: [Step] {
    get { state.withLock { $0.plan } }
    set { state.withLock { $0.plan = newValue } }
  }

  /// Writes beyond this offset find no room.
  var room: Int64 {
    get { state.withLock { $0.room } }
    set { state.withLock { $0.room = newValue } }
  }

  /// Writes beyond this offset of a file that is not an audio file, as its beginning shows, find no room.
  var spoolRoom: Int64 {
    get { state.withLock { $0.spoolRoom } }
    set { state.withLock { $0.spoolRoom = newValue } }
  }

  /// After so many changes nothing happens any more, as if the process had been killed.
  var changesLeft: Int {
    get { state.withLock { $0.changesLeft } }
    set { state.withLock { $0.changesLeft = newValue } }
  }

  /// What `fsync` answers; 0 when all is well.
  var syncError: Int32 {
    get { state.withLock { $0.syncError } }
    set { state.withLock { $0.syncError = newValue } }
  }

  /// What `fsync` does before it answers.
  func whenSyncing(_ body: (@Sendable () -> Void)?) { state.withLock { $0.whenSyncing = body } }

  /// How often `fsync` was called.
  var syncCount: Int { state.withLock { $0.syncCount } }

  var calls: ChangingCalls {
    ChangingCalls(
      write: { file, bytes, offset in self.write(file, bytes, offset) },
      resize: { file, length in
        self.state.withLock { self.takeChange(&$0) } ? ChangingCalls.system.resize(file, length) : -Int(EIO)
      },
      sync: { file in self.sync(file) })
  }

  private func takeChange(_ state: inout State) -> Bool {
    state.changesLeft -= 1
    return state.changesLeft >= 0
  }

  private func sync(_ file: Int32) -> Int {
    let (error, body) = state.withLock { state in
      state.syncCount += 1
      return (state.syncError, state.whenSyncing)
    }
    body?()
    return error == 0 ? ChangingCalls.system.sync(file) : -Int(error)
  }

  private func isSpool(_ file: Int32) -> Bool {
    var beginning: [UInt8] = [0, 0, 0, 0]
    _ = pread(file, &beginning, 4, 0)
    return ![Array("RIFF".utf8), Array("fLaC".utf8), Array("OggS".utf8), [0, 0, 0, 0]].contains(beginning)
  }

  private func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    let (step, room, isAlive) = state.withLock { state in
      let room = isSpool(file) ? state.spoolRoom : state.room
      return (state.plan.isEmpty ? Step.none : state.plan.removeFirst(), room, self.takeChange(&state))
    }
    guard isAlive else { return -Int(EIO) }
    let fitting = Int(max(0, min(Int64(bytes.count), room - offset)))
    if fitting == 0 { return -Int(ENOSPC) }
    switch step {
    case .none: return ChangingCalls.system.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<fitting]), offset)
    case .interrupted: return -Int(EINTR)
    case .short(let count):
      let count = min(count, fitting)
      return ChangingCalls.system.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<count]), offset)
    case .fail(let error): return -Int(error)
    }
  }
}
