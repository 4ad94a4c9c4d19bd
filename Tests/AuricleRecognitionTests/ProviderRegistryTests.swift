import AuricleRecognition
import AuricleTestKit
import Testing

@Suite("The registry of providers", .timeLimit(.minutes(5)))
struct ProviderRegistryTests {
  private func provider(
    _ vendor: String, version: String = "1", features: ServiceFeatures = [.aiAudioRecording, .callAudioRecording],
    hasRecognition: Bool = true
  ) -> ServiceProvider {
    let scripted = ScriptedProvider([], vendor: vendor)
    guard hasRecognition else {
      return ServiceProvider(
        vendor: vendor, version: version, capabilities: scripted.capabilities, features: features, recognition: nil)
    }
    return ServiceProvider(scripted, version: version, features: features)
  }

  private func kind(_ body: () throws -> ServiceProvider) -> RecognitionError.Kind? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? RecognitionError)?.kind
    }
  }

  @Test("§6: Registering keeps the order as the priority")
  func order() throws {
    let registry = ProviderRegistry([provider("a"), provider("b")])
    registry.register(provider("c"))
    #expect(registry.providers.map(\.vendor) == ["a", "b", "c"])
    #expect(registry.active?.vendor == "a")
    #expect(try registry.provider().vendor == "a")
  }

  @Test("§6: A vendor is registered once; registered again it keeps its place")
  func replacement() {
    let registry = ProviderRegistry([provider("a"), provider("b")])
    registry.register(provider("a", version: "2"))
    #expect(registry.providers.map(\.vendor) == ["a", "b"])
    #expect(registry.providers.map(\.version) == ["2", "1"])
  }

  @Test("§6: Selecting is separate from the order, and can be taken back")
  func selection() throws {
    let registry = ProviderRegistry([provider("a"), provider("b")])
    try registry.select("b")
    #expect(registry.providers.map(\.vendor) == ["a", "b"])
    #expect(registry.active?.vendor == "b")
    #expect(try registry.provider().vendor == "b")
    try registry.select(nil)
    #expect(try registry.provider().vendor == "a")
  }

  @Test("§6: Selecting what nobody registered fails and leaves the selection")
  func unknownSelection() throws {
    let registry = ProviderRegistry([provider("a"), provider("b")])
    try registry.select("b")
    var kind: RecognitionError.Kind?
    do { try registry.select("z") } catch { kind = error.kind }
    #expect(kind == .notConfigured)
    #expect(registry.active?.vendor == "b")
  }

  @Test("§6: The provider that was asked for is the one, whatever is selected")
  func request() throws {
    let registry = ProviderRegistry([provider("a"), provider("b"), provider("c")])
    try registry.select("b")
    #expect(try registry.provider("c").vendor == "c")
    #expect(kind { try registry.provider("z") } == .notConfigured)
  }

  @Test("§6: A provider that is taken away is neither first nor selected any more")
  func unregistering() throws {
    let registry = ProviderRegistry([provider("a"), provider("b"), provider("c")])
    try registry.select("b")
    #expect(registry.unregister("b"))
    #expect(registry.active?.vendor == "a")
    #expect(registry.unregister("a"))
    #expect(try registry.provider().vendor == "c")
    #expect(!registry.unregister("a"))
    registry.register(provider("b"))
    #expect(registry.active?.vendor == "c", "an old selection does not come back")
  }

  @Test("§6: Nobody registered is not configured")
  func empty() {
    let registry = ProviderRegistry()
    #expect(registry.active == nil)
    #expect(kind { try registry.provider() } == .notConfigured)
  }

  @Test("§6: Without a selection the first that can do it is taken")
  func firstAble() throws {
    let registry = ProviderRegistry([
      provider("mute", hasRecognition: false), provider("room", features: .aiAudioRecording),
      provider("call", features: .callAudioRecording),
    ])
    #expect(try registry.provider(offering: .aiAudioRecording).vendor == "room")
    #expect(try registry.provider(offering: .callAudioRecording).vendor == "call")
    #expect(kind { try registry.provider(offering: [.aiAudioRecording, .callAudioRecording]) } == .notSupported)
  }

  @Test("§6: A selected provider that cannot do it is not replaced by another one")
  func selectedUnable() throws {
    let registry = ProviderRegistry([
      provider("room", features: .aiAudioRecording), provider("call", features: .callAudioRecording),
    ])
    try registry.select("room")
    #expect(kind { try registry.provider(offering: .callAudioRecording) } == .notSupported)
  }

  @Test("§6: A missing service means not supported")
  func missingService() throws {
    let registry = ProviderRegistry([provider("mute", hasRecognition: false)])
    #expect(kind { try registry.provider("mute") } == .serviceMissing)
    #expect(kind { try registry.provider() } == .notSupported)
    #expect(!registry.isSupported(.aiAudioRecording))
  }

  @Test("§6: The bits of the features are the ones of the page")
  func bits() {
    #expect(ServiceFeatures.normalAudioRecording.rawValue == 1 << 11)
    #expect(ServiceFeatures.aiAudioRecording.rawValue == 1 << 9)
    #expect(ServiceFeatures.callAudioRecording.rawValue == 1 << 10)
  }

  @Test("§6: A mask is supported only if every bit is", arguments: 0..<16)
  func mask(number: Int) throws {
    // Three bits that mean something, and one that means nothing.
    let bits = [1 << 9, 1 << 10, 1 << 11, 1 << 12]
    let mask = ServiceFeatures(rawValue: bits.indices.reduce(0) { $0 | (number & (1 << $1) == 0 ? 0 : bits[$1]) })
    let offers: [(registry: ProviderRegistry, supported: Int)] = [
      (ProviderRegistry(), 1 << 11),
      (ProviderRegistry([provider("a", features: .aiAudioRecording)]), 1 << 9 | 1 << 11),
      (ProviderRegistry([provider("a", features: .callAudioRecording)]), 1 << 10 | 1 << 11),
      (ProviderRegistry([provider("a")]), 1 << 9 | 1 << 10 | 1 << 11),
      (ProviderRegistry([provider("a", hasRecognition: false)]), 1 << 11),
    ]
    for (registry, supported) in offers {
      let isEvery = mask.rawValue != 0 && mask.rawValue & ~supported == 0
      #expect(registry.isSupported(mask) == isEvery, "\(mask.rawValue) of \(supported)")
    }
  }

  @Test("§6: A feature query answers for the active provider alone")
  func activeAnswers() throws {
    let registry = ProviderRegistry([
      provider("room", features: .aiAudioRecording), provider("call", features: .callAudioRecording),
    ])
    #expect(registry.isSupported(.aiAudioRecording) && !registry.isSupported(.callAudioRecording))
    try registry.select("call")
    #expect(!registry.isSupported(.aiAudioRecording) && registry.isSupported(.callAudioRecording))
  }

  @Test("§6: A provider says who signs in to it, what it can do and of which version it is")
  func description() async throws {
    let scripted = ScriptedProvider([], vendor: "v")
    for mode in AuthenticationMode.allCases {
      let provider = ServiceProvider(scripted, version: "2.1", authenticationMode: mode)
      #expect(provider.authenticationMode == mode && provider.vendor == "v" && provider.version == "2.1")
      #expect(provider.capabilities == scripted.capabilities)
      let recognition = try #require(provider.recognition)
      let recogniser = try await recognition()
      #expect(recogniser.vendor == "v")
    }
    #expect(AuthenticationMode.allCases.map(\.rawValue) == ["none", "deviceInitiated", "appInitiated"])
  }

  @Test("§6: Many may register, select and ask at once")
  func crowd() async {
    let registry = ProviderRegistry()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            registry.register(provider("\(number)", version: "\(round)"))
            try? registry.select("\((number + 1) % 8)")
            _ = registry.isSupported(.aiAudioRecording)
            if round % 3 == 0 { registry.unregister("\(number)") }
          }
        }
      }
    }
    // The last round of each unregisters it.
    #expect(registry.providers.isEmpty && registry.active == nil)
  }
}
