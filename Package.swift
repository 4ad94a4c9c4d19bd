// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A library target with the house's settings.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one library target.
func tests(_ name: String, _ extra: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "AuricleTestKit"] + extra,
    swiftSettings: strict)
}

let package = Package(
  name: "Auricle",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "AuricleAudio", targets: ["AuricleAudio"]),
    .library(name: "AuricleAppleAudio", targets: ["AuricleAppleAudio"]),
    .library(name: "AuricleRecognition", targets: ["AuricleRecognition"]),
    .library(name: "AuricleConsent", targets: ["AuricleConsent"]),
    .library(name: "AuricleCapture", targets: ["AuricleCapture"]),
    .library(name: "AuriclePulse", targets: ["AuriclePulse"]),
    .library(name: "AuricleLive", targets: ["AuricleLive"]),
    .library(name: "AuricleSession", targets: ["AuricleSession"]),
    .library(name: "AuricleMedia", targets: ["AuricleMedia"]),
    .library(name: "AuricleRecording", targets: ["AuricleRecording"]),
    .library(name: "AuricleSherpa", targets: ["AuricleSherpa"]),
    .library(name: "AuricleTSAI", targets: ["AuricleTSAI"]),
    .library(name: "AuricleAIBuds", targets: ["AuricleAIBuds"]),
    .library(name: "AuricleDashScope", targets: ["AuricleDashScope"]),
    .library(name: "AuricleWebSocket", targets: ["AuricleWebSocket"]),
    .library(name: "AuricleTestKit", targets: ["AuricleTestKit"]),
    .executable(name: "auricle", targets: ["auricle"]),
  ],
  targets: [
    // The ground floor: formats, frames, blocks, gaps, the ring, the source protocol. No Foundation, no C.
    layer("AuricleAudio"),
    // Who agreed to be recorded, and the gate that their agreement opens.
    layer("AuricleConsent", ["AuricleAudio"]),
    // Another rate for a stream of frames; not a product.
    layer("AuricleResampling", ["AuricleAudio", "CSoxr"]),
    // From a device's callback to a source: the gated ring, and what becomes of frames that it refuses.
    layer("AuricleCapture", ["AuricleAudio", "AuricleConsent", "AuricleResampling"]),
    // PulseAudio, and PipeWire, which serves the same client library.
    layer("AuriclePulse", ["AuricleAudio", "AuricleCapture", "AuricleConsent", "CPulse"]),
    // The microphone of Apple devices; empty elsewhere.
    layer("AuricleAppleAudio", ["AuricleAudio", "AuricleCapture", "AuricleConsent"]),
    // What every recogniser promises, and what it delivers.
    layer("AuricleRecognition", ["AuricleAudio"]),
    // Live transcription with a model that is not a streaming one: pure state machines and their drivers.
    layer("AuricleLive", ["AuricleAudio", "AuricleRecognition"]),
    // A session's results folded into one report, and the report's exports.
    layer(
      "AuricleSession",
      ["AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleRecognition", "AuricleRecording"]),
    // Sessions by callbacks, for the layers with vendors' call shapes; not a product.
    layer("AuricleCallbacks", ["AuricleConsent", "AuricleRecognition", "AuricleSession"]),
    // TSAIKit's and AIBuds' recording interfaces over the same sessions.
    layer(
      "AuricleTSAI", ["AuricleAudio", "AuricleCallbacks", "AuricleConsent", "AuricleRecognition", "AuricleSession"]),
    layer(
      "AuricleAIBuds", ["AuricleAudio", "AuricleCallbacks", "AuricleConsent", "AuricleRecognition", "AuricleSession"]),
    // Files and standard input.
    layer("AuricleMedia", ["AuricleAudio", "AuricleResampling", "CMpg123", "CSndFile", "CSpawn"]),
    // Recordings on disk: written, read while they grow, mended.
    layer("AuricleRecording", ["AuricleAudio", "AuricleResampling", "CFileHoles", "CSndFile"]),
    // The on-device provider.
    layer("AuricleSherpa", ["AuricleAudio", "AuricleRecognition", "AuricleLive", "CSherpaOnnx"]),
    // Connections that carry messages both ways: libwebsockets, and URLSession on Apple systems.
    layer(
      "AuricleWebSocket",
      ["AuricleRecognition", .target(name: "CWebSockets", condition: .when(platforms: [.linux]))]),
    // What is said on DashScope's wire, by both sides.
    layer("AuricleDashScope"),
    // Scripted parts and contract suites for tests, ours and our users'.
    layer(
      "AuricleTestKit",
      ["AuricleAudio", "AuricleCapture", "AuricleRecognition", "AuricleLive", "AuricleSession", "CSpawn"]),
    // The command line tool.
    layer(
      "AuricleCLI",
      [
        "AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleMedia", "AuriclePulse", "AuricleRecognition",
        "AuricleRecording", "AuricleSession", "AuricleSherpa",
      ]),
    .executableTarget(name: "auricle", dependencies: ["AuricleCLI"], swiftSettings: strict),
    // Measures many sessions at once, and the callback of a device; part of `make bench`.
    .executableTarget(
      name: "auricle-bench",
      dependencies: [
        "AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleMedia", "AuriclePulse", "AuricleRecognition",
        "AuricleSherpa", "AuricleTestKit",
      ],
      swiftSettings: strict),

    .systemLibrary(name: "CFileHoles"),
    .systemLibrary(
      name: "CMpg123", pkgConfig: "libmpg123",
      providers: [.apt(["libmpg123-dev"]), .brew(["mpg123"])]),
    // Without pkg-config: of what it says, SwiftPM needs nothing and warns of the rest.
    .systemLibrary(
      name: "CPulse",
      providers: [.apt(["libpulse-dev"]), .brew(["pulseaudio"])]),
    .systemLibrary(
      name: "CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"]), .brew(["libsndfile"])]),
    .systemLibrary(
      name: "CSoxr", pkgConfig: "soxr",
      providers: [.apt(["libsoxr-dev"]), .brew(["libsoxr"])]),
    .systemLibrary(name: "CSpawn"),
    // Without pkg-config, as CPulse.
    .systemLibrary(
      name: "CWebSockets",
      providers: [.apt(["libwebsockets-dev"]), .brew(["libwebsockets"])]),
    .systemLibrary(name: "CSherpaOnnx"),

    tests("AuricleAudio"),
    tests("AuricleConsent", ["AuricleAudio"]),
    tests("AuricleCapture", ["AuricleAudio", "AuricleConsent", "AuricleRecognition", "AuricleResampling"]),
    tests(
      "AuriclePulse",
      ["AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleMedia", "AuricleRecognition", "CPulse"]),
    tests("AuricleRecognition", ["AuricleAudio"]),
    tests("AuricleLive", ["AuricleAudio", "AuricleRecognition"]),
    tests(
      "AuricleSession",
      ["AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleRecognition", "AuricleRecording"]),
    // The layers with vendors' call shapes, and what is the same through each of them.
    .testTarget(
      name: "AuricleVendorTests",
      dependencies: [
        "AuricleAIBuds", "AuricleAudio", "AuricleCallbacks", "AuricleCapture", "AuricleConsent", "AuricleMedia",
        "AuricleRecognition", "AuricleRecording", "AuricleSession", "AuricleSherpa", "AuricleTSAI", "AuricleTestKit",
      ],
      swiftSettings: strict),
    tests("AuricleMedia", ["AuricleAudio"]),
    tests("AuricleRecording", ["AuricleAudio", "CSndFile", "RecordingProbe"]),
    // Records standard input, for tests that kill it.
    .executableTarget(
      name: "RecordingProbe", dependencies: ["AuricleAudio", "AuricleRecording"], path: "Tests/RecordingProbe",
      swiftSettings: strict),
    tests("AuricleDashScope"),
    tests("AuricleWebSocket", ["AuricleRecognition", "CWebSockets"]),
    tests("AuricleSherpa", ["AuricleAudio", "AuricleLive", "AuricleMedia", "AuricleRecognition", "CSherpaOnnx"]),
    tests(
      "AuricleCLI",
      [
        "AuricleAudio", "AuricleCapture", "AuricleConsent", "AuricleMedia", "AuricleRecognition", "AuricleRecording",
        "AuricleSession", "auricle",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
