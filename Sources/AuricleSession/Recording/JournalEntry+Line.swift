import Foundation

extension JournalEntry {
  /// The entry as one line of JSON, without the line break.
  /// - Throws: `EncodingError`, when a number is none.
  public func line() throws -> String { try JSONText.encode(self) }

  /// Reads a line.
  /// - Returns: `nil` for what is no entry: a torn line, or an entry of a kind that this code does not know.
  public init?(line: String) {
    guard let entry = try? JSONDecoder().decode(JournalEntry.self, from: Data(line.utf8)) else { return nil }
    self = entry
  }
}

extension JournalEntry: Codable {
  private enum CodingKeys: String, CodingKey {
    case entry, value
  }

  /// The names of the entries, stable.
  private enum Name: String, Codable {
    case header, provider, gap, transcript, event, notice, failure, incomplete, stopped, ended, attempt,
      attemptStopped, offline, disconnected, textPending, textComplete, reported, destroy, destroyed
  }

  /// Reads an object with the entry's name and its value.
  /// - Throws: `DecodingError`, also for an entry of an unknown kind.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>() throws -> Value { try fields.decode(Value.self, forKey: .value) }
    switch try fields.decode(Name.self, forKey: .entry) {
    case .header: self = .header(try value())
    case .provider: self = .provider(try value())
    case .gap: self = .gap(try value())
    case .transcript: self = .transcript(try value())
    case .event: self = .event(try value())
    case .notice: self = .notice(try value())
    case .failure: self = .failure(try value())
    case .incomplete: self = .incomplete(try value())
    case .stopped: self = .stopped(try value())
    case .ended: self = .ended(try value())
    case .attempt: self = .attempt(try value())
    case .attemptStopped: self = .attemptStopped(try value())
    case .offline: self = .offline
    case .disconnected: self = .disconnected
    case .textPending: self = .textPending
    case .textComplete: self = .textComplete
    case .reported: self = .reported(revision: try value())
    case .destroy: self = .destroy
    case .destroyed: self = .destroyed
    }
  }

  /// Writes an object with the entry's name and its value.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    func write(_ name: Name, _ value: some Encodable) throws {
      try fields.encode(name, forKey: .entry)
      try fields.encode(value, forKey: .value)
    }
    switch self {
    case .header(let value): try write(.header, value)
    case .provider(let value): try write(.provider, value)
    case .gap(let value): try write(.gap, value)
    case .transcript(let value): try write(.transcript, value)
    case .event(let value): try write(.event, value)
    case .notice(let value): try write(.notice, value)
    case .failure(let value): try write(.failure, value)
    case .incomplete(let value): try write(.incomplete, value)
    case .stopped(let value): try write(.stopped, value)
    case .ended(let value): try write(.ended, value)
    case .attempt(let value): try write(.attempt, value)
    case .attemptStopped(let value): try write(.attemptStopped, value)
    case .offline: try write(.offline, true)
    case .disconnected: try write(.disconnected, true)
    case .textPending: try write(.textPending, true)
    case .textComplete: try write(.textComplete, true)
    case .reported(let value): try write(.reported, value)
    case .destroy: try write(.destroy, true)
    case .destroyed: try write(.destroyed, true)
    }
  }
}
