import AuricleSession
import Foundation

/// Something that happened in a session beside the words.
public final class AIAudioRecordingEventModel: NSObject, Sendable {
  /// What happened.
  public let eventType: AIAudioRecordingEventType
  /// The event as the core tells it; ours.
  public let event: ReportEvent

  init(_ event: ReportEvent) {
    eventType = AIAudioRecordingEventType(number: event.eventType)
    self.event = event
  }

  /// When it was told; `nil` when nobody knows.
  public var timestamp: Date? { event.timestamp?.date }
  /// Seconds since somebody wanted the session to start; 0 when nobody knows.
  public var timeSinceSessionStart: TimeInterval { event.timeSinceSessionStart ?? 0 }
  /// What showed it; `nil` where the type says all.
  public var evidence: String? { event.evidence }
  /// More about it.
  public var details: [String: String] { event.details }
  /// The failure that it tells of; `nil` for none.
  public var error: NSError? { event.error.map { NSError(aiBuds: $0) } }

  /// The event's name and number.
  public override var description: String { "AIAudioRecordingEventModel(\(eventType.debugName))" }
}
