/// What somebody asks a server for, before it says yes or no.
public struct WebSocketRequest: Sendable, Equatable {
  /// The path, without its query.
  public let path: String
  /// The query, without its question mark; empty when there is none.
  public let query: String
  /// Who asks, as a number.
  public let peer: String
  /// Whether the connection is encrypted.
  public let isSecure: Bool
  /// The headers, by their names in small letters.
  private let headers: [String: String]

  /// Describes a request.
  public init(path: String, query: String = "", peer: String = "", isSecure: Bool = false, headers: [String: String]) {
    self.path = path
    self.query = query
    self.peer = peer
    self.isSecure = isSecure
    self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
  }

  /// The value of a header, whatever letters its name is written in; `nil` when it is not there.
  public subscript(_ name: String) -> String? { headers[name.lowercased()] }
}

/// What a server says to a request.
public enum WebSocketAnswer: Sendable, Equatable {
  /// Yes.
  case accept
  /// No, with a status (401, 403, 404, 429, 503 and others) and a body of JSON, which may be empty.
  case refuse(status: Int, body: String)
}

/// Somebody who was let in.
public struct WebSocketArrival: Sendable {
  /// What was asked for.
  public let request: WebSocketRequest
  /// The connection.
  public let connection: any WebSocketConnection
}
