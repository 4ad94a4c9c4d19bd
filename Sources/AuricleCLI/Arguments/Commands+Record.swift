extension Commands {
  static let record = CommandSpec(
    "record", summary: "Record a microphone to a file, with live text",
    options: [
      OptionSpec("--source", value: "NAME|-", help: "A device of auricle devices, or - for PCM on standard input."),
      OptionSpec("--duration", value: "TIME", help: "Stop after so long: 90s, 5m, 2h. Pauses count."),
      OptionSpec(
        "--max-duration", value: "MINUTES", help: "A recording may be so long, 1 to 240 whole minutes. Pauses count."),
      OptionSpec("--out", value: "DIR", help: "Keep recordings there instead of the user's data folder."),
      OptionSpec("--consent", value: "REF,REF", help: "These agreed to be recorded; asks nobody."),
      OptionSpec("--yes", help: "Everyone present agreed to be recorded; asks nobody."),
      OptionSpec(
        "--on-withdrawal", value: "WHAT",
        help: "keep (default) or destroy what was recorded, when consent is withdrawn."),
      OptionSpec(
        "--on-device-loss", value: "WHAT",
        help: "wait (default, half a minute) for a device that goes away, or end."),
      OptionSpec("--format", value: "FORMAT", help: "wav (default), flac or opus."),
      OptionSpec("--no-transcript", help: "Record audio only."),
      OptionSpec("--language", value: "TAG", help: "The language that is spoken (BCP 47), such as en."),
      OptionSpec("--model", value: "DIR", help: "A sherpa-onnx model folder instead of the installed model."),
      OptionSpec("--threads", value: "N", help: "How many decodes may run at once, 1 to 64."),
      OptionSpec(
        "--encoding", value: "NAME",
        help: "With --source -: s16le (default), s24le, s32le, u8, f32le, f64le, mulaw or alaw."),
      OptionSpec("--rate", value: "HZ", help: "With --source -: frames per second; 16000 by default."),
      OptionSpec("--channels", value: "N", help: "With --source -: samples per frame; 1 by default."),
    ],
    notes: [
      "DIR gets a folder a recording, named for its start in UTC: audio.*, transcript.txt, transcript.srt and\n"
        + "report.json. Sentences go to standard output when they are final, everything else to standard error.",
      "On a terminal it asks whether everyone agreed, and shows what it hears: space pauses and resumes, q or\n"
        + "Ctrl-C stops, a second Ctrl-C does not wait for the text; w withdraws consent. Elsewhere it needs --consent or\n"
        + "--yes; SIGUSR1 pauses and resumes, SIGUSR2 withdraws consent, SIGTERM stops within five seconds. What is\n"
        + "killed is mended by auricle recover.",
    ],
    examples: [
      ("auricle record", "Record the default microphone until q is pressed."),
      ("auricle record --duration 90s --format opus --yes", "Record for a minute and a half; everyone agreed."),
      ("auricle record --on-withdrawal destroy", "Whoever presses w has everything destroyed that was recorded."),
      ("auricle record --source alsa_output.usb.monitor", "Record what a loudspeaker plays."),
      ("arecord -q -t raw -f S16_LE -r 16000 | auricle record --source - --yes", "Record a stream."),
    ])

  static let devices = CommandSpec(
    "devices", summary: "List what can be recorded",
    options: [OptionSpec("--json", help: "Write the devices as JSON.")],
    notes: ["The device that record takes by itself is marked with *. A monitor hears what a loudspeaker plays."],
    examples: [
      ("auricle devices", "List microphones and monitors."),
      ("auricle devices --json", "The same for programs."),
    ])

  static let recover = CommandSpec(
    "recover", summary: "Mend recordings that did not come to their end",
    options: [
      OptionSpec("--out", value: "DIR", help: "Look there instead of in the user's data folder."),
      OptionSpec("--language", value: "TAG", help: "The language that is spoken, where the recording does not say."),
      OptionSpec("--model", value: "DIR", help: "A sherpa-onnx model folder instead of the installed model."),
      OptionSpec("--threads", value: "N", help: "How many decodes may run at once, 1 to 64."),
    ],
    notes: [
      "The audio is made playable, what has no text yet is transcribed, and the report says what is missing.\n"
        + "Without a model the text waits for the next auricle recover. Recordings that run are left alone. Audio is\n"
        + "never deleted, unless consent was withdrawn and the recording was to be destroyed then."
    ],
    examples: [
      ("auricle recover", "Mend what a crash or a loss of power left behind."),
      ("auricle recover --out talks/", "The same for recordings that are kept elsewhere."),
    ])
}
