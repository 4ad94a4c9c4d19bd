/// One of the engine's configuration structures, with strings that live as long as it is lent.
struct EngineConfig<Structure> {
  /// Where a string goes in the structure.
  typealias Place = WritableKeyPath<Structure, UnsafePointer<CChar>?>

  /// The structure without its strings.
  var structure: Structure
  /// The strings and where they go.
  var strings: [(place: Place, text: String)]

  /// Lends the structure, strings and all.
  func withUnsafe<R>(_ body: (UnsafePointer<Structure>) -> R) -> R {
    var lent = structure
    return Self.fill(&lent, strings[...], body)
  }

  private static func fill<R>(
    _ structure: inout Structure, _ rest: ArraySlice<(place: Place, text: String)>,
    _ body: (UnsafePointer<Structure>) -> R
  ) -> R {
    guard let (place, text) = rest.first else { return body(&structure) }
    return text.withCString { pointer in
      structure[keyPath: place] = pointer
      return fill(&structure, rest.dropFirst(), body)
    }
  }
}
