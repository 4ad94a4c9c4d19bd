import Foundation

#if !canImport(Darwin)
  import CSpawn
#endif

/// A program that a test runs. It inherits none of the process's open files, so that no pipe of another test waits for
/// its end.
struct TestProgram {
  let path: String
  let arguments: [String]
  let environment: [String: String]
  /// The file to which it writes.
  let outputPath: String

  /// Where an installed program is; `nil` when it is not.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts it.
  /// - Returns: Its number, which its starter must wait for.
  func start() throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = POSIX_SPAWN_SETPGROUP
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    #if !canImport(Darwin)
      auricle_spawn_close_from(&actions, 3)
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return try spawn(&actions, &attributes)
  }

  /// Runs it to its end, on a thread of its own.
  /// - Returns: Whether it ended well.
  func run() async throws -> Bool {
    let process = try start()
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.wait(for: process) == 0) }
    }
  }

  /// Waits for the end of a program.
  /// - Returns: Its status, as the system gives it.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  private func spawn(_ actions: inout Actions, _ attributes: inout Attributes) throws -> pid_t {
    let words = ([path] + arguments).map { strdup($0) }
    let values = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (words + values).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, words + [nil], values + [nil])
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
    return process
  }
}
