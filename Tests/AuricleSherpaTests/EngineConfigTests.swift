import CSherpaOnnx
import Testing

@testable import AuricleSherpa

@Suite("The engine's configuration")
struct EngineConfigTests {
  private func model(_ item: ModelLayoutTests.Case) throws -> InspectedModel {
    let layout = try ModelLayoutTests.detect(item)
    return InspectedModel(folder: ModelFolder(path: "/m"), name: "m", layout: layout, languages: [])
  }

  @Test("Every file of every kind has its own place", arguments: ModelCases.all)
  func places(_ item: ModelLayoutTests.Case) throws {
    let model = try model(item)
    let paths = Set(item.taken.values.map { "/m/" + $0 })
    if item.kind.isStreaming {
      let config = OnlineConfig(model)
      #expect(Set(config.strings.map(\.text).filter { $0.hasPrefix("/m/") }) == paths)
      #expect(Set(config.strings.map(\.place)).count == config.strings.count)
    } else {
      let config = OfflineConfig(model, language: nil)
      #expect(Set(config.strings.map(\.text).filter { $0.hasPrefix("/m/") }) == paths)
      #expect(Set(config.strings.map(\.place)).count == config.strings.count)
    }
  }

  @Test("The language reaches the models that take one")
  func language() throws {
    let places: [(ModelKind, OfflineConfig.Place)] = [
      (.whisper, \.model_config.whisper.language), (.senseVoice, \.model_config.sense_voice.language),
      (.canary, \.model_config.canary.src_lang), (.canary, \.model_config.canary.tgt_lang),
      (.cohere, \.model_config.cohere_transcribe.language),
    ]
    for (kind, place) in places {
      let item = try #require(ModelCases.all.first { $0.kind == kind })
      let told = OfflineConfig(try model(item), language: "de").withUnsafe { config in
        config.pointee[keyPath: place].map { String(cString: $0) }
      }
      #expect(told == "de")
      #expect(kind.takesLanguage)
    }
  }
}
