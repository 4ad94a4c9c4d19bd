/// The commands of `auricle`.
enum Commands {
  static let all = [transcribe, record, recover, devices, doctor, probeModel]

  static let transcribe = CommandSpec(
    "transcribe", summary: "Turn recordings into text", operands: "FILE…|-", operandCount: 1...Int.max,
    options: [
      OptionSpec(
        "--format", value: "FORMAT", help: "text (default), json, md, srt, vtt, or jsonl: a line per result, live."),
      OptionSpec("--output", value: "PATH", help: "Write to a file, whole or not at all; for several FILEs a folder."),
      OptionSpec("--language", value: "TAG", help: "The language that is spoken (BCP 47), such as en."),
      OptionSpec("--model", value: "DIR", help: "A sherpa-onnx model folder instead of the installed model."),
      OptionSpec("--threads", value: "N", help: "How many decodes may run at once, 1 to 64."),
      OptionSpec("--realtime", help: "Feed the audio as fast as it was spoken, as a microphone would."),
      OptionSpec("--raw", help: "The input is headerless PCM, described by the three options below."),
      OptionSpec(
        "--encoding", value: "NAME", help: "With --raw: s16le (default), s24le, s32le, u8, f32le, f64le, mulaw or alaw."
      ),
      OptionSpec("--rate", value: "HZ", help: "With --raw: frames per second, 1000 to 768000; 16000 by default."),
      OptionSpec("--channels", value: "N", help: "With --raw: samples per frame, 1 to 64; 1 by default."),
    ],
    notes: [
      "FILE is a sound or video file of almost any kind; - is standard input. Text goes to standard output,\n"
        + "everything else to standard error. On a terminal, progress and the words so far are shown live."
    ],
    examples: [
      ("auricle transcribe talk.wav", "Print the words, one sentence a line."),
      ("auricle transcribe talk.m4a --format srt --output talk.srt", "Write subtitles."),
      ("auricle transcribe *.flac --format md --output notes/", "Write a file for each recording."),
      ("auricle transcribe talk.wav --realtime --format jsonl", "Watch the results come live."),
      ("arecord -q -t raw -f S16_LE -r 16000 | auricle transcribe - --raw", "Listen to a microphone; Ctrl-C ends."),
    ])

  static let doctor = CommandSpec(
    "doctor", summary: "Say what is installed, what is missing, and how to mend it",
    options: [
      OptionSpec("--json", help: "Write the checks as JSON."),
      OptionSpec("--model", value: "DIR", help: "Look at this model folder instead of the installed model."),
    ],
    examples: [
      ("auricle doctor", "Show all checks."),
      ("auricle doctor --json", "The same for programs."),
    ])

  /// Run as a child process, since the engine ends the process on bad files.
  static let probeModel = CommandSpec(
    "probe-model", summary: "Load a model folder and warm it up", operands: "DIR", operandCount: 1...1,
    options: [OptionSpec("--language", value: "TAG", help: "The language to load it for.")], isHidden: true)
}
