/// What the service says about a task.
public struct ServerMessage: Sendable, Equatable {
  /// What happened.
  public enum Event: Sendable, Equatable {
    /// The task takes audio.
    case taskStarted
    /// Words, or a sign of life. The second part is what was used up so far, in seconds, with a final sentence.
    case resultGenerated(SentenceResult, duration: Int?)
    /// Everything is said.
    case taskFinished(duration: Int?)
    /// The task failed, and the connection cannot be used any more.
    case taskFailed(code: String, message: String)
    /// Something that is not known here. Ignored.
    case unknown(String)
  }

  /// The task, exactly as its client wrote it.
  public let taskID: String
  /// What happened.
  public let event: Event

  /// Describes an event.
  public init(taskID: String, event: Event) {
    self.taskID = taskID
    self.event = event
  }

  /// As it is sent.
  public var text: String {
    var header: [String: JSONValue] = ["task_id": .string(taskID), "attributes": .object([:])]
    var payload: JSONValue = .object([:])
    switch event {
    case .taskStarted: header["event"] = .string("task-started")
    case .resultGenerated(let sentence, let duration):
      header["event"] = .string("result-generated")
      payload = .object(["output": .object(["sentence": sentence.json]), "usage": Self.usage(duration)])
    case .taskFinished(let duration):
      header["event"] = .string("task-finished")
      payload = .object(["output": .object([:]), "usage": Self.usage(duration)])
    case .taskFailed(let code, let message):
      header["event"] = .string("task-failed")
      header["error_code"] = .string(code)
      header["error_message"] = .string(message)
      // Where one client looks for it.
      payload = .object(["message": .string(message)])
    case .unknown(let name): header["event"] = .string(name)
    }
    return WireCoding.write(.object(["header": .object(header), "payload": payload]))
  }

  private static func usage(_ duration: Int?) -> JSONValue {
    duration.map { .object(["duration": .integer($0)]) } ?? .null
  }

  /// Reads what the service says.
  /// - Throws: ``WireError``, when it is no event of a task, or its sentence is none.
  public init(_ text: String) throws(WireError) {
    let message = try WireCoding.read(text)
    let header = message["header"] ?? .null
    guard let id = header["task_id"]?.text, !id.isEmpty else { throw WireError("The message has no task_id.") }
    guard let name = header["event"]?.text else { throw WireError("The message has no event.", taskID: id) }
    let payload = message["payload"] ?? .null
    let duration = payload["usage"]?["duration"]?.wholeNumber
    taskID = id
    switch name {
    case "task-started": event = .taskStarted
    case "task-finished": event = .taskFinished(duration: duration)
    case "result-generated":
      // A model that also translates says it in another place.
      let output = payload["output"] ?? .null
      guard let sentence = SentenceResult(json: output["sentence"] ?? output["transcription"] ?? .null) else {
        throw WireError("The result has no sentence.", taskID: id)
      }
      event = .resultGenerated(sentence, duration: duration)
    case "task-failed":
      event = .taskFailed(
        code: header["error_code"]?.text ?? payload["code"]?.text ?? "UnknownError",
        message: header["error_message"]?.text ?? payload["message"]?.text ?? "The service does not say why.")
    default: event = .unknown(name)
    }
  }
}
