import AuricleAudio

/// Folds a recording's journal into its report.
///
/// A value without clock, file or thread: the same entries give the same report, whether they come from a running
/// recording or from the lines that a killed one left behind. Any entries in any order are taken; what cannot be is ignored.
public struct JournalFold: Sendable {
  /// The header; `nil` before it came.
  public private(set) var header: JournalHeader?
  /// The final sentences so far, in the order of delivery.
  public private(set) var transcripts: [ReportTranscript] = []
  /// Whether a later version of this code wrote the journal; what it says is not understood then.
  public private(set) var isNewer = false
  /// How many attempts to recover the recording died.
  public private(set) var attemptCount = 0
  /// How the recording ended; `nil` when it did not come to that.
  public private(set) var end: JournalEnd?
  /// Whether text is missing that can be had later.
  public private(set) var isTextPending = false
  /// The revision of the report that was issued last; `nil` when none was.
  public private(set) var issuedRevision: Int?
  /// Whether everything that was recorded is to be destroyed.
  public private(set) var mustDestroy = false
  private var isDestroyed = false
  private var hasNews = false
  private var isOffline = false
  private var wasDisconnected = false
  private let folder: String
  private var builder: ReportBuilder
  private var format = AudioFormat.speech
  private var gaps: [AudioGap] = []
  private var sentenceIndices: Set<Int> = []

  /// Begins without entries.
  /// - Parameter folder: Where the recording lies; the report says where its audio is.
  public init(folder: String) {
    self.folder = folder
    let never = Timestamp(millisecondsSince1970: 0)
    builder = ReportBuilder(context: ReportContext(provider: nil), startTime: never)
  }

  /// Folds lines; those that are no entries are ignored.
  public init(folder: String, lines: some Sequence<String>) {
    self.init(folder: folder)
    for line in lines {
      if let entry = JournalEntry(line: line) { apply(entry) }
    }
  }

  /// The report of what came so far. Until the end came, nothing is known of the audio but its gaps.
  public var report: RecordingReport {
    var builder = builder
    var heard: Int64 = 0
    let endFrame = end?.frameCount ?? Self.longest
    for gap in gaps where gap.frames.lowerBound < endFrame {
      let frames = gap.frames.clamped(to: 0..<endFrame)
      if heard < frames.lowerBound, end != nil { builder.apply(.audio(heard..<frames.lowerBound)) }
      builder.apply(.gap(AudioGap(frames: frames, sampleRate: gap.sampleRate, reason: gap.reason)))
      heard = frames.upperBound
    }
    if let end {
      if heard < endFrame { builder.apply(.audio(heard..<endFrame)) }
      builder.apply(.ended(end.time))
    }
    if isTextPending, !mustDestroy { builder.apply(.incomplete(.textPending)) }
    var report = builder.current
    report.revision = revision
    report.isOfflineRecording = report.isOfflineRecording || isOffline
    report.hadNetworkDisconnection = wasDisconnected
    if mustDestroy { report.forgetWords() }
    if isDestroyed { (report.isDestroyed, report.rawAudioFilePath) = (true, nil) }
    return report
  }

  /// The revision of the report as it is now: the next one, when there is news since the last one was issued.
  private var revision: Int { issuedRevision.map { hasNews ? $0 + 1 : $0 } ?? 0 }

  /// Where the last final sentence ends, in seconds; 0 when there is none.
  ///
  /// Never behind the end of the recording, whatever a journal says.
  public var textEnd: Double {
    let end = transcripts.map(\.end).max() ?? 0
    return min(max(0, end), format.seconds(self.end?.frameCount ?? Self.longest))
  }

  /// How long the recording is at least, in seconds, by what is known of its text and gaps.
  var leastSeconds: Double { max(textEnd, gaps.last.map { format.seconds($0.frames.upperBound) } ?? 0) }

  /// Takes the next entry.
  public mutating func apply(_ entry: JournalEntry) {
    switch entry {
    case .header(let header): begin(header)
    case .provider(let provider): builder.apply(.provider(provider))
    case .gap(let gap): add(gap)
    case .transcript(let sentence):
      guard Self.numbers.contains(sentence.sentenceIndex), Self.numbers.contains(sentence.sequence),
        sentenceIndices.insert(sentence.sentenceIndex).inserted
      else { return }
      transcripts.append(sentence)
      builder.add(sentence)
      hasNews = true
    case .event(let event): builder.add(event)
    case .notice(let notice): builder.add(notice)
    case .failure(let failure):
      builder.apply(.failure(failure))
      hasNews = true
    case .incomplete(let reason):
      builder.apply(.incomplete(reason))
      hasNews = true
    case .stopped(let reason): builder.apply(.stopped(reason))
    case .ended(let end): finish(end)
    case .attempt: attemptCount += 1
    case .attemptStopped: attemptCount = max(0, attemptCount - 1)
    case .offline: isOffline = true
    case .disconnected: wasDisconnected = true
    case .textPending: isTextPending = true
    case .textComplete: (isTextPending, hasNews) = (false, true)
    case .reported(let revision): note(revision)
    case .destroy: (mustDestroy, hasNews) = (true, true)
    case .destroyed: isDestroyed = mustDestroy
    }
  }

  /// The first header counts.
  private mutating func begin(_ header: JournalHeader) {
    let format = try? AudioFormat(sampleRate: header.sampleRate, channelCount: header.channelCount)
    isNewer = isNewer || header.version > JournalHeader.currentVersion
    guard self.header == nil, let format, !isNewer, Self.isName(header.audioFileName) else { return }
    self.header = header
    self.format = format
    let context = ReportContext(
      provider: nil, source: header.source, language: header.language, scene: header.scene, format: format,
      rawAudioFilePath: "\(folder)/\(header.audioFileName)", device: header.device, consent: header.consent,
      isOfflineRecording: header.isOfflineRecording ?? false)
    builder = ReportBuilder(context: context, startTime: header.startTime)
  }

  /// Gaps come in order and do not overlap.
  private mutating func add(_ gap: JournalGap) {
    let first = gaps.last?.frames.upperBound ?? 0
    guard gap.start >= first, gap.start < gap.end, gap.end <= Self.longest else { return }
    let reason = AudioGap.Reason(name: gap.reason)
    let gap = AudioGap(frames: gap.start..<gap.end, sampleRate: format.sampleRate, reason: reason)
    if let whole = gaps.last?.joined(with: gap) { gaps[gaps.count - 1] = whole } else { gaps.append(gap) }
  }

  private mutating func note(_ revision: Int) {
    guard Self.numbers.contains(revision), revision >= issuedRevision ?? 0 else { return }
    (issuedRevision, hasNews) = (revision, false)
  }

  /// The first end counts.
  private mutating func finish(_ end: JournalEnd) {
    guard self.end == nil, (0...Self.longest).contains(end.frameCount) else { return }
    self.end = end
  }

  /// The audio lies beside the journal, whatever a journal says.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  /// What sentences and deliveries may be counted with.
  private static let numbers = 0..<(1 << 31)
  /// More frames than any recording has.
  private static let longest = Int64(1) << 50
}

extension RecordingReport {
  /// Leaves out what people said, and who.
  fileprivate mutating func forgetWords() { (transcripts, speakers) = ([], []) }
}
