/// What went wrong with a sound source, a file or a conversion.
///
/// The set of kinds is open: compare with the static members, and treat an unknown one as fatal for the source.
public struct AudioError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable name of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable name, as it stands in machine-readable output.
    public let name: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// There is no such file or device. Ask the user.
    public static let notFound = Kind(name: "notFound")
    /// It exists, but it may not be read. Ask the user.
    public static let notPermitted = Kind(name: "notPermitted")
    /// It exists and is readable, but it holds no audio that can be decoded. Give up on it.
    public static let notAudio = Kind(name: "notAudio")
    /// The format is outside what the part accepts. Ask for another one.
    public static let unsupportedFormat = Kind(name: "unsupportedFormat")
    /// Reading failed in the middle. What was read before is good.
    public static let readFailed = Kind(name: "readFailed")
    /// A program or library that is needed is not there. Install it.
    public static let missingTool = Kind(name: "missingTool")
    /// The device went away while it was heard. What was heard before is good. Choose another, or open it again.
    public static let deviceLost = Kind(name: "deviceLost")
    /// The sound server went away, or there is none. What was heard before is good. Connect again.
    public static let serverLost = Kind(name: "serverLost")
    /// An answer did not come in time. Try again.
    public static let timedOut = Kind(name: "timedOut")
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person, without a line break.
  public let message: String
  /// The code of the platform or library, for diagnosis only; 0 if there is none.
  public let platformCode: Int

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, platformCode: Int = 0) {
    self.kind = kind
    self.message = message
    self.platformCode = platformCode
  }

  /// The sentence for a person.
  public var description: String { message }
}
