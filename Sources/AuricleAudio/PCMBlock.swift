/// A run of consecutive frames of one stream, numbered from the stream's start.
public struct PCMBlock: Sendable, Equatable {
  /// The format of the samples.
  public let format: AudioFormat
  /// The number of the first frame, counted from the stream's start, at the format's rate.
  public let startFrame: Int64
  /// The samples, interleaved; `frameCount × channelCount` of them, full scale ±1.
  public let samples: [Float]

  /// Creates a block.
  /// - Precondition: the samples are whole frames, and the start is not negative.
  public init(format: AudioFormat, startFrame: Int64, samples: [Float]) {
    precondition(samples.count.isMultiple(of: format.channelCount), "samples are not whole frames")
    precondition(startFrame >= 0, "a frame number is negative")
    self.format = format
    self.startFrame = startFrame
    self.samples = samples
  }

  /// How many frames the block holds.
  public var frameCount: Int { samples.count / format.channelCount }
  /// The numbers of the frames that the block holds.
  public var frames: Range<Int64> { startFrame..<(startFrame + Int64(frameCount)) }
}

/// A place where audio should be and is not.
///
/// A gap is data: it travels between the blocks, takes up its frames in the numbering, and stands in the report.
public struct AudioGap: Sendable, Equatable, Hashable {
  /// Why the audio is missing. The set is open.
  public struct Reason: Hashable, Sendable {
    /// The stable name, as it stands in reports.
    public let name: String
    /// Creates a reason; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// Frames came faster than they could be taken.
    public static let overrun = Reason(name: "overrun")
    /// The user paused.
    public static let paused = Reason(name: "paused")
    /// The source was away.
    public static let sourceLost = Reason(name: "sourceLost")
    /// The bytes of the file could not be decoded there.
    public static let damaged = Reason(name: "damaged")
    /// Nobody had agreed to be recorded yet.
    public static let noConsent = Reason(name: "noConsent")
    /// The agreement to be recorded was withdrawn.
    public static let consentWithdrawn = Reason(name: "consentWithdrawn")
  }

  /// The frames that are missing, at the stream's rate.
  public let frames: Range<Int64>
  /// The stream's rate, in frames per second.
  public let sampleRate: Int
  /// Why they are missing.
  public let reason: Reason

  /// Creates a gap.
  public init(frames: Range<Int64>, sampleRate: Int, reason: Reason) {
    self.frames = frames
    self.sampleRate = sampleRate
    self.reason = reason
  }
}

/// Something worth telling the user about a stream that goes on.
public struct AudioNotice: Sendable, Equatable {
  /// A stable name of what was noticed. The set is open.
  public struct Kind: Hashable, Sendable {
    /// The stable name, as it stands in reports.
    public let name: String
    /// Creates a kind; names are stable and never reused.
    public init(name: String) { self.name = name }

    /// The file holds less than its header says, or bytes that could not be decoded.
    public static let damagedAudio = Kind(name: "damagedAudio")
    /// Samples that are not numbers were replaced by silence.
    public static let nonFiniteSamples = Kind(name: "nonFiniteSamples")
  }

  /// What was noticed.
  public let kind: Kind
  /// One sentence for a person, without a line break.
  public let message: String
  /// What shows it, under stable names, for programs; empty where the message is all.
  public let details: [String: String]

  /// Creates a notice.
  public init(_ kind: Kind, _ message: String, details: [String: String] = [:]) {
    self.kind = kind
    self.message = message
    self.details = details
  }
}
