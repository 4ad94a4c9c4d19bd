import AuricleRecognition
import AuricleTestKit
import Foundation
import Testing

@testable import AuricleSherpa

@Suite(
  "The recogniser on this device", .enabled(if: Places.hasModel && Places.speech != nil), .serialized,
  .timeLimit(.minutes(10)))
struct OnDeviceProviderTests {
  private static let loaded = Result { () throws(RecognitionError) in
    try OnDeviceProvider(folder: ModelFolder(path: Places.model), workerCount: 2)
  }

  private func provider() throws -> OnDeviceProvider { try Self.loaded.get() }

  private func speech() async throws -> [Float] { try await Places.samples(try #require(Places.speech)) }

  @Test("It says what it is")
  func description() throws {
    let provider = try provider()
    #expect(provider.vendor == "sherpa-onnx")
    #expect(provider.model == "moonshine-base-en")
    #expect(provider.capabilities.languages == ["en"])
    #expect(provider.capabilities.offline)
  }

  @Test("The contract of recognisers holds")
  func contract() async throws {
    let samples = try await speech()
    let contract = RecognitionContract(chunks: Chunks.of(samples, size: 1_600)) { try provider() }
    let violations = try await contract.violations()
    #expect(violations == [], "\(violations)")
  }

  @Test("The finals are the same for any blocks")
  func blocks() async throws {
    let samples = try await speech()
    let provider = try provider()
    let configuration = RecognitionConfiguration(wantsPartialResults: false)
    let whole = finals(try await transcribe(Chunks.of(samples, size: samples.count), with: provider, configuration))
    #expect(!whole.isEmpty)
    for size in [1, 160, 480, 4_096] {
      let split = finals(try await transcribe(Chunks.of(samples, size: size), with: provider, configuration))
      #expect(split.map(\.text) == whole.map(\.text), "blocks of \(size)")
      #expect(split.map(\.span) == whole.map(\.span), "blocks of \(size)")
    }
  }

  @Test("One model serves several sessions at once, in the language that is asked for")
  func sessions() async throws {
    let samples = try await speech()
    let provider = try provider()
    let configuration = RecognitionConfiguration(language: LanguageTag("en-US"), wantsPartialResults: false)
    let all = try await withThrowingTaskGroup(of: [Transcript].self) { group in
      for size in [480, 1_600, 4_096] {
        group.addTask { try await finals(transcribe(Chunks.of(samples, size: size), with: provider, configuration)) }
      }
      return try await group.reduce(into: [[Transcript]]()) { $0.append($1) }
    }
    #expect(Set(all.map { $0.map(\.text) }).count == 1)
    #expect(all.joined().allSatisfy { $0.languageCode == "en-US" })
  }

  @Test("A language that the model lacks is refused, at loading and at starting")
  func language() async throws {
    let german = try #require(LanguageTag("de"))
    let loading = #expect(throws: RecognitionError.self) {
      try OnDeviceProvider(folder: ModelFolder(path: Places.model), language: german)
    }
    #expect(loading?.kind == .languageUnsupported)
    let provider = try provider()
    let starting = await #expect(throws: RecognitionError.self) {
      try await provider.startSession(RecognitionConfiguration(language: german))
    }
    #expect(starting?.kind == .languageUnsupported)
  }
}
