import Testing

@testable import AuricleSherpa

@Suite("What doctor is told")
struct EngineCheckTests {
  private func checks(model: String?, environment: [String: String], checkout: String) -> [String: EngineCheck] {
    let locations = InstallLocations(environment: environment, checkout: checkout)
    let all = EngineCheck.all(explicitModel: model, environment: environment, locations: locations)
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  @Test("Where nothing is, everything is missing, each with a remedy")
  func nothing() {
    let checks = checks(model: nil, environment: [:], checkout: "/no/such")
    for name in ["engine header", "recogniser model", "voice activity model", "model cache"] {
      #expect(checks[name]?.isOK == false)
      #expect(checks[name]?.remedy?.isEmpty == false)
    }
    #expect(checks["recogniser model"]?.isNeeded == true)
    #expect(checks["model cache"]?.isNeeded == false)
  }

  @Test("What is there is named with its kind and place", .enabled(if: Places.hasModel))
  func installed() throws {
    let home = try TemporaryFolder()
    let checks = checks(model: nil, environment: ["XDG_CACHE_HOME": home.path], checkout: Places.deps)
    #expect(checks.values.allSatisfy { $0.isOK && $0.remedy == nil })
    #expect(checks["recogniser model"]?.detail.hasPrefix("moonshine-base-en (moonshine-merged, en)") == true)
    #expect(checks["recognition engine"]?.detail.hasPrefix("sherpa-onnx ") == true)
  }

  @Test("A broken model is named with what is wrong")
  func broken() throws {
    let home = try TemporaryFolder()
    try home.file("joiner.onnx", "x")
    let checks = checks(model: home.path, environment: [:], checkout: "/no/such")
    #expect(checks["recogniser model"]?.detail.contains("lacks its encoder.onnx") == true)
  }
}
