#if canImport(Darwin)
  import Darwin
#else
  import CSpawn
  import Glibc
#endif

/// A running program of which this object is the parent: it is reaped exactly once, and killed if nobody waited for it.
///
/// No shell is involved. The program has its own process group, so that Ctrl-C reaches only its parent, which then
/// decides. Of the parent's open files it inherits the one it is given.
final class ChildProcess {
  /// The number under which the program finds the file that it is given.
  static let inputNumber: Int32 = 3

  /// What the program writes to its standard output.
  let output: FileDescriptor
  /// What it writes to its standard error.
  let errors: FileDescriptor
  private var process: pid_t?

  /// Starts a program.
  /// - Parameters:
  ///   - path: Where it is.
  ///   - arguments: What it is told, without its own name.
  ///   - environment: Its whole environment, as `NAME=value`.
  ///   - input: The file that it may read, as descriptor 3.
  init(
    path: String, arguments: [String], environment: [String], input: FileDescriptor
  ) throws(SystemError) {
    let (output, outputEnd) = try FileDescriptor.pipe()
    let (errors, errorsEnd) = try FileDescriptor.pipe()
    // Moved out of the way, so that no descriptor is replaced before it is copied to its place.
    let moved = [try outputEnd.duplicate(atLeast: 10), try errorsEnd.duplicate(atLeast: 10)]
    let movedInput = try input.duplicate(atLeast: 10)
    let plan = SpawnPlan()
    plan.openNothing(at: 0)
    plan.copy(moved[0], to: 1)
    plan.copy(moved[1], to: 2)
    plan.copy(movedInput, to: Self.inputNumber)
    plan.closeAll(from: Self.inputNumber + 1)
    // The plan knows only the numbers: the descriptors must stay open until the program has its own copies.
    process = try withExtendedLifetime((moved, movedInput)) { () throws(SystemError) in
      try plan.start(path, [path] + arguments, environment)
    }
    self.output = output
    self.errors = errors
  }

  deinit { _ = stop() }

  /// Ends the program if it still runs.
  /// - Returns: Whether it had ended by itself, and well; `nil` if it was stopped before.
  func stop() -> Bool? {
    guard let process else { return nil }
    self.process = nil
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status == 0
  }
}

/// What happens between the parent and the program: which files go where, which signals are as usual.
private final class SpawnPlan {
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
    private static let platformFlags = POSIX_SPAWN_CLOEXEC_DEFAULT
  #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private static let platformFlags: Int32 = 0
  #endif

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = Self.platformFlags | Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags | Int32(POSIX_SPAWN_SETSIGMASK)))
  }

  deinit {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  func openNothing(at number: Int32) {
    posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0)
  }

  /// Keeps from the program whatever else the process has open, also what its other parts forgot to mark.
  func closeAll(from number: Int32) {
    #if !canImport(Darwin)
      auricle_spawn_close_from(&actions, number)
    #endif
  }

  func copy(_ descriptor: FileDescriptor, to number: Int32) {
    posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
  }

  func start(_ path: String, _ arguments: [String], _ environment: [String]) throws(SystemError) -> pid_t {
    var process: pid_t = 0
    let code = FileDescriptor.inheritance.withLock { _ in
      withCStrings(arguments) { arguments in
        withCStrings(environment) { posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
      }
    }
    guard code == 0 else { throw SystemError(code: code) }
    return process
  }
}

/// Lends a list of strings to C, with a null pointer at its end.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}
