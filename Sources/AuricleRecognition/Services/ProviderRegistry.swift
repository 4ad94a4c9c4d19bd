/// The providers of a program: their order is their priority, and which one is selected is another matter.
///
/// Every method can be called from any thread and waits for nothing.
public final class ProviderRegistry: Sendable {
  private struct State {
    var providers: [ServiceProvider] = []
    var selected: String?
  }

  private let state: Guarded<State>

  /// Creates a registry.
  /// - Parameter providers: Registered in this order; of two with one vendor the later replaces the earlier.
  public init(_ providers: [ServiceProvider] = []) {
    state = Guarded(State())
    for provider in providers { register(provider) }
  }

  /// All providers, the first of them with the highest priority.
  public var providers: [ServiceProvider] { state.withLock { $0.providers } }

  /// Adds a provider behind the others. One of the same vendor is replaced at its place.
  public func register(_ provider: ServiceProvider) {
    state.withLock { state in
      if let place = state.providers.firstIndex(where: { $0.vendor == provider.vendor }) {
        state.providers[place] = provider
      } else {
        state.providers.append(provider)
      }
    }
  }

  /// Takes a provider away. If it was selected, none is.
  /// - Returns: Whether it was there.
  @discardableResult
  public func unregister(_ vendor: String) -> Bool {
    state.withLock { state in
      let count = state.providers.count
      state.providers.removeAll { $0.vendor == vendor }
      if state.selected == vendor { state.selected = nil }
      return state.providers.count < count
    }
  }

  /// Selects a provider; `nil` leaves it to the order again.
  /// - Throws: ``RecognitionError`` of kind `notConfigured`, when nobody registered it; the selection is as before.
  public func select(_ vendor: String?) throws(RecognitionError) {
    let isKnown = state.withLock { state in
      guard vendor == nil || state.providers.contains(where: { $0.vendor == vendor }) else { return false }
      state.selected = vendor
      return true
    }
    if !isKnown { throw unknown(vendor ?? "") }
  }

  /// The provider that is selected, else the first one; `nil` when there is none.
  public var active: ServiceProvider? {
    state.withLock { state in state.providers.first { $0.vendor == state.selected } ?? state.providers.first }
  }

  /// The provider that a session gets.
  /// - Parameter vendor: The one that was asked for; `nil` for the selected one, else the first that can do it.
  /// - Parameter features: What it must offer.
  /// - Throws: ``RecognitionError`` of kind `notConfigured`, when there is none or nobody registered that one;
  ///   `serviceMissing`, when it has no recogniser; `notSupported`, when it does not offer the features.
  public func provider(
    _ vendor: String? = nil, offering features: ServiceFeatures = .aiAudioRecording
  ) throws(RecognitionError) -> ServiceProvider {
    let (providers, selected) = state.withLock { ($0.providers, $0.selected) }
    guard let name = vendor ?? selected else { return try first(of: providers, offering: features) }
    guard let provider = providers.first(where: { $0.vendor == name }) else { throw unknown(name) }
    guard provider.recognition != nil else {
      throw RecognitionError(.serviceMissing, "\(name) has no recogniser; select another provider")
    }
    guard provider.features.isSuperset(of: features) else {
      throw RecognitionError(.notSupported, "\(name) does not offer such a recording; select another provider")
    }
    return provider
  }

  /// Whether every feature of a mask can be had right now: from the active provider, or, for recordings that nobody
  /// transcribes, from nobody. An empty mask cannot.
  public func isSupported(_ features: ServiceFeatures) -> Bool {
    guard !features.isEmpty else { return false }
    let offered = active.map { $0.recognition == nil ? [] : $0.features } ?? []
    return offered.union(.normalAudioRecording).isSuperset(of: features)
  }

  private func first(
    of providers: [ServiceProvider], offering features: ServiceFeatures
  ) throws(RecognitionError) -> ServiceProvider {
    guard !providers.isEmpty else {
      throw RecognitionError(.notConfigured, "no provider is registered; register one before you record")
    }
    let able = providers.first { $0.recognition != nil && $0.features.isSuperset(of: features) }
    guard let able else {
      throw RecognitionError(.notSupported, "no registered provider offers such a recording; register one that does")
    }
    return able
  }

  private func unknown(_ vendor: String) -> RecognitionError {
    RecognitionError(.notConfigured, "no provider is called \(vendor); register it, or select another one")
  }
}
