/// Finds the word that was probably meant.
enum Suggestion {
  /// The closest candidate, if it is close enough to be worth a question: a third of the letters may be wrong.
  static func closest(to word: String, among candidates: [String]) -> String? {
    guard word.count <= 64 else { return nil }
    let ranked = candidates.map { (distance(word, $0), $0) }.sorted { $0 < $1 }
    guard let (distance, candidate) = ranked.first, distance <= max(1, candidate.count / 3) else { return nil }
    return candidate
  }

  /// The half-sentence that names the closest candidate; empty when there is none.
  static func phrase(for word: String, among candidates: [String]) -> String {
    closest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }

  /// How many letters must be changed, added, removed or swapped with a neighbour (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left.lowercased())
    let b = Array(right.lowercased())
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var best = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}
