import AuricleSession
import Foundation

/// Where the sound of a recording comes from.
public final class TSAIAudioRouteConfiguration: NSObject {
  /// The input by its name; `nil` for the default one. The name is ours; the page says only that there is an input.
  public var inputName: String?
  /// Where sound is played; has to be ``TSAIAudioRouteOutput/none``.
  public var output: TSAIAudioRouteOutput

  /// Names a route.
  public init(inputName: String? = nil, output: TSAIAudioRouteOutput = .none) {
    self.inputName = inputName
    self.output = output
  }

  /// The route as the core has it, which refuses an output.
  var route: AudioRoute { AudioRoute(input: inputName, output: output == .none ? nil : "\(output)") }
}
