import AuricleAudio
import AuricleCapture
import Foundation
import Testing

@testable import AuricleCLI

@Suite("auricle doctor and the rest")
struct DoctorTests {
  private let good = DoctorCheck("engine") { .found("2.0.1") }
  private let bad = DoctorCheck("model") { .missing("not\nfound", mend: "make setup") }
  private let optional = DoctorCheck("ffmpeg program", isNeeded: false) { .missing("not found", mend: "apt-get") }

  @Test("A table, and 0 when everything that is needed is there")
  func allGood() async {
    let bench = Bench(checks: [good, optional])
    #expect(await bench.run("doctor") == .success)
    #expect(
      bench.output.text == """
        ok        engine          2.0.1
        optional  ffmpeg program  not found; mend it with: apt-get
        optional  sound server    it has nothing that can be recorded; mend it with: auricle devices
        Everything that is needed is there.

        """)
  }

  @Test("Something that is needed and missing is 69, with the command that mends it")
  func missing() async {
    let bench = Bench(checks: [good, bad, optional])
    #expect(await bench.run("doctor") == .unavailable)
    #expect(bench.output.text.contains("missing   model           not found; mend it with: make setup\n"))
    #expect(bench.output.text.hasSuffix("1 of 4 checks need mending.\n"))
  }

  @Test("As JSON")
  func json() async throws {
    struct Report: Decodable {
      struct Check: Decodable {
        let name: String
        let isOK: Bool
        let isNeeded: Bool
        let mend: String?
      }
      let isOK: Bool
      let checks: [Check]
    }
    let bench = Bench(checks: [good, bad])
    #expect(await bench.run("doctor", "--json") == .unavailable)
    let report = try JSONDecoder().decode(Report.self, from: Data(bench.output.text.utf8))
    #expect(!report.isOK && report.checks[1].mend == "make setup")
    #expect(report.checks.map(\.name) == ["engine", "model", "sound server"] && report.checks[2].isNeeded == false)
  }

  @Test("The sound server, for which devices there are, and without one the command that starts it")
  func sound() async throws {
    @Sendable func microphone(isDefault: Bool) -> CaptureDevice {
      CaptureDevice(
        name: "mic", description: "A mic", isMonitor: false, isDefault: isDefault, sampleRate: 48_000, channelCount: 1)
    }
    let found = await SoundCheck.look { [microphone(isDefault: true)] }.look()
    #expect(found == .found("1 to record from; the default is A mic"))
    let other = await SoundCheck.look { [microphone(isDefault: false)] }.look()
    #expect(
      other == .missing("it has no default input; name one with --source", mend: "auricle devices"))
    let gone = await SoundCheck.look { () throws(AudioError) in throw AudioError(.serverLost, "no server") }.look()
    guard case .missing(let reason, let mend) = gone else { return #expect(Bool(false), "it is found") }
    #expect(reason.hasPrefix("no server") && mend.contains("pulseaudio --start"))
  }

  @Test("The checks of this machine find something or say what mends it")
  func machine() throws {
    let folder = try TemporaryFolder()
    let environment = ["PATH": folder.path, "XDG_DATA_HOME": folder.path]
    let rows = DoctorReport(MachineChecks.all(DoctorRequest(model: nil, environment: environment))).checks
    #expect(
      rows.map(\.name) == ["libsndfile", "libmpg123", "soxr", "ffmpeg program", "processor cores", "data folder"])
    #expect(rows.map(\.isOK) == [true, true, true, false, true, true] && rows[3].mend != nil)
    #expect(rows[0].detail.contains("sndfile") && rows[5].detail == folder.path + "/auricle")
  }

  @Test("Without a data folder, or with a file in its place, everything that is needed is there all the same")
  func noDataFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "a file")
    for environment in [[:], ["XDG_DATA_HOME": "\(folder.path)/a file"]] {
      let report = DoctorReport(MachineChecks.all(DoctorRequest(model: nil, environment: environment)))
      let row = try #require(report.checks.last)
      #expect(report.isOK && !row.isOK && !row.isNeeded)
      #expect(row.mend == "export XDG_DATA_HOME to a folder that can be written")
    }
  }

  @Test("What mends the engine can be copied in any folder")
  func remedies() throws {
    let folder = try TemporaryFolder()
    #expect(Checkout.remedy("make setup", checkout: folder.path) == "make setup in a checkout of Auricle")
    try folder.write("", to: "Makefile")
    #expect(Checkout.remedy("make setup, or wait", checkout: folder.path) == "make -C \(folder.path) setup, or wait")
    #expect(SystemCalls.kind(Checkout.built + "/Package.swift") != nil)
  }

  @Test(
    "Words for a shell",
    arguments: [
      ("/a/b-c_1.2", "/a/b-c_1.2"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$(x)", "'$(x)'"),
    ])
  func shellWords(text: String, expected: String) {
    #expect(ShellWord.quoted(text) == expected)
  }

  @Test("Without a home there is no data folder")
  func noHome() {
    #expect(DataFolder.path([:]) == nil)
    #expect(DataFolder.path(["XDG_DATA_HOME": "relative"]) == nil)
    #expect(DataFolder.path(["HOME": "/h"])?.hasPrefix("/h/") == true)
  }

  @Test("Help, version and the probe")
  func others() async {
    let bench = Bench()
    #expect(await bench.run("--version") == .success)
    #expect(bench.output.text == "auricle \(AuricleTool.version)\n")
    #expect(await bench.run("transcribe", "--help") == .success)
    #expect(await bench.run("--help") == .success)
    #expect(bench.talk.text.isEmpty)
    #expect(await bench.run("probe-model", "good") == .success)
    #expect(await bench.run("probe-model", "bad") == .unavailable)
    #expect(bench.talk.text == "auricle: bad is no model: name another folder\n")
  }
}
