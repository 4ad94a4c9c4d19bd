import AuricleDashScope
import Foundation
import Testing

@Suite("DashScope wire")
struct WireTests {
  @Test("§4.3: run-task has every field that the service asks for, and an input even when it is empty")
  func runTask() throws {
    let text = ClientMessage.runTask(id: "a-b", .init(model: "fun-asr-realtime")).text
    #expect(
      text == """
        {"header":{"action":"run-task","streaming":"duplex","task_id":"a-b"},"payload":{"function":"recognition",\
        "input":{},"model":"fun-asr-realtime","parameters":{"format":"pcm","sample_rate":16000},"task":"asr",\
        "task_group":"audio"}}
        """)
    #expect(
      ClientMessage.finishTask(id: "x").text
        == #"{"header":{"action":"finish-task","streaming":"duplex","task_id":"x"},"payload":{"input":{}}}"#)
  }

  @Test("§4.4: every typed parameter comes back, and unknown ones are passed through")
  func parameters() throws {
    var parameters = TaskParameters(format: "opus", sampleRate: 8_000, others: ["stream": .bool(true), "x": .null])
    parameters.vocabularyID = "v"
    parameters.vocabulary = ["word": 5, "super": 50]
    parameters.maxSentenceSilence = 800
    parameters.heartbeat = true
    parameters.speechNoiseThreshold = -0.25
    parameters.disfluencyRemoval = false
    parameters.intermediateResults = true
    parameters.languageHints = ["zh", "en"]
    parameters.semanticPunctuation = false
    parameters.multiThresholdMode = true
    parameters.punctuationPrediction = false
    parameters.inverseTextNormalization = true
    let context: [JSONValue] = [.object(["role": .string("user"), "content": .array([])])]
    let messages: [ClientMessage] = [
      .runTask(
        id: "t",
        .init(model: "m", parameters: parameters, context: context, resources: [.object(["resource_id": .string("r")])])
      ),
      .continueTask(id: "t", context: context), .finishTask(id: "t"),
    ]
    for message in messages {
      let read = try ClientMessage(message.text)
      #expect(read == message)
    }
  }

  @Test("§8.3: a rate that is written as a text is read; a missing model is told with the task's id")
  func lenient() throws {
    let lenient =
      #"{"header":{"action":"run-task","task_id":"T"},"payload":{"model":"m","parameters":{"format":"pcm","sample_rate":"16000","heartbeat":null}}}"#
    guard case .runTask("T", let task) = try ClientMessage(lenient) else {
      Issue.record("it is a run-task")
      return
    }
    #expect(task.parameters.sampleRate == 16_000)
    #expect(task.parameters.heartbeat == nil)
    let error = #expect(throws: WireError.self) {
      try ClientMessage(#"{"header":{"action":"run-task","task_id":"T"},"payload":{}}"#)
    }
    #expect(error?.taskID == "T")
    #expect(error?.description == "Missing required parameter 'payload.model'!")
  }

  @Test("§4.5: every event comes back; §8.5 and §8.6: what official clients look for is there")
  func events() throws {
    let word = SentenceResult.Word(beginTime: 170, endTime: 295, text: "good", punctuation: ",", speakerID: 2)
    let open = SentenceResult(id: 1, beginTime: 170, text: "good", words: [word], isBegin: true)
    let final = SentenceResult(id: 1, beginTime: 170, endTime: 900, text: "good day", isEnd: true, speakerID: 1)
    let events: [ServerMessage.Event] = [
      .taskStarted, .resultGenerated(open, duration: nil), .resultGenerated(final, duration: 3),
      .resultGenerated(SentenceResult(id: 0, beginTime: 0, text: "", isHeartbeat: true), duration: nil),
      .taskFinished(duration: nil), .taskFinished(duration: 7), .taskFailed(code: "CLIENT_ERROR", message: "no"),
    ]
    for event in events {
      let message = ServerMessage(taskID: "A-1", event: event)
      let read = try ServerMessage(message.text)
      #expect(read == message)
    }
    let text = ServerMessage(taskID: "A", event: .resultGenerated(open, duration: nil)).text
    for key in ["\"end_time\":null", "\"words\":[", "\"sentence_end\":false", "\"heartbeat\":false", "\"usage\":null"] {
      #expect(text.contains(key), "\(key)")
    }
    #expect(ServerMessage(taskID: "A", event: .taskFinished(duration: nil)).text.contains(#""output":{}"#))
  }

  @Test("§9.3: the true code and message of a failure, with its task; §5.5: also from where others write it")
  func failures() throws {
    let usual = try ServerMessage(
      #"{"header":{"task_id":"T","event":"task-failed","error_code":"EmptyAudio","error_message":"short"},"payload":{}}"#
    )
    #expect(usual.event == .taskFailed(code: "EmptyAudio", message: "short"))
    let other = try ServerMessage(#"{"header":{"task_id":"T","event":"task-failed"},"payload":{"message":"m"}}"#)
    #expect(other.event == .taskFailed(code: "UnknownError", message: "m"))
    let new = try ServerMessage(#"{"header":{"task_id":"T","event":"task-paused"}}"#)
    #expect(new.event == .unknown("task-paused"))
  }

  @Test("§4.5: an older model's sentence is final when it has an end; a translating model's stands elsewhere")
  func variants() throws {
    let head = #"{"header":{"task_id":"T","event":"result-generated"},"payload":{"output":{"#
    let old = try ServerMessage(head + #""sentence":{"begin_time":1.0,"end_time":9,"text":"a","words":null}}}}"#)
    #expect(
      old.event
        == .resultGenerated(SentenceResult(id: 0, beginTime: 1, endTime: 9, text: "a", isEnd: true), duration: nil))
    let gummy = try ServerMessage(
      head + #""transcription":{"sentence_id":4,"begin_time":1,"text":"a","sentence_end":false}}}}"#)
    #expect(gummy.event == .resultGenerated(SentenceResult(id: 4, beginTime: 1, text: "a"), duration: nil))
  }

  /// `AURICLE_DASHSCOPE_FUZZ` says how many.
  private static let count = ProcessInfo.processInfo.environment["AURICLE_DASHSCOPE_FUZZ"].flatMap(Int.init) ?? 3_000

  @Test("No message, however broken, does anything but throw or be read, and no error holds what it said")
  func fuzz() {
    let seeds = [
      ClientMessage.runTask(
        id: "t", .init(model: "secret-word", parameters: TaskParameters(others: ["n": .number(1e308)]))
      ).text,
      ServerMessage(
        taskID: "secret-word",
        event: .resultGenerated(
          SentenceResult(
            id: 1, beginTime: 2, endTime: 3, text: "secret-word", words: [.init(beginTime: 1, endTime: 2, text: "a")]),
          duration: 1)
      ).text,
    ]
    let values = ["null", "-1", "1e999", "9223372036854775808", "1.5", "\"\"", "[]", "{}", "true", "\"\\u0000\""]
    var state: UInt64 = 88_172_645_463_325_252
    func chance(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    var readCount = 0
    for _ in 0..<Self.count {
      var bytes = Array(seeds[chance(seeds.count)].utf8)
      for _ in 0...chance(4) {
        switch chance(4) {
        case 0: bytes[chance(bytes.count)] = UInt8(chance(256))
        case 1: bytes.removeSubrange(chance(bytes.count)...)
        case 2: bytes.remove(at: chance(bytes.count))
        default:
          let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
          guard !colons.isEmpty, case let colon = colons[chance(colons.count)] else { break }
          let end = bytes[colon...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? bytes.count
          bytes.replaceSubrange((colon + 1)..<max(colon + 1, end), with: Array(values[chance(values.count)].utf8))
        }
        if bytes.isEmpty { bytes = [32] }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(WireError) {
        _ = try ClientMessage(text).text
        readCount += 1
      } catch {
        #expect(!error.description.contains("secret"))
      }
      do throws(WireError) {
        _ = try ServerMessage(text).text
        readCount += 1
      } catch {
        #expect(!error.description.contains("secret"))
      }
    }
    // It reaches what lies behind the first check.
    #expect(readCount > Self.count / 20)
  }

  @Test("A message that is nested without end is refused")
  func nesting() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: WireError.self) { try ServerMessage(deep) }
    #expect(throws: WireError.self) { try ClientMessage(deep + String(repeating: "]", count: 100_000)) }
  }
}
