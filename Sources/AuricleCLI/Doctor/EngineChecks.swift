import AuricleSherpa

/// The checks of the engine and its model, as the table has them.
enum EngineChecks {
  /// All of them.
  static func all(_ request: DoctorRequest) -> [DoctorCheck] {
    EngineCheck.all(explicitModel: request.model, environment: request.environment).map { check in
      DoctorCheck(check.name, isNeeded: check.isNeeded) {
        check.isOK ? .found(check.detail) : .missing(check.detail, mend: Checkout.remedy(check.remedy ?? "make setup"))
      }
    }
  }
}
