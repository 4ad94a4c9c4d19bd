import AuricleConsent

/// Somebody who agrees.
enum ConsentRecordSample {
  static let record = try? ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1")
}
