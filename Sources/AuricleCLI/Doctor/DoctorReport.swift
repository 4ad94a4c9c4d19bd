import AuricleSession

/// What all the checks showed.
struct DoctorReport: Sendable, Equatable, Encodable {
  /// One row of the table.
  struct Row: Sendable, Equatable, Encodable {
    let name: String
    let isNeeded: Bool
    let isOK: Bool
    let detail: String
    /// The command that mends it; `nil` when there is nothing to mend.
    let mend: String?
  }

  /// Whether everything that is needed is there.
  let isOK: Bool
  /// The rows.
  let checks: [Row]

  /// Takes all the looks.
  init(_ checks: [DoctorCheck]) {
    self.checks = checks.map { check in
      switch check.look() {
      case .found(let detail):
        Row(name: check.name, isNeeded: check.isNeeded, isOK: true, detail: detail, mend: nil)
      case .missing(let reason, let mend):
        Row(name: check.name, isNeeded: check.isNeeded, isOK: false, detail: reason, mend: mend)
      }
    }
    isOK = self.checks.allSatisfy { $0.isOK || !$0.isNeeded }
  }

  /// The table, and a last line that says what it comes to.
  var table: String {
    let width = checks.map(\.name.count).max() ?? 0
    let rows = checks.map { row in
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      let state = row.isOK ? "ok      " : row.isNeeded ? "missing " : "optional"
      let mend = row.mend.map { "; mend it with: " + $0 } ?? ""
      return state + "  " + name + "  " + PlainText.line(row.detail + mend) + "\n"
    }
    let missing = checks.count { !$0.isOK && $0.isNeeded }
    guard missing > 0 else { return rows.joined() + "Everything that is needed is there.\n" }
    return rows.joined() + "\(missing) of \(checks.count) checks need mending.\n"
  }
}
