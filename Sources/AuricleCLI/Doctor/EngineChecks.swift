import AuricleRecognition
import AuricleSherpa

/// The checks of the engine and its model.
enum EngineChecks {
  /// All of them.
  static func all(_ request: DoctorRequest) -> [DoctorCheck] { [model(request)] }

  private static func model(_ request: DoctorRequest) -> DoctorCheck {
    DoctorCheck("recogniser") {
      do throws(RecognitionError) {
        return .found(try ModelSearch(explicit: request.model, environment: request.environment).find().path)
      } catch {
        return .missing(error.message, mend: "make setup")
      }
    }
  }
}
