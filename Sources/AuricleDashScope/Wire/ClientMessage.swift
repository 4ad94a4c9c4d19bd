/// What a client says in text. Audio goes as bytes, without an envelope.
public enum ClientMessage: Sendable, Equatable {
  /// Begins a task.
  case runTask(id: String, RunTask)
  /// Replaces the context for the audio that follows.
  case continueTask(id: String, context: [JSONValue])
  /// Says that no more audio comes.
  case finishTask(id: String)

  /// What a task is to do.
  public struct RunTask: Sendable, Equatable {
    /// The model's name.
    public var model: String
    /// About its audio and how to hear it.
    public var parameters: TaskParameters
    /// Earlier turns of a conversation: `{role, content: [{type, text}]}` each.
    public var context: [JSONValue]
    /// Old lists of words.
    public var resources: [JSONValue]

    /// Describes a task.
    public init(
      model: String, parameters: TaskParameters = TaskParameters(), context: [JSONValue] = [],
      resources: [JSONValue] = []
    ) {
      self.model = model
      self.parameters = parameters
      self.context = context
      self.resources = resources
    }
  }

  /// The task that it is about, exactly as it is written.
  public var taskID: String {
    switch self {
    case .runTask(let id, _), .continueTask(let id, _), .finishTask(let id): id
    }
  }

  /// As it is sent.
  public var text: String {
    let (action, payload): (String, JSONValue) =
      switch self {
      case .runTask(_, let task): ("run-task", Self.payload(task))
      case .continueTask(_, let context): ("continue-task", .object(["input": Self.input(context)]))
      case .finishTask: ("finish-task", .object(["input": .object([:])]))
      }
    let header: JSONValue = .object([
      "action": .string(action), "task_id": .string(taskID), "streaming": .string("duplex"),
    ])
    return WireCoding.write(.object(["header": header, "payload": payload]))
  }

  private static func payload(_ task: RunTask) -> JSONValue {
    let resources: JSONValue? = task.resources.isEmpty ? nil : .array(task.resources)
    let fields: [String: JSONValue?] = [
      "task_group": .string("audio"), "task": .string("asr"), "function": .string("recognition"),
      "model": .string(task.model), "parameters": task.parameters.json, "input": input(task.context),
      "resources": resources,
    ]
    return fields.object
  }

  private static func input(_ context: [JSONValue]) -> JSONValue {
    .object(context.isEmpty ? [:] : ["context": .array(context)])
  }

  /// Reads what a client says.
  /// - Throws: ``WireError``, with the task's id as far as it is known.
  public init(_ text: String) throws(WireError) {
    let message = try WireCoding.read(text)
    guard let action = message["header"]?["action"]?.text else { throw WireError("The message has no action.") }
    guard let id = message["header"]?["task_id"]?.text, !id.isEmpty else {
      throw WireError("The message has no task_id.")
    }
    let payload = message["payload"] ?? .null
    switch action {
    case "run-task":
      guard let model = payload["model"]?.text, !model.isEmpty else {
        throw WireError("Missing required parameter 'payload.model'!", taskID: id)
      }
      let parameters: TaskParameters
      do throws(WireError) {
        parameters = try TaskParameters(json: payload["parameters"] ?? .null)
      } catch {
        throw WireError(error.description, taskID: id)
      }
      self = .runTask(
        id: id,
        RunTask(
          model: model, parameters: parameters, context: payload["input"]?["context"]?.elements ?? [],
          resources: payload["resources"]?.elements ?? []))
    case "continue-task": self = .continueTask(id: id, context: payload["input"]?["context"]?.elements ?? [])
    case "finish-task": self = .finishTask(id: id)
    default: throw WireError("The action is not known.", taskID: id)
    }
  }
}
