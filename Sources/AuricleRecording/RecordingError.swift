/// What went wrong with a recording on disk.
///
/// The set of kinds is open: compare with the static members, and treat an unknown one as the end of the recording.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A stable name of what went wrong.
  public struct Kind: Hashable, Sendable {
    /// The stable name, as it stands in machine-readable output.
    public let name: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// The disk is full, or so nearly that only header and report still fit. The file is whole. Ask the user.
    public static let storageFull = Kind(name: "storageFull")
    /// The place may not be written to. Ask the user.
    public static let notPermitted = Kind(name: "notPermitted")
    /// There is something in the place already, and nothing is ever overwritten. Take another name.
    public static let exists = Kind(name: "exists")
    /// There is no such file. Ask the user.
    public static let notFound = Kind(name: "notFound")
    /// The system or the encoder refused to write. The file is whole up to what was written. Give up.
    public static let writeFailed = Kind(name: "writeFailed")
    /// The folder was deleted or moved away while it was recorded into. Give up.
    public static let folderGone = Kind(name: "folderGone")
    /// The audio does not fit the format of the file. Ask for another one.
    public static let unsupportedFormat = Kind(name: "unsupportedFormat")
    /// Another process holds it. Try again when that one is done.
    public static let inUse = Kind(name: "inUse")
    /// The file holds nothing that could be mended. It was left as it is.
    public static let damaged = Kind(name: "damaged")
    /// The recorder went away before it had finished. What was written stays.
    public static let abandoned = Kind(name: "abandoned")
  }

  /// What went wrong.
  public let kind: Kind
  /// One sentence for a person, without a line break; it says what to do where something can be done.
  public let message: String
  /// The system's error number, for diagnosis only; 0 if there is none.
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

extension RecordingError {
  /// What a failed call on a file means for a recording.
  init(_ error: SystemError, _ attempt: String, _ path: String) {
    let (kind, words) = Self.meaning(error)
    self.init(kind, "cannot \(attempt) \(shownName(path)): \(words)", platformCode: Int(error.code))
  }

  private static func meaning(_ error: SystemError) -> (Kind, String) {
    if error.isNoRoom { return (.storageFull, "the disk is full; make room, or record to another folder") }
    if error.isTooLarge { return (.storageFull, "a file may not be that large there; record to another folder") }
    if error.isNotPermitted { return (.notPermitted, "\(error.words); name a folder that may be written to") }
    if error.isExisting { return (.exists, "it is there already, and is not overwritten") }
    if error.isNotFound { return (.notFound, error.words) }
    return (.writeFailed, error.words)
  }
}

/// A path as it may stand in a message: without line breaks and other control characters.
func shownName(_ path: String) -> String {
  String(String.UnicodeScalarView(path.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
}
