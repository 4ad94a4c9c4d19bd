import AuricleAudio
import AuricleMedia
import AuricleRecording
import AuricleSession
import Testing

@testable import AuricleCLI

@Suite("What record is asked to do")
struct RecordRequestTests {
  private func request(_ words: String...) throws -> RecordRequest {
    guard case .command("record", let arguments) = try ArgumentParser(commands: Commands.all).parse(["record"] + words)
    else { throw UsageError("no command") }
    return try RecordRequest(arguments)
  }

  private func message(_ words: String...) -> String? {
    do throws(UsageError) {
      guard
        case .command("record", let arguments) = try ArgumentParser(commands: Commands.all).parse(["record"] + words)
      else { return nil }
      _ = try RecordRequest(arguments)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Nothing asked: the default microphone to WAV with text, after a question")
  func standard() throws {
    let request = try request()
    #expect(request.origin == .standardDevice && request.format == .wav && request.wantsTranscript)
    #expect(request.consent == .ask && request.seconds == nil && request.folder == nil)
  }

  @Test("Everything asked")
  func everything() throws {
    let request = try request(
      "--source", "-", "--rate=48000", "--channels", "2", "--duration=1h30m", "--out", "d", "--consent", " a ,b,a",
      "--format", "opus", "--language", "en", "--model", "m", "--threads", "2")
    #expect(try request.origin == .standardInput(RawFormat(sampleRate: 48_000, channelCount: 2)))
    #expect(request.seconds == 5_400 && request.folder == "d" && request.consent == .participants(["a", "b"]))
    #expect(request.format == .opus && request.language?.description == "en" && request.threadCount == 2)
    #expect(try self.request("--yes").consent == .participants(["everyone-present"]))
    #expect(try !self.request("--no-transcript").wantsTranscript)
    #expect(try self.request("--source=mic").origin == .device("mic"))
  }

  @Test("A greatest length is 1 to 240 whole minutes", arguments: ["0", "241", "-1", "1.5", "90s", "", "x"])
  func badMaximum(text: String) throws {
    #expect(message("--max-duration=\(text)")?.hasPrefix("--max-duration must be a whole number from 1 to 240") == true)
    #expect(try request("--max-duration=240", "--duration=5m").maximumMinutes == 240)
    #expect(try request("--max-duration", "1").maximumMinutes == 1 && request().maximumMinutes == nil)
  }

  @Test(
    "Lengths",
    arguments: [
      ("90", 90), ("90s", 90), ("5m", 300), ("2h", 7_200), ("1h30m", 5_400), ("1H1m1s", 3_661), ("0.5s", 0.5),
      ("168h", 604_800),
    ] as [(String, Double)])
  func lengths(text: String, seconds: Double) throws {
    #expect(try DurationText.seconds(text, for: "--duration") == seconds)
  }

  @Test(
    "No lengths",
    arguments: [
      "", "s", "0", "0s", "-5", "5d", "1m1h", "1s1s", "1.2.3", "1e3", "inf", "nan", "0x10", "５s", "169h", "1 h", "h1",
      "99999999999999999999h", "5\u{1B}[2J",
    ])
  func noLengths(text: String) {
    let error = #expect(throws: UsageError.self) { try DurationText.seconds(text, for: "--duration") }
    #expect(error?.message.hasPrefix("--duration must be ") == true && error?.message.contains("\u{1B}") == false)
  }

  @Test("What contradicts itself or is unknown is told")
  func wrong() {
    #expect(message("--format", "mp3")?.hasPrefix("unknown format mp3") == true)
    #expect(message("--format", "flak") == "unknown format flak; did you mean flac?")
    #expect(message("--rate", "8000") == "--rate describes standard input; add --source -, or leave --rate out")
    #expect(message("--consent", " , ")?.hasPrefix("--consent names nobody") == true)
    #expect(message("--no-transcript", "--model", "m")?.hasPrefix("--model is about text") == true)
    #expect(message("--out", "")?.hasPrefix("--out is empty") == true)
    #expect(message("--source=")?.hasPrefix("--source is empty") == true)
    #expect(message("here")?.contains("takes no operand") == true)
  }

  @Test(
    "A language that is none, or is lacking, is told before anything is recorded",
    arguments: [[""], ["auto"], ["no language"], ["e"], ["\u{1B}[2J"], []])
  func badLanguage(value: [String]) throws {
    let words = ["record", "--yes", "--language"] + value
    let error = #expect(throws: UsageError.self) {
      guard case .command(_, let arguments) = try ArgumentParser(commands: Commands.all).parse(words) else { return }
      _ = try RecordRequest(arguments)
    }
    #expect(error?.message.contains("language") == true && error?.message.contains("\u{1B}") == false)
  }

  @Test(
    "Answers to the question",
    arguments: [
      ("", nil), ("n", nil), ("No ", nil), ("y", ["everyone-present"]), (" YES", ["everyone-present"]),
      ("Ann, Bob", nil), ("nein", nil), ("no thanks", nil), ("q", nil), ("\u{1B}[A", nil), (",", nil),
      ("y Ann, Bob", ["Ann", "Bob"]), ("Yes: Ann", ["Ann"]), ("y ,", ["everyone-present"]),
      ("y Ann\u{1B}[2J", ["Ann [2J"]),
    ] as [(String, [String]?)])
  func answers(answer: String, participants: [String]?) {
    #expect(ConsentQuestion.participants(answer: answer) == participants)
  }

  @Test("Where recordings are kept, and how they are named")
  func place() throws {
    #expect(RecordingPlace.root("/d", environment: [:]) == "/d")
    #expect(RecordingPlace.root(nil, environment: ["XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/x/auricle/recordings")
    #expect(
      RecordingPlace.root(nil, environment: ["XDG_DATA_HOME": "x", "HOME": "/h"])
        == "/h/.local/share/auricle/recordings")
    #expect(RecordingPlace.root(nil, environment: [:]) == nil)
    let time = Timestamp(millisecondsSince1970: 1_738_315_800_250)
    #expect(RecordingPlace.name(time) == "2025-01-31T09-30-00Z")
    #expect(RecordingPlace.time("2025-01-31T09-30-00Z-2")?.millisecondsSince1970 == 1_738_315_800_000)
    #expect(RecordingPlace.time("notes") == nil)
  }
}
