/// One sentence as far as it is heard (`payload.output.sentence`). Times are milliseconds from the start of the task's audio.
public struct SentenceResult: Sendable, Equatable {
  /// One word of a sentence.
  public struct Word: Sendable, Equatable {
    /// Where it begins.
    public var beginTime: Int
    /// Where it ends.
    public var endTime: Int
    /// The word.
    public var text: String
    /// What stands behind it.
    public var punctuation: String
    /// Who says it, where the model tells.
    public var speakerID: Int?

    /// Describes a word.
    public init(beginTime: Int, endTime: Int, text: String, punctuation: String = "", speakerID: Int? = nil) {
      self.beginTime = beginTime
      self.endTime = endTime
      self.text = text
      self.punctuation = punctuation
      self.speakerID = speakerID
    }
  }

  /// The number of the sentence, from 1; 0 with a sign of life.
  public var id: Int
  /// Where it begins.
  public var beginTime: Int
  /// Where it ends; `nil` while it is open.
  public var endTime: Int?
  /// The whole sentence so far. A later one replaces it.
  public var text: String
  /// Its words; may be empty.
  public var words: [Word]
  /// Whether it is a sign of life only.
  public var isHeartbeat: Bool
  /// Whether it is the first of a sentence; newer models only.
  public var isBegin: Bool
  /// Whether the sentence is final.
  public var isEnd: Bool
  /// Who speaks, where the model tells.
  public var speakerID: Int?

  /// Describes a sentence.
  public init(
    id: Int, beginTime: Int, endTime: Int? = nil, text: String, words: [Word] = [], isHeartbeat: Bool = false,
    isBegin: Bool = false, isEnd: Bool = false, speakerID: Int? = nil
  ) {
    self.id = id
    self.beginTime = beginTime
    self.endTime = endTime
    self.text = text
    self.words = words
    self.isHeartbeat = isHeartbeat
    self.isBegin = isBegin
    self.isEnd = isEnd
    self.speakerID = speakerID
  }

  /// As it stands in a message: what official clients look for is there even where it says nothing.
  var json: JSONValue {
    let optional: [String: JSONValue?] = [
      "sentence_begin": isBegin ? .bool(true) : nil, "speaker_id": speakerID.map { .integer($0) },
    ]
    let fields: [String: JSONValue] = [
      "sentence_id": .integer(id), "begin_time": .integer(beginTime),
      "end_time": endTime.map { .integer($0) } ?? .null, "text": .string(text), "words": .array(words.map(\.json)),
      "heartbeat": .bool(isHeartbeat), "sentence_end": .bool(isEnd),
    ]
    return .object(fields.merging(optional.compactMapValues { $0 }) { $1 })
  }

  /// Reads a sentence; a text is needed. An older model says by the end's time that it is final.
  init?(json: JSONValue) {
    guard case .object = json else { return nil }
    let isHeartbeat = json["heartbeat"]?.truth ?? false
    guard let text = json["text"]?.text ?? (isHeartbeat ? "" : nil) else { return nil }
    let endTime = json["end_time"]?.wholeNumber
    self.init(
      id: json["sentence_id"]?.wholeNumber ?? 0, beginTime: max(0, json["begin_time"]?.wholeNumber ?? 0),
      endTime: endTime, text: text, words: (json["words"]?.elements ?? []).compactMap(Word.init(json:)),
      isHeartbeat: isHeartbeat, isBegin: json["sentence_begin"]?.truth ?? false,
      isEnd: json["sentence_end"]?.truth ?? (endTime != nil), speakerID: json["speaker_id"]?.wholeNumber)
  }
}

extension SentenceResult.Word {
  var json: JSONValue {
    let fields: [String: JSONValue?] = [
      "begin_time": .integer(beginTime), "end_time": .integer(endTime), "text": .string(text),
      "punctuation": .string(punctuation), "speaker_id": speakerID.map { .integer($0) },
    ]
    return fields.object
  }

  init?(json: JSONValue) {
    guard let text = json["text"]?.text, let begin = json["begin_time"]?.wholeNumber, begin >= 0 else { return nil }
    self.init(
      beginTime: begin, endTime: max(begin, json["end_time"]?.wholeNumber ?? begin), text: text,
      punctuation: json["punctuation"]?.text ?? "", speakerID: json["speaker_id"]?.wholeNumber)
  }
}
