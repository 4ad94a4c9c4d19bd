import AuricleConsent
import AuricleRecognition
import AuricleTestKit
import Testing

@testable import AuricleSession

@Suite("Whether a recording may be offered that a device asks for")
struct DeviceEligibilityTests {
  private static let order = ["provider", "permission", "consent", "busy", "context"]
  private static let codes = ["notConfigured", "microphoneDenied", "consentMissing", "busy", "contextInactive"]

  /// Everything is in order but what is named.
  private static func eligibility(without missing: Set<String>, asked: Diary<String> = Diary()) -> DeviceEligibility {
    let provider = ServiceProvider(ScriptedProvider([]), version: "1")
    return DeviceEligibility(
      registry: ProviderRegistry(missing.contains("provider") ? [] : [provider]),
      isPermitted: {
        asked.note("permission")
        return !missing.contains("permission")
      },
      consent: {
        asked.note("consent")
        return missing.contains("consent")
          ? nil : try? ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1")
      },
      isBusy: {
        asked.note("busy")
        return missing.contains("busy")
      },
      isContextActive: {
        asked.note("context")
        return !missing.contains("context")
      })
  }

  @Test("§8: Provider, permission, consent, not busy and context, in this order", arguments: 0..<5)
  func obstacles(_ place: Int) async {
    let asked = Diary<String>()
    // All behind it are missing as well: the first one counts, and nobody asks for the others.
    let eligibility = Self.eligibility(without: Set(Self.order[place...]), asked: asked)
    let obstacle = await eligibility.obstacle(for: DeviceBench.request)
    #expect(obstacle?.code == Self.codes[place])
    #expect(asked.entries == Array(Self.order[1...].prefix(place)))
  }

  @Test("§8: Where nothing is in the way, it may be offered")
  func eligible() async {
    let obstacle = await Self.eligibility(without: []).obstacle(for: DeviceBench.request)
    #expect(obstacle == nil)
  }

  @Test("§6, §8: A call needs a provider that offers calls")
  func scenes() async {
    let provider = ServiceProvider(ScriptedProvider([]), version: "1", features: .aiAudioRecording)
    let eligibility = DeviceEligibility(
      registry: ProviderRegistry([provider]),
      consent: { try? ConsentRecord(participants: ["a"], grantedAtMilliseconds: 0, policyRevision: "1") })
    let call = await eligibility.obstacle(for: DeviceStartRequest(id: "1", scene: .call))
    let onSite = await eligibility.obstacle(for: DeviceStartRequest(id: "1", scene: .onSite))
    #expect(call?.code == "notSupported" && onSite == nil)
  }
}
