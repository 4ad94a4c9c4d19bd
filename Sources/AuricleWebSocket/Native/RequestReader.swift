#if canImport(CWebSockets)
  import CWebSockets

  /// Reads a request out of libwebsockets.
  struct RequestReader {
    let wsi: OpaquePointer

    func read(names: [String], isSecure: Bool) -> WebSocketRequest {
      var headers: [String: String] = [:]
      for index in 0..<WSI_TOKEN_COUNT.rawValue {
        let token = lws_token_indexes(index)
        guard let text = lws_token_to_string(token) else { continue }
        let name = String(cString: UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
        guard name.hasSuffix(":"), !name.hasPrefix(":"), let value = value(token) else { continue }
        headers[String(name.dropLast())] = value
      }
      for name in names where headers[name.lowercased()] == nil {
        headers[name.lowercased()] = custom(name.lowercased() + ":")
      }
      return WebSocketRequest(
        path: value(WSI_TOKEN_GET_URI) ?? "/", query: value(WSI_TOKEN_HTTP_URI_ARGS) ?? "", peer: peer,
        isSecure: isSecure, headers: headers)
    }

    private func value(_ token: lws_token_indexes) -> String? {
      let count = lws_hdr_total_length(wsi, token)
      guard count > 0 else { return nil }
      return text(count) { lws_hdr_copy(wsi, $0, $1, token) }
    }

    private func custom(_ name: String) -> String? {
      let count = lws_hdr_custom_length(wsi, name, Int32(name.utf8.count))
      guard count > 0 else { return nil }
      return text(count) { lws_hdr_custom_copy(wsi, $0, $1, name, Int32(name.utf8.count)) }
    }

    private var peer: String {
      var name = [CChar](repeating: 0, count: 64)
      lws_get_peer_simple(wsi, &name, name.count)
      return Self.text(name)
    }

    private func text(_ count: Int32, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String? {
      var bytes = [CChar](repeating: 0, count: Int(count) + 1)
      guard bytes.withUnsafeMutableBufferPointer({ copy($0.baseAddress!, count + 1) }) >= 0 else { return nil }
      return Self.text(bytes)
    }

    private static func text(_ bytes: [CChar]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
