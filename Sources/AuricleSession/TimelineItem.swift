import AuricleAudio

/// What stands in a report's timeline for people: sentences, and gaps long enough to be noticed.
enum TimelineItem: Equatable {
  /// Words.
  case sentence(ReportTranscript)
  /// No audio.
  case gap(ReportGap)

  /// The shortest gap that is shown, in seconds. Shorter ones stand in the JSON report only.
  static let shortestGap = 1.0

  /// Sentences in their own order, each gap before the first sentence that begins behind the gap's start.
  static func all(of report: RecordingReport) -> [TimelineItem] {
    var gaps = report.gaps.filter { $0.end - $0.start >= shortestGap }.sorted { $0.start < $1.start }[...]
    var items: [TimelineItem] = []
    for sentence in report.transcripts {
      while let gap = gaps.first, gap.start < sentence.start {
        items.append(.gap(gap))
        gaps.removeFirst()
      }
      items.append(.sentence(sentence))
    }
    return items + gaps.map(TimelineItem.gap)
  }
}

extension ReportGap {
  /// The reason in a person's words.
  var shownReason: String {
    switch AudioGap.Reason(name: reason) {
    case .paused: "paused"
    case .overrun: "audio lost: the machine was too busy"
    case .sourceLost: "audio lost: the source was away"
    case .damaged: "audio damaged"
    case .consentWithdrawn: "consent withdrawn"
    case .noConsent: "no consent"
    default: "audio missing: \(PlainText.line(reason))"
    }
  }
}
