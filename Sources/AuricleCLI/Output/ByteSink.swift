/// Writing failed.
public struct OutputError: Error, Equatable, Sendable {
  /// One sentence for a person, without a line break.
  public let message: String
  /// Whether the reader went away, which is no failure of ours.
  public let isReaderGone: Bool

  /// Creates an error.
  public init(_ message: String, isReaderGone: Bool = false) {
    self.message = message
    self.isReaderGone = isReaderGone
  }
}

/// Where bytes go: standard output, standard error, a file, or an array in a test.
public protocol ByteSink: Sendable {
  /// The columns of the terminal; `nil` when it is none.
  var terminalWidth: Int? { get }
  /// Writes everything, now. Blocks while the other side does not read.
  /// - Throws: ``OutputError``; what was written before stays written.
  func write(_ bytes: [UInt8]) throws(OutputError)
}

/// A descriptor that somebody else owns, such as standard output.
public struct DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let name: String

  /// Standard output.
  public static let standardOutput = DescriptorSink(1, name: "standard output")
  /// Standard error.
  public static let standardError = DescriptorSink(2, name: "standard error")

  /// Writes to an open descriptor.
  /// - Parameters:
  ///   - descriptor: Its number. It stays open, and whoever opened it closes it.
  ///   - name: How messages call it.
  public init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// The columns of the terminal; `nil` when it is none.
  public var terminalWidth: Int? { SystemCalls.terminalWidth(descriptor) }

  /// Writes everything, now.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    let number = SystemCalls.writeAll(descriptor, bytes)
    guard number != 0 else { return }
    throw OutputError(
      "cannot write to \(name): \(SystemCalls.message(number))", isReaderGone: number == SystemCalls.readerGone)
  }
}
