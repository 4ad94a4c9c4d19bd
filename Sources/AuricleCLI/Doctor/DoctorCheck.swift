/// What `doctor` is asked about.
public struct DoctorRequest: Sendable, Equatable {
  /// A model folder; `nil` looks at the installed one.
  public let model: String?
  /// The environment of the process.
  public let environment: [String: String]

  /// Creates a request.
  public init(model: String?, environment: [String: String]) {
    self.model = model
    self.environment = environment
  }
}

/// One thing that `doctor` looks at.
public struct DoctorCheck: Sendable {
  /// What a look showed.
  public enum Finding: Sendable, Equatable {
    /// It is there; with a version, a place, or a number.
    case found(String)
    /// It is not there or broken: why, and the command that mends it.
    case missing(String, mend: String)
  }

  /// The name in the table.
  public let name: String
  /// Whether transcribing needs it; without the others some kinds of files do not open.
  public let isNeeded: Bool
  /// Takes the look.
  public let look: @Sendable () -> Finding

  /// Creates a check.
  public init(_ name: String, isNeeded: Bool = true, look: @escaping @Sendable () -> Finding) {
    self.name = name
    self.isNeeded = isNeeded
    self.look = look
  }
}
